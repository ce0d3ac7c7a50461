/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the head of a grid of rows (APG) */
import { clsx } from 'clsx'
import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { resizeColumn, useLibraryLook } from '../../stores/library-look'
import type { LibraryColumn } from '../../stores/library-look'
import { announce } from '../../ui/announce'
import { COLUMNS, columnWidth } from './columns'
import type { Column, ColumnSpec } from './columns'
import { library } from '../library-strings'
import type { SortBy, Sorting } from './skill-filter'
import { ASCENDS, nextSorting } from './skill-filter'

const STEP = 16

export interface GridHeadProps {
  columns: readonly Column[]
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}

/** Sorts by a column; Shift with the arrows, or the pointer at its edge, changes its width. */
export function GridHead({ columns, sorting, onSort }: GridHeadProps) {
  return (
    <div className="skg-row skg-head" role="row" aria-rowindex={1}>
      {COLUMNS.filter(({ column }) => columns.includes(column)).map((spec) => (
        <HeadCell key={spec.column} spec={spec} sorting={sorting} onSort={onSort} />
      ))}
    </div>
  )
}

function HeadCell({ spec, sorting, onSort }: Omit<GridHeadProps, 'columns'> & { spec: ColumnSpec }) {
  const { column, label, sort, end } = spec
  const on = sorting.sort === sort
  const up = ASCENDS[sort] !== sorting.reversed
  const onKeyDown = useWidthKeys(column, label)
  return (
    <span
      role="columnheader"
      className={clsx('skg-th', end && 'r')}
      aria-sort={on ? (up ? 'ascending' : 'descending') : undefined}
    >
      {column !== 'name' && <Edge column={column} />}
      <button
        type="button"
        className={clsx('skg-sort', on && 'on')}
        title={column === 'name' ? library.sortHint : library.sortAndWidthHint}
        onClick={() => onSort(nextSorting(sorting, sort))}
        onKeyDown={onKeyDown}
      >
        {label}
        {on && <span aria-hidden="true">{up ? ' ↑' : ' ↓'}</span>}
      </button>
    </span>
  )
}

/** The name of what the rows are sorted by. */
export function sortLabel(sort: SortBy): string {
  if (sort === 'best') return library.bestMatch
  return sort === 'order' ? library.resolutionOrder : COLUMNS.find((spec) => spec.sort === sort)!.label
}

function useWidthKeys(column: Column, label: string) {
  const look = useLibraryLook()
  return (event: KeyboardEvent): void => {
    if (column === 'name' || !event.shiftKey) return
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const width = columnWidth(column, look) + (event.key === 'ArrowRight' ? STEP : -STEP)
    resizeColumn(column, width)
    announce(library.widthOf(label, width))
  }
}

/** The edge at which a column is made wider; keys do the same from its name. */
function Edge({ column }: { column: LibraryColumn }) {
  const look = useLibraryLook()
  const drag = useRef<{ x: number; width: number }>(undefined)
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: columnWidth(column, look) }
  }
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    if (drag.current) resizeColumn(column, drag.current.width + drag.current.x - clientX)
  }
  const onPointerUp = (): void => {
    drag.current = undefined
  }
  return (
    <span
      className="skg-edge"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
    />
  )
}
