import { diffArrays } from 'diff'

/** One line of a comparison; `before` and `after` are its 1-based numbers on the sides that have it. */
export interface DiffLine {
  kind: 'same' | 'add' | 'del'
  before?: number | undefined
  after?: number | undefined
  text: string
}

/**
 * Compares two texts line by line. Time is bounded: beyond `MAX_EDITS` changed lines the differing middle is shown
 * as removed and added as a whole, which is still exact.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [splitLines(before, after), splitLines(after, before)]
  const head = commonPrefix(a, b)
  const tail = commonSuffix(a, b, head)
  const out: DiffLine[] = []
  const at = { before: 1, after: 1 }
  push(out, at, 'same', a.slice(0, head))
  for (const part of compare(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) {
    push(out, at, part.kind, part.lines)
  }
  push(out, at, 'same', a.slice(a.length - tail))
  return out
}

/** How many lines were added and removed. */
export function diffCounts(lines: readonly DiffLine[]): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const line of lines) {
    if (line.kind === 'add') added += 1
    if (line.kind === 'del') removed += 1
  }
  return { added, removed }
}

/** The work grows with the square of this. */
const MAX_EDITS = 1000
/** Stands behind a last line without its newline; no line of a text holds it. */
const NO_NEWLINE = '\n'
const NO_NEWLINE_WORDS = ' (no newline at the end)'

interface Part {
  kind: DiffLine['kind']
  lines: string[]
}

/** Lines without their newline; a missing last newline is written out when the other text has one. */
function splitLines(text: string, other: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else if (other.endsWith('\n')) lines.push((lines.pop() ?? '') + NO_NEWLINE)
  return lines
}

function commonPrefix(a: string[], b: string[]): number {
  let n = 0
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1
  return n
}

function commonSuffix(a: string[], b: string[], head: number): number {
  let n = 0
  while (n < a.length - head && n < b.length - head && a[a.length - 1 - n] === b[b.length - 1 - n]) n += 1
  return n
}

function compare(a: string[], b: string[]): Part[] {
  const changes = diffArrays(a, b, { maxEditLength: MAX_EDITS })
  if (!changes) {
    return [
      { kind: 'del', lines: a },
      { kind: 'add', lines: b },
    ]
  }
  return changes.map((change) => ({ kind: kindOf(change), lines: change.value }))
}

function kindOf(change: { added?: boolean; removed?: boolean }): DiffLine['kind'] {
  if (change.added) return 'add'
  return change.removed ? 'del' : 'same'
}

function push(
  out: DiffLine[],
  at: { before: number; after: number },
  kind: DiffLine['kind'],
  lines: string[],
): void {
  for (const text of lines) {
    const shown = text.endsWith(NO_NEWLINE) ? text.slice(0, -1) + NO_NEWLINE_WORDS : text
    const line: DiffLine = { kind, text: shown }
    if (kind !== 'add') line.before = at.before++
    if (kind !== 'del') line.after = at.after++
    out.push(line)
  }
}
