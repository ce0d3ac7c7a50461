import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'

/** Names that a part of the file may have, with those below it; null: anything may stand there. */
export interface Keys {
  readonly [key: string]: Keys | null
}

/** Something in the file that is not understood. */
export interface Misfit {
  path: PropertyKey[]
  /** A sentence. */
  message: string
}

/** Keys for people and their tools: they say nothing to Satchel. */
const NOTE = /^(?:\$schema|x-.*)$/

/** Two spellings of one word: `require-approval-for`, `require_approval_for`, `RequireApprovalFor`. */
export function foldKey(key: string): string {
  return key.replace(/[-_]/g, '').toLowerCase()
}

/**
 * The same value with all keys in the spelling of `keys`, in the arrays of it too. What has no name there, and what
 * stands twice in two spellings, is left out and told.
 */
export function respelled(value: unknown, keys: Keys): { value: unknown; misfits: Misfit[] } {
  const misfits: Misfit[] = []
  return { value: spelled(value, keys, { path: [], misfits }), misfits }
}

interface At {
  path: PropertyKey[]
  misfits: Misfit[]
}

function spelled(value: unknown, keys: Keys, { path, misfits }: At): unknown {
  if (Array.isArray(value)) {
    return value.map((each, n) => spelled(each, keys, { path: [...path, n], misfits }))
  }
  if (typeof value !== 'object' || value === null) return value
  const known = new Map(Object.keys(keys).map((key) => [foldKey(key), key]))
  const found = new Map<string, unknown>()
  for (const [written, part] of Object.entries(value)) {
    const key = known.get(foldKey(written))
    const at = { path: [...path, key ?? written], misfits }
    if (key !== undefined && !found.has(key)) {
      const below = keys[key]
      found.set(key, below ? spelled(part, below, at) : part)
    } else if (!NOTE.test(written)) {
      const message = key === undefined ? unknownKey(written, Object.keys(keys)) : 'This stands there twice.'
      misfits.push({ path: at.path, message })
    }
  }
  return Object.fromEntries(found)
}

function unknownKey(written: string, keys: readonly string[]): string {
  return `There is no such key.${didYouMean(written, keys)}`
}

/** " Did you mean skills?", or nothing where no name is near. */
export function didYouMean(written: string, names: readonly string[]): string {
  const asked = foldKey(written)
  const near = names
    .map((name) => ({ name, far: distance(asked, foldKey(name)) }))
    .filter(({ far }) => far <= Math.max(2, Math.floor(asked.length / 3)))
    .toSorted((a, b) => a.far - b.far)[0]
  return near ? ` Did you mean ${near.name}?` : ''
}

/** Letters to change, add or take away. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, letter] of Array.from(a.slice(0, 100)).entries()) {
    const row = [i + 1]
    for (let j = 0; j < b.length; j++) {
      row.push(Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + (letter === b[j] ? 0 : 1)))
    }
    above = row
  }
  return above[b.length]!
}

/** The file as it is written, to find lines in. JSON is read as the YAML that it is. */
export interface Written {
  /** The line of a part, counted from 1; null: it can't be told. */
  lineOf(path: readonly PropertyKey[]): number | null
  /** Line of the first key that stands twice in its place: one of both would not count. */
  twice: number | null
}

export function writtenAs(text: string): Written {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, logLevel: 'silent' })
  const double = document.errors.find(({ code }) => code === 'DUPLICATE_KEY')
  return {
    twice: double ? lines.linePos(double.pos[0]).line : null,
    lineOf(path) {
      const offset = offsetOf(document, path)
      return offset === null ? null : lines.linePos(offset).line
    },
  }
}

function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number | null {
  let node: unknown = document.contents
  let offset: number | null = null
  for (const part of path) {
    const next = isMap(node)
      ? pairOf(node.items, String(part))
      : isSeq(node)
        ? itemOf(node.items, part)
        : null
    if (next === null) return offset
    offset = next.offset ?? offset
    node = next.node
  }
  return offset
}

interface Found {
  offset: number | null
  node: unknown
}

function pairOf(items: readonly { key: unknown; value: unknown }[], name: string): Found | null {
  for (const { key, value } of items) {
    if (!isScalar(key) || foldKey(String(key.value)) !== foldKey(name)) continue
    return { offset: key.range?.[0] ?? null, node: value }
  }
  return null
}

function itemOf(items: readonly unknown[], at: PropertyKey): Found {
  const node = items[Number(at)]
  const range = (node as { range?: [number, number, number] | null } | undefined)?.range
  return { offset: range?.[0] ?? null, node }
}
