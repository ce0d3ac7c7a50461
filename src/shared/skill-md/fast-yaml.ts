import { DOUBT, fastInline, fastPlain, MAX_FAST_DEPTH } from './fast-scalar'
import type { YamlMap } from './yaml-map'
import { MAX_FRONTMATTER, MAX_FRONTMATTER_LINES } from './yaml-limits'

/** Lines of frontmatter while they are read. */
interface Cursor {
  lines: readonly string[]
  at: number
}

const KEY = /^([A-Za-z_][\w.-]{0,99}):(?: +(.*))?$/
const ITEM = /^- +(\S.*)$/
const BLOCK_SCALAR = /^[|>]-?$/
/** Characters that mean the same to this reader as to the full parser; tabs and odd spaces are not among them. */
export const ORDINARY =
  /^[\n\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]*$/

/**
 * Reads plain frontmatter many times faster than a full YAML parser: keys with values of one line, quoted or not, plain
 * ones over several lines, block scalars, flow and block lists and maps (`performance.md` 0, decision 2). Gives exactly what `parseYamlMap`
 * gives, or null wherever there is any doubt.
 */
export function fastYamlMap(yaml: string, firstLine: number): YamlMap | null {
  if (yaml.length > MAX_FRONTMATTER || !ORDINARY.test(yaml)) return null
  const cursor: Cursor = { lines: yaml.split('\n'), at: 0 }
  if (cursor.lines.length > MAX_FRONTMATTER_LINES) return null
  const texts = new Map<string, string>()
  const lines = new Map<string, number>()
  const values = readMap(cursor, 0, 0, (key, line, text) => {
    lines.set(key, firstLine + line)
    if (text !== null) texts.set(key, text)
  })
  if (values === DOUBT || lines.size === 0 || cursor.at < cursor.lines.length) return null
  return { values: values as Record<string, unknown>, texts, lines, diagnostics: [] }
}

/** Told of each key with its line from 0 and the written text of its scalar; null for lists and maps. */
type OnKey = (key: string, line: number, text: string | null) => void

function readMap(cursor: Cursor, indent: number, depth: number, onKey?: OnKey): unknown {
  const map: Record<string, unknown> = {}
  if (depth > MAX_FAST_DEPTH) return DOUBT
  for (let line = next(cursor, indent === 0); line !== null; line = next(cursor, indent === 0)) {
    if (indentOf(line) < indent) break
    const field = readKey(line.slice(indent))
    if (!field || Object.hasOwn(map, field.key)) return DOUBT
    const { key, written } = field
    const at = cursor.at++
    const value = written === '' ? readBelow(cursor, indent, depth) : readValue(cursor, written, indent)
    if (value === DOUBT) return DOUBT
    map[key] = value
    if (onKey) onKey(key, at, textOf(value, written))
  }
  return map
}

/** Null where a line that is indented further, or something else than a plain key, stands. */
function readKey(line: string): { key: string; written: string } | null {
  const [, key, written = ''] = KEY.exec(line) ?? []
  return key === undefined || key === '__proto__' ? null : { key, written: written.trimEnd() }
}

function textOf(value: unknown, written: string): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? null : written
}

/** The next line that is not empty; comments are skipped at the top level only. Null at the end. */
function next(cursor: Cursor, comments: boolean): string | null {
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at]!
    if (line !== '' && !(comments && line.startsWith('#'))) return line
  }
  return null
}

function indentOf(line: string): number {
  let at = 0
  while (line[at] === ' ') at += 1
  return at
}

/** What stands below a key without a value: a list, a map, or nothing. */
function readBelow(cursor: Cursor, indent: number, depth: number): unknown {
  const line = next(cursor, false)
  if (line === null) return null
  const found = indentOf(line)
  const isItem = line.startsWith('- ', found)
  if (found < indent || (found === indent && !isItem)) return line.startsWith('#', found) ? DOUBT : null
  return isItem ? readList(cursor, found) : readMap(cursor, found, depth + 1)
}

function readList(cursor: Cursor, indent: number): unknown {
  const list: unknown[] = []
  for (let line = next(cursor, false); line !== null; line = next(cursor, false)) {
    const found = indentOf(line)
    if (found < indent || (found === indent && line[found] !== '-')) break
    const written = ITEM.exec(found === indent ? line.slice(indent) : '')?.[1]?.trimEnd()
    const item = written === undefined ? DOUBT : fastInline(written)
    if (item === DOUBT) return DOUBT
    list.push(item)
    cursor.at += 1
  }
  return list
}

function readValue(cursor: Cursor, written: string, indent: number): unknown {
  if (BLOCK_SCALAR.test(written)) return readBlockScalar(cursor, written, indent)
  const more = moreLines(cursor, indent)
  return more === '' ? fastInline(written) : fastPlain(written + more)
}

/** Further lines of a plain scalar, each behind a space; whether they are plain text is for `fastPlain` to say. */
function moreLines(cursor: Cursor, indent: number): string {
  let text = ''
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at]!
    const found = indentOf(line)
    if (found <= indent || found === line.length) break
    text += ` ${line.trim()}`
  }
  return text
}

function readBlockScalar(cursor: Cursor, header: string, indent: number): unknown {
  const lines = blockLines(cursor, indent)
  if (lines === null) return DOUBT
  const text = header[0] === '|' ? lines.join('\n') : fold(lines)
  if (text === null) return DOUBT
  return header.endsWith('-') ? text : `${text}\n`
}

/** The lines of a block scalar without their indentation and without empty ones at the end; null in doubt. */
function blockLines(cursor: Cursor, indent: number): string[] | null {
  const first = cursor.lines[cursor.at]
  const trim = first === undefined ? 0 : indentOf(first)
  if (first === undefined || trim <= indent || trim === first.length) return null
  const lines: string[] = []
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at]!
    const found = indentOf(line)
    if (line !== '' && found === line.length) return null
    if (line !== '' && found < trim) break
    lines.push(line.slice(trim))
  }
  while (lines.at(-1) === '') lines.pop()
  return lines
}

/** Lines of a folded scalar; a line that is indented further is not folded and left to the full parser. */
function fold(lines: readonly string[]): string | null {
  let text = ''
  let separator = ''
  for (const line of lines) {
    if (line.startsWith(' ')) return null
    if (line === '') {
      if (separator === '\n') text += '\n'
      else separator = '\n'
    } else {
      text += separator + line
      separator = ' '
    }
  }
  return text
}
