import type { DiffLine } from '@shared/line-diff'
import type { CodeToken } from './code-lines'
import type { FlagLevel, LineRow } from './line-list'
import { words } from './strings'

export interface DiffRowsInput {
  diff: readonly DiffLine[]
  /** Coloured lines of both sides. */
  before: readonly CodeToken[][]
  after: readonly CodeToken[][]
  flags?: ReadonlyMap<number, FlagLevel>
  /** Keys of the folds that the person opened. */
  open: ReadonlySet<string>
}

/** Unchanged lines kept around a change. */
const AROUND = 3

/** Rows of a unified view; long unchanged stretches are folded, but never over a flagged line. */
export function diffRows(input: DiffRowsInput): LineRow[] {
  const rows = input.diff.map((line, index) => toRow(line, index, input))
  const keep = keptLines(rows)
  const out: LineRow[] = []
  for (let at = 0; at < rows.length;) {
    const row = rows[at]
    if (!row) break
    let end = at
    while (end < rows.length && !keep[end]) end += 1
    const fold = `fold-${at}`
    if (end - at < 2 || input.open.has(fold)) {
      const upTo = Math.max(end, at + 1)
      out.push(...rows.slice(at, upTo))
      at = upTo
      continue
    }
    const label = words.diffRows.unchangedLines(end - at)
    out.push({ key: fold, number: 0, kind: 'fold', tokens: [{ text: label, kind: '' }] })
    at = end
  }
  return out
}

function toRow(line: DiffLine, index: number, input: DiffRowsInput): LineRow {
  const number = (line.kind === 'del' ? line.before : line.after) ?? 0
  const coloured = (line.kind === 'del' ? input.before : input.after)[number - 1]
  const row: LineRow = {
    key: String(index),
    number,
    kind: line.kind,
    // The note about a missing last newline stands only in the diff.
    tokens: coloured && textOf(coloured) === line.text ? coloured : [{ text: line.text, kind: '' }],
  }
  const flag = line.kind === 'del' ? undefined : input.flags?.get(number)
  return flag ? { ...row, flag } : row
}

function textOf(tokens: readonly CodeToken[]): string {
  return tokens.map((token) => token.text).join('')
}

function keptLines(rows: readonly LineRow[]): boolean[] {
  const keep = Array.from({ length: rows.length }, () => false)
  rows.forEach((row, index) => {
    if (row.kind === 'same' && !row.flag) return
    const last = Math.min(rows.length - 1, index + AROUND)
    for (let at = Math.max(0, index - AROUND); at <= last; at += 1) keep[at] = true
  })
  return keep
}
