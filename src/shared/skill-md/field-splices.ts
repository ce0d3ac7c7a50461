import { isMap, isNode, isPair, isScalar, isSeq } from 'yaml'
import type { Pair, ParsedNode, Scalar, YAMLMap } from 'yaml'
import type { Editing } from './editing'
import { isShortList, renderBlock, renderFlow, renderKey, renderLines, renderScalar } from './render'
import type { ScalarStyle } from './render'

/** Text for a range of the YAML; `parsed` tells whether its places count in `Editing.parsed` or as written. */
export interface Splice {
  start: number
  end: number
  text: string
  parsed: boolean
}

interface Wanted {
  value: unknown
  /** On one line behind the key, whatever stood there. */
  simply: boolean
}

type Entry = Pair<ParsedNode, ParsedNode | null>
type ScalarValue = string | number | boolean | null

const MIN_WIDTH = 60

/** The splices that write a value at a path of block maps, in the style of the present one; null where none is there. */
export function fieldSplices(editing: Editing, path: readonly string[], wanted: Wanted): Splice[] | null {
  const entry = locate(editing, path)
  if (entry) return replaceValue(editing, entry, wanted)
  const parent = path.length > 1 ? locate(editing, path.slice(0, -1))?.value : undefined
  if (!isMap(parent) || parent.flow === true || parent.items.length === 0) return null
  return [insertInto(editing, parent, path.at(-1)!, wanted.value)]
}

/** Lines of the YAML, from 0, that hold nothing but the field and its value; null where it shares them. */
export function removalLines(
  editing: Editing,
  path: readonly string[],
): { first: number; last: number } | null {
  const entry = locate(editing, path)
  if (!entry) return null
  const lineOf = (offset: number) =>
    editing.source.yaml.slice(0, editing.original(offset)).split('\n').length - 1
  return { first: lineOf(entry.key.range[0]), last: lineOf(endOfEntry(editing.parsed, entry)) }
}

function locate(editing: Editing, path: readonly string[]): Entry | null {
  let map: unknown = editing.map
  let found: Entry | null = null
  for (const part of path) {
    if (!isMap(map) || map.flow === true) return null
    found = (map.items as Entry[]).findLast(({ key }) => isScalar(key) && key.value === part) ?? null
    if (!found) return null
    map = found.value
  }
  return found
}

function insertInto(editing: Editing, parent: YAMLMap, key: string, value: unknown): Splice {
  const entries = parent.items as Entry[]
  const place = lineEnd(editing.parsed, endOfEntry(editing.parsed, entries.at(-1)!))
  const indent = columnOf(editing.parsed, entries[0]!.key.range[0])
  const below = isShortList(value) ? null : renderLines(value, indent + 2)
  const text = below === null ? ` ${inline(value, 'plain')}` : `\n${below}`
  return {
    start: place,
    end: place,
    text: `\n${' '.repeat(indent)}${renderKey(key)}:${text}`,
    parsed: true,
  }
}

function replaceValue(editing: Editing, entry: Entry, { value, simply }: Wanted): Splice[] | null {
  const colon = colonEnd(editing.parsed, entry)
  if (colon === null) return null
  const end = Math.max(colon, endOfEntry(editing.parsed, entry))
  const node = entry.value
  if (simply) return [over(colon, end, ` ${inline(value, 'plain')}`)]
  if (isScalar(node)) return overScalar(editing, node, value, { colon, end })
  const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true
  if (!isBlock) return node ? [over(node.range[0], end, inline(value, 'plain'))] : null
  return overBlock(editing, node.range[0], value, { colon, end })
}

interface Around {
  /** Behind the colon. */
  colon: number
  /** Behind the value. */
  end: number
}

function overScalar(editing: Editing, node: Scalar, value: unknown, { colon, end }: Around): Splice[] {
  const [start] = node.range!
  const indent = columnOfLine(editing.parsed, colon) + 2
  const below = isShortList(value) ? null : renderLines(value, indent)
  if (below !== null) return [over(colon, end, `\n${below}`)]
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
  if (isBlock && typeof value === 'string') {
    const block = blockLike(editing.parsed.slice(start, end), value, indent)
    if (block !== null) return [over(start, end, block)]
  }
  const text = inline(value, STYLES[node.type ?? ''] ?? 'plain')
  return isNothing(node) ? [over(colon, colon, ` ${text}`)] : [over(start, end, text)]
}

const STYLES: Readonly<Record<string, ScalarStyle>> = { QUOTE_DOUBLE: 'double', QUOTE_SINGLE: 'single' }

/** A block scalar as the present one: folded or not, as wide, with its indentation and the comment in its header. */
function blockLike(present: string, value: string, indent: number): string | null {
  const [header = '', ...lines] = present.split('\n')
  const first = lines.find((line) => line.trim() !== '')
  const own = first === undefined || /\d/.test(header.split('#', 1)[0]!) ? indent : first.search(/\S/)
  const width = Math.max(MIN_WIDTH, ...lines.map((line) => line.length - own))
  const block = renderBlock(value, { mode: header[0] === '>' ? '>' : '|', indent: own, width })
  const comment = /[ \t]+#.*$/.exec(header)?.[0] ?? ''
  return block === null ? null : block.replace('\n', `${comment}\n`)
}

function overBlock(editing: Editing, start: number, value: unknown, { colon, end }: Around): Splice[] {
  const lineStart = start - columnOf(editing.parsed, start)
  const lines = renderLines(value, start - lineStart)
  if (lines !== null && lineStart > colon) return [over(lineStart, end, lines)]
  return [over(colon, colon, ` ${inline(value, 'plain')}`), over(lineEnd(editing.parsed, colon), end, '')]
}

function inline(value: unknown, style: ScalarStyle): string {
  if (typeof value === 'object' && value !== null) return renderFlow(value)
  return renderScalar(value as ScalarValue, style)
}

function over(start: number, end: number, text: string): Splice {
  return { start, end, text, parsed: true }
}

/** Behind the colon of a key; null for the explicit form with `?`. */
function colonEnd(yaml: string, { key }: Entry): number | null {
  let at = key.range[1]
  while (yaml[at] === ' ' || yaml[at] === '\t') at += 1
  return yaml[at] === ':' ? at + 1 : null
}

/** Behind the last character of a value, without line ends and comments that follow it. */
function endOfEntry(yaml: string, { key, value }: Entry): number {
  if (value && !isNothing(value)) return endOfNode(yaml, value)
  const colon = yaml.indexOf(':', key.range[1])
  return colon === -1 ? key.range[1] : colon + 1
}

function endOfNode(yaml: string, node: ParsedNode): number {
  const inner = isMap(node) || isSeq(node) ? node : null
  if (inner && inner.flow !== true) {
    const last = inner.items.at(-1)
    if (isPair(last)) return endOfEntry(yaml, last)
    if (isNode(last) && last.range) return endOfNode(yaml, last)
  }
  const [start, end] = node.range
  return start + yaml.slice(start, end).replace(/(?:\n[ \t]*)+$/, '').length
}

/** True for what stands behind `key:` where nothing does. */
function isNothing(node: unknown): boolean {
  return isScalar(node) && node.source === '' && node.type === 'PLAIN'
}

function lineEnd(yaml: string, offset: number): number {
  const end = yaml.indexOf('\n', offset)
  return end === -1 ? yaml.length : end
}

/** Characters between the start of the line and a place. */
export function columnOf(yaml: string, offset: number): number {
  return offset === 0 ? 0 : offset - (yaml.lastIndexOf('\n', offset - 1) + 1)
}

/** Spaces at the start of the line of a place. */
function columnOfLine(yaml: string, offset: number): number {
  const start = offset - columnOf(yaml, offset)
  return /^ */.exec(yaml.slice(start))![0].length
}
