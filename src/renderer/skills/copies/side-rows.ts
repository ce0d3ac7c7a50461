import type { DiffLine } from '@shared/line-diff'

export interface SideLine {
  /** From 1. */
  number: number
  text: string
  changed: boolean
}

/** One line of both sides, or how many unchanged ones are left out. */
export type SideRow =
  | { kind: 'line'; key: string; left: SideLine | null; right: SideLine | null }
  | { kind: 'gap'; key: string; count: number }

/** Unchanged lines kept around a change. */
const AROUND = 3

/** A difference in two columns: what was removed stands beside what was added in its place. */
export function sideRows(diff: readonly DiffLine[]): SideRow[] {
  const lines = pairs(diff)
  const near = lines.map((_line, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => isChanged(line)),
  )
  const rows: SideRow[] = []
  for (const [at, line] of lines.entries()) {
    const last = rows.at(-1)
    if (near[at]) rows.push({ kind: 'line', key: String(at), ...line })
    else if (last?.kind === 'gap') last.count += 1
    else rows.push({ kind: 'gap', key: `gap-${at}`, count: 1 })
  }
  return rows
}

interface Pair {
  left: SideLine | null
  right: SideLine | null
}

function isChanged({ left, right }: Pair): boolean {
  return left?.changed !== false || right?.changed !== false
}

function pairs(diff: readonly DiffLine[]): Pair[] {
  const out: Pair[] = []
  for (let at = 0; at < diff.length;) {
    const line = diff[at]!
    if (line.kind === 'same') {
      out.push({ left: side(line.before, line, false), right: side(line.after, line, false) })
      at += 1
      continue
    }
    let end = at
    while (end < diff.length && diff[end]!.kind !== 'same') end += 1
    const run = diff.slice(at, end)
    const removed = run.filter(({ kind }) => kind === 'del')
    const added = run.filter(({ kind }) => kind === 'add')
    for (let n = 0; n < Math.max(removed.length, added.length); n += 1) {
      const [left, right] = [removed[n], added[n]]
      out.push({
        left: left ? side(left.before, left, true) : null,
        right: right ? side(right.after, right, true) : null,
      })
    }
    at = end
  }
  return out
}

function side(number: number | undefined, { text }: DiffLine, changed: boolean): SideLine {
  return { number: number ?? 0, text, changed }
}
