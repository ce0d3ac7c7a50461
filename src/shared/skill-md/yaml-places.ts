import { isMap, isNode, isPair, isScalar, isSeq } from 'yaml'
import type { Pair, ParsedNode } from 'yaml'

/** Text for a range of the YAML; `parsed` tells whether its places count in `Editing.parsed` or as written. */
export interface Splice {
  start: number
  end: number
  text: string
  parsed: boolean
}

export type Entry = Pair<ParsedNode, ParsedNode | null>

export function over(start: number, end: number, text: string): Splice {
  return { start, end, text, parsed: true }
}

/** Behind the colon of a key; null for the explicit form with `?`. */
export function colonEnd(yaml: string, { key }: Entry): number | null {
  let at = key.range[1]
  while (yaml[at] === ' ' || yaml[at] === '\t') at += 1
  return yaml[at] === ':' ? at + 1 : null
}

/** Behind the last character of a value, without line ends and comments that follow it. */
export function endOfEntry(yaml: string, { key, value }: Entry): number {
  if (value && !isNothing(value)) return endOfNode(yaml, value)
  const colon = yaml.indexOf(':', key.range[1])
  return colon === -1 ? key.range[1] : colon + 1
}

/** True for what stands behind `key:` where nothing does. */
export function isNothing(node: unknown): boolean {
  return isScalar(node) && node.source === '' && node.type === 'PLAIN'
}

export function lineEnd(yaml: string, offset: number): number {
  const end = yaml.indexOf('\n', offset)
  return end === -1 ? yaml.length : end
}

/** Characters between the start of the line and a place. */
export function columnOf(yaml: string, offset: number): number {
  return offset === 0 ? 0 : offset - (yaml.lastIndexOf('\n', offset - 1) + 1)
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
