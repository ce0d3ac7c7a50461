import type { Page } from '@playwright/test'
import { MARKS } from '../../src/shared/pseudo-locale'

/** Where what others wrote stands: paths, keys, texts of files. */
const DATA = 'code, pre, kbd, .mono, .cm-editor, .md'
const PATH = /(?:~|\bSatchel)?\/[\w./-]+/g
const NAMED = ['aria-label', 'title', 'placeholder', 'alt']

interface Node {
  nodeType: number
  textContent: string | null
}

interface Element extends Node {
  childNodes: Iterable<Node>
  tagName: string
  closest(selector: string): Element | null
  getAttribute(name: string): string | null
  checkVisibility(options: Record<string, boolean>): boolean
}

/**
 * In the pseudo-locale: every word on the page, and in the names of its elements, that is not of the catalogue. `data`
 * are texts of others, such as names and descriptions, and sentences of the checks.
 */
export async function unmarkedWords(page: Page, data: readonly string[]): Promise<string[]> {
  const said: { text: string; where: string }[] = await page.evaluate(
    `(${String(wordsOn)})(${JSON.stringify(DATA)}, ${JSON.stringify(NAMED)})`,
  )
  const longestFirst = data.toSorted((one, other) => other.length - one.length)
  const loose = said.filter(({ text }) => {
    const own = longestFirst.reduce((rest, known) => rest.replaceAll(known, ''), unmarked(text))
    return /\p{L}{2}/u.test(own.replaceAll(PATH, ''))
  })
  return [...new Set(loose.map(({ text, where }) => `${where}: "${text}" is not of the catalogue`))]
}

function wordsOn(data: string, named: readonly string[]): { text: string; where: string }[] {
  const { document } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<Element> }
  }
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(data))
    .flatMap((element) => {
      const where = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
      const own = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map((node) => node.textContent)
      const names = named.map((name) => element.getAttribute(name))
      return [own.join(''), ...names].map((text) => ({ text: (text ?? '').trim(), where }))
    })
}

/** What stands outside of the marks. */
function unmarked(text: string): string {
  const inner = new RegExp(`${MARKS[0]}[^${MARKS.join('')}]*${MARKS[1]}`, 'g')
  const rest = text.replaceAll(inner, '')
  return rest === text ? text : unmarked(rest)
}
