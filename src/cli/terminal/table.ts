import { cellWidth, cutTo } from './output'
import type { Paint, Style } from './output'

export interface Column {
  title: string
  align?: 'right'
  /** It is cut to so many columns of the terminal at least, before any other is, when space is short. */
  shrinksTo?: number
}

export interface Cell {
  text: string
  paint?: Paint
}

const GAP = 2

/** Rows below a line of titles, each column as wide as it must be; the widest that may shrink gives way first. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], style: Style): string {
  const widths = fittingWidths(columns, rows, style.width)
  const head = columns.map(({ title }): Cell => ({ text: title, paint: 'quiet' }))
  return [head, ...rows].map((row) => line(row, { columns, widths, style })).join('\n')
}

function fittingWidths(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  room: number,
): number[] {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, cellWidth(row[at]?.text ?? '')), title.length),
  )
  let over = widths.reduce((sum, width) => sum + width, GAP * (columns.length - 1)) - room
  while (over > 0) {
    const at = widestThatShrinks(columns, widths)
    if (at === -1) break
    widths[at]! -= 1
    over -= 1
  }
  return widths
}

function widestThatShrinks(columns: readonly Column[], widths: readonly number[]): number {
  let found = -1
  for (const [at, { shrinksTo }] of columns.entries()) {
    if (shrinksTo === undefined || widths[at]! <= shrinksTo) continue
    if (found === -1 || widths[at]! > widths[found]!) found = at
  }
  return found
}

function line(
  row: readonly Cell[],
  { columns, widths, style }: { columns: readonly Column[]; widths: readonly number[]; style: Style },
): string {
  const cells = columns.map(({ align }, at) => {
    const { text = '', paint } = row[at] ?? {}
    const cut = cutTo(text, widths[at]!)
    const space = ' '.repeat(Math.max(0, widths[at]! - cellWidth(cut)))
    const painted = paint ? style.paint(paint, cut) : cut
    if (align === 'right') return space + painted
    return at === columns.length - 1 ? painted : painted + space
  })
  return cells.join(' '.repeat(GAP)).trimEnd()
}
