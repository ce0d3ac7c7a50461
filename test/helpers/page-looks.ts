import type { Page } from '@playwright/test'

/** A rectangle on screen, in CSS pixels. */
export interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

/** How one visible element is drawn. */
export interface Drawn {
  /** Tag and classes, for a person who reads the fault. */
  where: string
  /** Number of the layer (window, dialog, menu) that it stands on. */
  layer: number
  /** Every colour that is drawn, by its property. */
  colours: Record<string, string>
  image: string
  shadow: string
  radii: string[]
  /** Of elements that hold text; null: there is none. */
  text: DrawnText | null
}

/** Text of one element. */
export interface DrawnText {
  words: string
  font: string
  size: string
  weight: string
  /** Where its lines stand. */
  lines: Rect[]
  /** What ancestors that don't scroll leave of the place; text beyond it is lost. */
  kept: Rect
  /** What all ancestors leave, those that scroll too. */
  seen: Rect
  /** Says itself that it is cut, by an ellipsis or a number of lines. */
  marked: boolean
}

interface Box extends Rect {
  width: number
  height: number
}

interface Style {
  [name: string]: string
}

interface Node {
  nodeType: number
  textContent: string | null
}

interface Element extends Node {
  tagName: string
  parentElement: Element | null
  childNodes: Iterable<Node>
  scrollWidth: number
  clientWidth: number
  getAttribute(name: string): string | null
  closest(selector: string): Element | null
  getBoundingClientRect(): Box
  checkVisibility(options: Record<string, boolean>): boolean
}

interface PageGlobals {
  innerWidth: number
  innerHeight: number
  getComputedStyle(element: Element): Style
  document: {
    querySelectorAll(selector: string): Iterable<Element>
    createRange(): { selectNodeContents(node: Node): void; getClientRects(): Iterable<Rect> }
  }
}

/** Every visible element of the page as it is drawn now: `style-faults.ts` judges it. */
export async function drawnOn(page: Page): Promise<Drawn[]> {
  // Only these functions are there in the page: they use each other and nothing else of this file.
  const functions = [gather, isShown, coloursOf, radiiOf, textOf, linesOf, placeOf, narrowed]
  return await page.evaluate(`(() => { ${functions.map(String).join('\n')}\nreturn gather() })()`)
}

function gather(): Drawn[] {
  const all = globalThis as unknown as PageGlobals
  const layers: (Element | null)[] = []
  return [...all.document.querySelectorAll('body, body *')].filter(isShown).map((element) => {
    const style = all.getComputedStyle(element)
    const layer = element.closest('[role="dialog"], [role="menu"], [role="tooltip"], .scrim, .toast')
    if (!layers.includes(layer)) layers.push(layer)
    const classes = (element.getAttribute('class') ?? '').trim().replaceAll(/\s+/g, '.')
    return {
      where: `${element.tagName.toLowerCase()}.${classes}`,
      layer: layers.indexOf(layer),
      colours: coloursOf(element, style),
      image: style['backgroundImage'] ?? '',
      shadow: style['boxShadow'] ?? '',
      radii: radiiOf(style),
      text: textOf(element, style),
    }
  })
}

/** Without what is there for screen readers alone, and the link that shows when it has the focus. */
function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  if (width <= 1 || height <= 1 || element.closest('.sr, .skip:not(:focus), option, .cm-announced'))
    return false
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
}

function coloursOf(element: Element, style: Style): Record<string, string> {
  const names = ['backgroundColor']
  if (linesOf(element).length > 0) names.push('color')
  if (style['outlineStyle'] !== 'none') names.push('outlineColor')
  for (const side of ['Top', 'Right', 'Bottom', 'Left']) {
    const drawn = style[`border${side}Style`] !== 'none' && style[`border${side}Width`] !== '0px'
    if (drawn) names.push(`border${side}Color`)
  }
  if (['path', 'rect', 'line', 'circle', 'polyline'].includes(element.tagName)) names.push('fill', 'stroke')
  return Object.fromEntries(names.map((name) => [name, style[name] ?? '']))
}

function radiiOf(style: Style): string[] {
  const corners = ['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft']
  return [...new Set(corners.map((corner) => style[`border${corner}Radius`] ?? ''))]
}

function textOf(element: Element, style: Style): DrawnText | null {
  const lines = linesOf(element)
  if (lines.length === 0) return null
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3)
  return {
    words: own
      .map(({ textContent }) => textContent)
      .join('')
      .trim()
      .slice(0, 60),
    font: style['fontFamily'] ?? '',
    size: style['fontSize'] ?? '',
    weight: style['fontWeight'] ?? '',
    lines,
    ...placeOf(element),
  }
}

/** Where the lines of its own text stand. */
function linesOf(element: Element): Rect[] {
  const all = globalThis as unknown as PageGlobals
  return [...element.childNodes]
    .filter(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim())
    .flatMap((node) => {
      const range = all.document.createRange()
      range.selectNodeContents(node)
      return [...range.getClientRects()].map(({ left, top, right, bottom }) => ({ left, top, right, bottom }))
    })
    .filter(({ left, right }) => right - left > 1)
}

function placeOf(element: Element): Pick<DrawnText, 'kept' | 'seen' | 'marked'> {
  const all = globalThis as unknown as PageGlobals
  const window = { left: 0, top: 0, right: all.innerWidth, bottom: all.innerHeight }
  let [kept, seen, marked, scrolls] = [
    { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 },
    window,
    false,
    false,
  ]
  for (let at: Element | null = element; at; at = at.parentElement) {
    const style = all.getComputedStyle(at)
    if (style['display'] === 'inline') continue
    seen = narrowed(seen, at.getBoundingClientRect(), style)
    // What lies in a part that scrolls can be brought to sight, so nothing further out loses it.
    scrolls ||= /auto|scroll/.test(`${style['overflowX']} ${style['overflowY']}`)
    if (scrolls) continue
    kept = narrowed(kept, at.getBoundingClientRect(), style)
    marked ||= style['textOverflow'] === 'ellipsis' || (style['webkitLineClamp'] ?? 'none') !== 'none'
  }
  if (scrolls) return { kept, seen, marked }
  return { kept: narrowed(window, kept, {}), seen, marked }
}

/** What a box of that style leaves of a place. */
function narrowed(to: Rect, box: Rect, style: Style): Rect {
  const [sideways, down] = [style['overflowX'] !== 'visible', style['overflowY'] !== 'visible']
  return {
    left: sideways ? Math.max(to.left, box.left) : to.left,
    right: sideways ? Math.min(to.right, box.right) : to.right,
    top: down ? Math.max(to.top, box.top) : to.top,
    bottom: down ? Math.min(to.bottom, box.bottom) : to.bottom,
  }
}
