/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a grid of rows that act (APG): rows take the focus, and only those on screen are drawn */
import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useFocusRow } from '../ui/use-focus-row'
import { useNow } from '../ui/use-now'
import { moveRow, typeAhead } from './grid-keys'
import { SkillRow } from './grid-row'
import type { GridRow } from './grid-rows'
import type { Hits, SortBy } from './skill-filter'

export interface SkillGridProps {
  rows: readonly GridRow[]
  selected: string | null
  sort: SortBy
  hits: Hits | null
  /** The selected row takes the focus when the list appears: coming back from its page. */
  takeFocus: boolean
  /** All must stay the same functions: rows are only drawn again when something of them changed. */
  onSelect: (key: string) => void
  /** A click on a row. */
  onPick: (key: string) => void
  onOpen: (key: string) => void
  onToggle: (key: string) => void
  onSort: (sort: SortBy) => void
}

const ROW_HEIGHT = 52
const HEAD_HEIGHT = 30
/** Rows drawn above and below those on screen: with them at most 60 are in the page (ux.md 7). */
const OVERSCAN = 8
const TYPE_GAP_MS = 700
const COLUMNS: { label: string; sort: SortBy; className: string }[] = [
  { label: 'Skill', sort: 'name', className: 'skg-name' },
  { label: 'From', sort: 'order', className: 'skg-from' },
  { label: 'Status', sort: 'order', className: 'skg-status' },
  { label: 'Tokens', sort: 'tokens', className: 'r skg-tokens' },
  { label: 'Scripts / files', sort: 'files', className: 'r skg-files' },
  { label: 'Changed', sort: 'changed', className: 'r skg-changed' },
]

/** The list: arrows move, Enter opens, letters jump, left and right fold. The row has the focus, not its cells. */
export function SkillGrid(props: SkillGridProps) {
  const { rows, selected } = props
  const now = useNow(60_000)
  const scroller = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    rows.findIndex(({ skill }) => skill.key === selected),
  )
  // oxlint-disable-next-line react/incompatible-library -- it re-renders by itself, nothing is memoised over it
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  })
  const focusRow = useFocusRow(scroller)
  useStart(props, at, (index) => virtualizer.scrollToIndex(index, { align: 'center' }), focusRow)
  const onKeyDown = useGridKeys(props, at, (index) => {
    const key = rows[index]?.skill.key
    if (!key) return
    props.onSelect(key)
    virtualizer.scrollToIndex(index)
    focusRow(index)
  })
  return (
    <div
      ref={scroller}
      className="skg"
      role="grid"
      aria-label="Skills"
      aria-rowcount={rows.length + 1}
      aria-colcount={COLUMNS.length}
      onKeyDown={onKeyDown}
    >
      <HeadRow sort={props.sort} onSort={props.onSort} />
      <div role="rowgroup" className="skg-rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <RowAt
            key={rows[index]?.skill.key}
            {...props}
            index={index}
            at={at}
            now={now}
            top={start - HEAD_HEIGHT}
          />
        ))}
      </div>
    </div>
  )
}

function RowAt(props: SkillGridProps & { index: number; at: number; top: number; now: number }) {
  const { rows, index, selected } = props
  const row = rows[index]
  if (!row) return null
  return (
    <SkillRow
      {...row}
      index={index}
      current={index === props.at}
      selected={row.skill.key === selected}
      top={props.top}
      now={props.now}
      hit={props.hits?.get(row.skill.key)}
      onPick={props.onPick}
      onOpen={props.onOpen}
      onToggle={props.onToggle}
    />
  )
}

function HeadRow({ sort, onSort }: Pick<SkillGridProps, 'sort' | 'onSort'>) {
  return (
    <div className="skg-row skg-head" role="row" aria-rowindex={1}>
      {COLUMNS.map((column) => {
        const on = column.sort === sort && column.sort !== 'order'
        return (
          <span
            key={column.label}
            role="columnheader"
            className={column.className}
            aria-sort={on ? (sort === 'name' ? 'ascending' : 'descending') : undefined}
          >
            <button
              type="button"
              className={clsx('skg-sort', on && 'on')}
              onClick={() => onSort(on ? 'best' : column.sort)}
            >
              {column.label}
              {on && <span aria-hidden="true">{sort === 'name' ? ' ↑' : ' ↓'}</span>}
            </button>
          </span>
        )
      })}
    </div>
  )
}

/** Once, when the list appears: the selected row is on screen, and has the focus if it is wanted. */
function useStart(
  { selected, takeFocus }: SkillGridProps,
  at: number,
  scrollTo: (index: number) => void,
  focus: (index: number) => void,
): void {
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    if (selected !== null && at > 0) scrollTo(at)
    if (takeFocus) focus(at)
  })
}

function useGridKeys({ rows, onOpen, onToggle }: SkillGridProps, at: number, move: (index: number) => void) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    if (!(event.target as HTMLElement).matches('[role="row"]')) return
    const row = rows[at]
    if (row && event.key === 'Enter') return onOpen(row.skill.key)
    if (row && folds(row, event.key)) return onToggle(row.skill.key)
    const next = moveRow(event.key, at, rows.length) ?? jump(event)
    if (next === null) return
    event.preventDefault()
    move(next)
  }

  function jump(event: KeyboardEvent): number | null {
    if (event.key.length !== 1 || event.key === ' ' || event.key === '/') return null
    const fresh = event.timeStamp - typed.current.at > TYPE_GAP_MS
    typed.current = { text: (fresh ? '' : typed.current.text) + event.key, at: event.timeStamp }
    return typeAhead(
      rows.map(({ skill }) => skill.name),
      at,
      typed.current.text,
    )
  }
}

function folds({ children, open }: GridRow, key: string): boolean {
  return children > 0 && key === (open ? 'ArrowLeft' : 'ArrowRight')
}
