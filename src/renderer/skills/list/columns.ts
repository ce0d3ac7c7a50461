import { LIBRARY_COLUMNS } from '../../stores/library-look'
import type { LibraryColumn, LibraryLook } from '../../stores/library-look'
import type { SortBy } from './skill-filter'
import { listWords } from './list-strings'

export type Column = 'name' | LibraryColumn

export interface ColumnSpec {
  column: Column
  label: string
  sort: SortBy
  /** Numbers stand at the right. */
  end: boolean
}

export const COLUMNS: readonly ColumnSpec[] = [
  { column: 'name', label: listWords.columns.skill, sort: 'name', end: false },
  { column: 'from', label: listWords.columns.from, sort: 'order', end: false },
  { column: 'status', label: listWords.columns.status, sort: 'status', end: false },
  { column: 'tokens', label: listWords.columns.tokens, sort: 'tokens', end: true },
  { column: 'runs', label: listWords.columns.runsDays, sort: 'runs', end: true },
  { column: 'files', label: listWords.columns.scriptsFiles, sort: 'files', end: true },
  { column: 'changed', label: listWords.columns.changed, sort: 'changed', end: true },
]

const USUAL_WIDTH: Record<LibraryColumn, number> = {
  from: 92,
  status: 164,
  tokens: 88,
  runs: 116,
  files: 88,
  changed: 84,
}
/** What gives way first where there is no room; the status stays. */
const GIVES_WAY: readonly LibraryColumn[] = ['files', 'changed', 'runs', 'tokens', 'from']
const GAP = 12
const EDGES = 32
/** Of the column of names. */
const MIN_NAME = 170
const MIN_NAME_ALONE = 100

/** The columns that are shown in a list of this width, in their order. */
export function fitColumns(width: number, look: Pick<LibraryLook, 'hidden' | 'widths'>): readonly Column[] {
  const shown = new Set(LIBRARY_COLUMNS.filter((column) => !look.hidden.includes(column)))
  for (const column of GIVES_WAY) {
    const least = shown.size <= 2 ? MIN_NAME_ALONE : MIN_NAME
    if (takes(shown, look) + least <= width) break
    shown.delete(column)
  }
  return COLUMNS.map(({ column }) => column).filter((column) => column === 'name' || shown.has(column))
}

/** `grid-template-columns` of these columns. */
export function columnTemplate(columns: readonly Column[], look: Pick<LibraryLook, 'widths'>): string {
  return columns
    .map((column) => (column === 'name' ? 'minmax(0, 1fr)' : `${columnWidth(column, look)}px`))
    .join(' ')
}

export function columnWidth(column: LibraryColumn, { widths }: Pick<LibraryLook, 'widths'>): number {
  return widths[column] ?? USUAL_WIDTH[column]
}

function takes(shown: ReadonlySet<LibraryColumn>, look: Pick<LibraryLook, 'widths'>): number {
  return [...shown].reduce((sum, column) => sum + columnWidth(column, look) + GAP, EDGES)
}
