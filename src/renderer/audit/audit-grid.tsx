/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a grid of rows that act (APG): rows take the focus, and only those on screen are drawn */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { AuditEvent } from '@shared/domain/audit'
import { loadPage, PAGE, selectEntry, useAudit } from '../stores/audit'
import { showsInspector, togglePane, uiStore, useUi } from '../stores/ui'
import { useFocusRow } from '../ui/use-focus-row'
import { moveRow } from '../skills/list/grid-keys'
import { AuditRow } from './audit-row'
import { audit } from './strings'

const ROW_HEIGHT = 36
const HEAD_HEIGHT = 30
const OVERSCAN = 10
const CLASSES = [
  'audg-time',
  'audg-step',
  'audg-event',
  'audg-what',
  'audg-by',
  'audg-result',
  'audg-detail r',
]

/** The log, newest first; fetched in parts as they come on screen. Arrows move, Enter opens the entry. */
export function AuditGrid() {
  const { total, pages, selected, upTo } = useAudit((state) => state)
  const scroller = useRef<HTMLDivElement>(null)
  const rowAt: RowAt = (index) => pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  // oxlint-disable-next-line react/incompatible-library -- it re-renders by itself, nothing is memoised over it
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  })
  const items = virtualizer.getVirtualItems()
  usePages(items[0]?.index ?? 0, items.at(-1)?.index ?? 0, upTo)
  const focusRow = useFocusRow(scroller)
  const current = currentRow(items, rowAt, selected)
  const onKeyDown = gridKeys(rowAt, total, (index) => {
    virtualizer.scrollToIndex(index)
    focusRow(index)
  })
  return (
    <div
      ref={scroller}
      className="audg"
      role="grid"
      aria-label={audit.log}
      aria-rowcount={total + 1}
      aria-colcount={CLASSES.length}
      onKeyDown={onKeyDown}
    >
      <HeadRow />
      <div role="rowgroup" className="audg-rows" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <AuditRow
            key={index}
            event={rowAt(index)}
            index={index}
            top={start - HEAD_HEIGHT}
            current={index === current}
            selected={selected !== null && rowAt(index)?.seq === selected}
            onPick={open}
          />
        ))}
      </div>
    </div>
  )
}

/** The entry at a place of the list; undefined while it is fetched. */
type RowAt = (index: number) => AuditEvent | undefined

function HeadRow() {
  return (
    <div className="audg-row audg-head" role="row" aria-rowindex={1}>
      {CLASSES.map((name, n) => (
        <span key={name} role="columnheader" className={name}>
          {audit.columns[n] || <span className="sr">{audit.detail}</span>}
        </span>
      ))}
    </div>
  )
}

function gridKeys(rowAt: RowAt, total: number, go: (index: number) => void) {
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const from = Number((event.target as HTMLElement).dataset['index'] ?? 0)
    const opens = event.key === 'Enter' || event.key === ' '
    const next = moveRow(event.key, from, total)
    if (!opens && next === null) return
    event.preventDefault()
    if (next === null) return open(rowAt(from)?.seq)
    const seq = rowAt(next)?.seq
    if (seq !== undefined) selectEntry(seq)
    go(next)
  }
}

/** Chooses an entry and shows what it says. */
function open(seq: number | undefined): void {
  if (seq === undefined) return
  selectEntry(seq)
  if (!showsInspector(uiStore.getState())) togglePane('inspector')
}

/** The parts of what is on screen. */
function usePages(first: number, last: number, upTo: number): void {
  const room = useUi((state) => state.room)
  useEffect(() => {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) void loadPage(page)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another list means: fetch again
  }, [first, last, upTo, room])
}

/** The row that Tab reaches: the selected one where it is drawn, else the first that is. */
function currentRow(items: readonly { index: number }[], rowAt: RowAt, selected: number | null): number {
  const found = items.find(({ index }) => selected !== null && rowAt(index)?.seq === selected)
  return found?.index ?? items[0]?.index ?? 0
}
