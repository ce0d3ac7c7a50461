import { isMap, isScalar, isSeq } from 'yaml'
import type { Scalar, YAMLMap } from 'yaml'
import type { Editing } from './editing'
import { flowMap, insertInFlow, removeFromFlow, replaceInFlow } from './flow-splices'
import { isShortList, renderBlock, renderFlow, renderKey, renderLines, renderScalar } from './render'
import type { ScalarStyle } from './render'
import { colonEnd, columnOf, endOfEntry, isNothing, lineEnd, over } from './yaml-places'
import type { Entry, Splice } from './yaml-places'

interface Wanted {
  value: unknown
  /** On one line behind the key, whatever stood there. */
  simply: boolean
}

type ScalarValue = string | number | boolean | null

const MIN_WIDTH = 60

/** The splices that write a value at a path of maps, in the style of the present one; null where none is there. */
export function fieldSplices(editing: Editing, path: readonly string[], wanted: Wanted): Splice[] | null {
  const yaml = editing.parsed
  const found = locate(editing, path)
  const braces = found && flowMap(found.parent)
  if (braces) return wanted.simply ? null : replaceInFlow(yaml, braces, found.entry, wanted.value)
  if (found) return replaceValue(editing, found.entry, wanted)
  const parent = path.length > 1 ? locate(editing, path.slice(0, -1))?.entry.value : undefined
  if (!isMap(parent) || wanted.simply) return null
  if (parent.flow === true) return insertInFlow(yaml, parent, path.at(-1)!, wanted.value)
  return parent.items.length === 0 ? null : [insertInto(editing, parent, path.at(-1)!, wanted.value)]
}

/** Lines of the YAML, from 0, that hold nothing but the field and its value; null where it shares them. */
export function removalLines(
  editing: Editing,
  path: readonly string[],
): { first: number; last: number } | null {
  const found = locate(editing, path)
  if (!found || flowMap(found.parent)) return null
  const lineOf = (offset: number) =>
    editing.source.yaml.slice(0, editing.original(offset)).split('\n').length - 1
  const { entry } = found
  return { first: lineOf(entry.key.range[0]), last: lineOf(endOfEntry(editing.parsed, entry)) }
}

/** The splices that take a field out of a map in braces; null for every other field. */
export function removalSplices(editing: Editing, path: readonly string[]): Splice[] | null {
  const found = locate(editing, path)
  const braces = found && flowMap(found.parent)
  return braces ? removeFromFlow(editing.parsed, braces, found.entry) : null
}

function locate(editing: Editing, path: readonly string[]): { entry: Entry; parent: YAMLMap } | null {
  let map: unknown = editing.map
  let found: { entry: Entry; parent: YAMLMap } | null = null
  for (const part of path) {
    if (!isMap(map)) return null
    const entry = (map.items as Entry[]).findLast(({ key }) => isScalar(key) && key.value === part)
    if (!entry) return null
    found = { entry, parent: map }
    map = entry.value
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

/** Spaces at the start of the line of a place. */
function columnOfLine(yaml: string, offset: number): number {
  const start = offset - columnOf(yaml, offset)
  return /^ */.exec(yaml.slice(start))![0].length
}
