import type { DiffLine } from '@shared/line-diff'
import type { LineRow } from './line-list'
import { words } from './strings'

/** Rows of changed lines with a few around them; where lines were left out stands how many. */
export function hunkRows(diff: readonly DiffLine[]): LineRow[] {
  const rows: LineRow[] = []
  let next = 1
  for (const line of diff) {
    const gap = (line.after ?? next) - next
    if (gap > 0) rows.push({ key: `gap-${next}`, number: 0, kind: 'gap', tokens: [gapToken(gap)] })
    const number = (line.kind === 'del' ? line.before : line.after) ?? 0
    const tokens = line.text === '' ? [] : [{ text: line.text, kind: '' as const }]
    rows.push({ key: `${line.kind}-${number}`, number, kind: line.kind, tokens })
    next = line.kind === 'del' ? next + gap : (line.after ?? next) + 1
  }
  return rows
}

function gapToken(lines: number): LineRow['tokens'][number] {
  return { text: words.hunkRows.unchangedLines(lines), kind: '' }
}
