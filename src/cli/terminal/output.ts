import { visibleText } from '@shared/visible-text'
import type { Sink, World } from '../world'

/** What a colour says. */
export type Paint = 'strong' | 'quiet' | 'good' | 'warn' | 'bad' | 'link'

/** How text is laid out on one stream. */
export interface Style {
  /** Characters in a line; Infinity where nothing is cut. */
  width: number
  /** Colours the text, or leaves it as it is. */
  paint(as: Paint, text: string): string
}

const CODES: Readonly<Record<Paint, readonly [number, number]>> = {
  strong: [1, 22],
  quiet: [2, 22],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  link: [36, 39],
}
const NARROWEST = 40

/** Colours only on a terminal, and not with `--no-color` or NO_COLOR; FORCE_COLOR turns them on, 0 off. */
export function styleFor(sink: Sink, world: Pick<World, 'env'>, noColor: boolean): Style {
  const color = !noColor && wantsColor(sink, world.env)
  return {
    width: sink.isTTY ? Math.max(NARROWEST, sink.columns ?? 80) : Infinity,
    paint: (as, text) =>
      color && text !== '' ? `\u001b[${CODES[as][0]}m${text}\u001b[${CODES[as][1]}m` : text,
  }
}

function wantsColor({ isTTY }: Sink, env: World['env']): boolean {
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false
  return isTTY
}

/** Text of a skill or a path as it may go to a terminal: on one line, nothing hidden, nothing that acts on it. */
export function shown(text: string): string {
  return visibleText(text.replace(/\s*[\r\n]+\s*/g, ' ').trim())
}

/** Text of several lines, as `shown` for each of them. */
export function shownLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => visibleText(line, '\t'))
    .join('\n')
}

/** "1 skill", "2 skills". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** The text in lines of at most `width`, all after the first indented by `indent`. Long words stay whole. */
export function wrapped(text: string, width: number, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && cellWidth(line) + 1 + cellWidth(word) > width - indent) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe4f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NARROW = /^[\x20-\x7e]*$/
const NOTHING = /\p{M}|\p{Default_Ignorable_Code_Point}/u

/** Columns of a terminal that a text takes. */
export function cellWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  let width = 0
  for (const char of text) width += NOTHING.test(char) ? 0 : WIDE.test(char) ? 2 : 1
  return width
}

/** At most `width` columns, with an ellipsis where something was cut. */
export function cutTo(text: string, width: number): string {
  if (width === Infinity || cellWidth(text) <= width) return text
  let out = ''
  let used = 1
  for (const char of text) {
    used += cellWidth(char)
    if (used > width) break
    out += char
  }
  return `${out.trimEnd()}…`
}
