import { isMap, isScalar } from 'yaml'
import type { ParsedNode, YAMLMap } from 'yaml'
import { renderFlow, renderScalar } from './render'
import { colonEnd, columnOf, isNothing, lineEnd, over } from './yaml-places'
import type { Entry, Splice } from './yaml-places'

/** The splice that writes another value behind a key of a map in braces; the rest of the map stays byte for byte. */
export function replaceInFlow(yaml: string, parent: YAMLMap, entry: Entry, value: unknown): Splice[] {
  const text = valueText(parent, value, entry.value)
  if (entry.value && !isNothing(entry.value)) return [over(entry.value.range[0], entry.value.range[1], text)]
  const colon = colonEnd(yaml, entry)
  return colon === null
    ? [over(entry.key.range[1], entry.key.range[1], `: ${text}`)]
    : [over(colon, colon, ` ${text}`)]
}

/** The splices that put a new key behind the last one of a map in braces, on a line of its own where that one has one. */
export function insertInFlow(yaml: string, parent: YAMLMap, key: string, value: unknown): Splice[] {
  const text = `${renderFlow(key, isQuoted(parent))}: ${valueText(parent, value)}`
  const last = (parent.items as Entry[]).at(-1)
  if (!last) return [intoEmpty(yaml, parent.range![0] + 1, text)]
  const end = endInFlow(yaml, last)
  const lines = ownLines(yaml, last)
  if (!lines || (!lines.comma && commaBehind(yaml, last) !== null)) return [over(end, end, `, ${text}`)]
  const next = `\n${' '.repeat(columnOf(yaml, last.key.range[0]))}${text}`
  if (lines.comma) return [over(lines.end, lines.end, `${next},`)]
  return [over(end, lines.end, `,${yaml.slice(end, lines.end)}${next}`)]
}

/** The splices that take a key out of a map in braces, with its comma, and with its lines where it has its own. */
export function removeFromFlow(yaml: string, parent: YAMLMap, entry: Entry): Splice[] {
  const entries = parent.items as Entry[]
  const at = entries.indexOf(entry)
  const previous = entries[at - 1]
  const next = entries[at + 1]
  const lines = ownLines(yaml, entry)
  if (lines && (!next || lines.comma)) {
    const cut = over(lines.start - 1, lines.end, '')
    return lines.comma || !previous ? [cut] : [cut, ...cutComma(yaml, previous)]
  }
  const [start] = entry.key.range
  const end = next || !previous ? behindComma(yaml, entry) : endInFlow(yaml, entry)
  if (next || !previous) return [over(start, end, '')]
  const hasComment = yaml.slice(endInFlow(yaml, previous), start).includes('#')
  if (!hasComment) return [over(endInFlow(yaml, previous), end, '')]
  return [...cutComma(yaml, previous), over(start, end, '')]
}

function valueText(parent: YAMLMap, value: unknown, present: ParsedNode | null = null): string {
  const single = isScalar(present) && present.type === 'QUOTE_SINGLE'
  if (typeof value === 'string' && single) return renderScalar(value, 'single')
  return renderFlow(value, isQuoted(parent) || (isScalar(present) && present.type === 'QUOTE_DOUBLE'))
}

/** True for a map written like JSON, which other tools may read as JSON. */
function isQuoted(map: YAMLMap): boolean {
  const [first] = map.items as Entry[]
  return isScalar(first?.key) && first.key.type === 'QUOTE_DOUBLE'
}

/** Spaces that stand between empty braces end up on both sides. */
function intoEmpty(yaml: string, start: number, text: string): Splice {
  const gap = /^ +(?=\})/.exec(yaml.slice(start))?.[0] ?? ''
  return over(start, start, gap + text)
}

interface OwnLines {
  /** Start of the first line. */
  start: number
  /** End of the last line, without its line end. */
  end: number
  comma: boolean
}

/** The lines of an entry that shares them with nothing but its comma and a comment; null where it does. */
function ownLines(yaml: string, entry: Entry): OwnLines | null {
  const start = entry.key.range[0] - columnOf(yaml, entry.key.range[0])
  const behind = endInFlow(yaml, entry)
  const end = lineEnd(yaml, behind)
  const rest = /^[ \t]*(,)?[ \t]*(?:#.*)?$/.exec(yaml.slice(behind, end))
  if (start === 0 || !rest || yaml.slice(start, entry.key.range[0]).trim() !== '') return null
  return { start, end, comma: rest[1] !== undefined }
}

/** The place of the comma behind an entry, comments aside; null where none follows. */
function commaBehind(yaml: string, entry: Entry): number | null {
  const end = endInFlow(yaml, entry)
  const found = /^(?:\s|#[^\n]*\n)*,/.exec(yaml.slice(end))
  return found ? end + found[0].length - 1 : null
}

function cutComma(yaml: string, entry: Entry): Splice[] {
  const comma = commaBehind(yaml, entry)
  return comma === null ? [] : [over(comma, comma + 1, '')]
}

/** Behind the comma of an entry and the spaces that part it from the next one. */
function behindComma(yaml: string, entry: Entry): number {
  const comma = commaBehind(yaml, entry)
  if (comma === null) return endInFlow(yaml, entry)
  const gap = /^[ \t]*(?![ \t]*#)/.exec(yaml.slice(comma + 1))?.[0].length ?? 0
  return comma + 1 + gap
}

function endInFlow(yaml: string, entry: Entry): number {
  if (entry.value && !isNothing(entry.value)) return entry.value.range[1]
  return colonEnd(yaml, entry) ?? entry.key.range[1]
}

/** A map in braces; null for every other node. */
export function flowMap(node: unknown): YAMLMap | null {
  return isMap(node) && node.flow === true ? node : null
}
