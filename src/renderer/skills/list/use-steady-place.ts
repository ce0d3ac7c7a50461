import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { GridRow } from './grid-rows'
import { selectSkill } from '../tree/skills-place'

export interface SteadyPlace {
  scroller: RefObject<HTMLDivElement | null>
  rows: readonly GridRow[]
  rowHeight: number
  /** What the person asked for; where it is another, the list begins at its top. */
  asked: unknown
  show: (index: number) => void
}

/**
 * Changes on disk move nothing under the eyes or the hands of the person: the topmost row stays where it is, and the
 * focus stays on its row, or goes to the one that took its place.
 */
export function useSteadyPlace(place: SteadyPlace): void {
  const { scroller, rows, rowHeight, asked } = place
  const before = useRef({ rows, asked, rowHeight })
  useLayoutEffect(() => {
    const last = before.current
    before.current = { rows, asked, rowHeight }
    const element = scroller.current
    if (!element || last.rows === rows) return
    if (last.asked !== asked) element.scrollTo({ top: 0 })
    else if (last.rowHeight === rowHeight) {
      const moved = movedBy(last.rows, rows, Math.floor(element.scrollTop / rowHeight))
      if (moved !== 0) element.scrollBy({ top: moved * rowHeight })
    }
  })
  useKeptFocus(place)
}

/** How many places further down the row of `before` at this index is now; 0 where it is gone, or the list is at its top. */
export function movedBy(before: readonly GridRow[], now: readonly GridRow[], index: number): number {
  const key = before[index]?.skill.key
  if (index <= 0 || key === undefined || now[index]?.skill.key === key) return 0
  const next = now.findIndex(({ skill }) => skill.key === key)
  return next < 0 ? 0 : next - index
}

function useKeptFocus({ scroller, rows, show }: SteadyPlace): void {
  const focused = useFocusedRow(scroller)
  const seen = useRef(rows)
  useEffect(() => {
    if (seen.current === rows) return
    seen.current = rows
    const last = focused.current
    if (!last || document.activeElement !== document.body || rows.length === 0) return
    const now = rows.findIndex(({ skill }) => skill.key === last.key)
    const index = now < 0 ? Math.min(last.index, rows.length - 1) : now
    if (now < 0) selectSkill(rows[index]!.skill.key)
    show(index)
  })
}

interface FocusedRow {
  key: string
  index: number
}

/** The row that has the focus, or had it when it went away; null once the person took the focus elsewhere. */
function useFocusedRow(scroller: SteadyPlace['scroller']): RefObject<FocusedRow | null> {
  const focused = useRef<FocusedRow | null>(null)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const note = ({ target }: FocusEvent): void => {
      const row = (target as HTMLElement).closest<HTMLElement>('[role="row"][data-key]')
      focused.current = row && { key: row.dataset['key']!, index: Number(row.dataset['index']) }
    }
    const leave = ({ target }: FocusEvent): void => {
      requestAnimationFrame(() => {
        const left = (target as HTMLElement).isConnected && !element.contains(document.activeElement)
        if (left) focused.current = null
      })
    }
    element.addEventListener('focusin', note)
    element.addEventListener('focusout', leave)
    return () => {
      element.removeEventListener('focusin', note)
      element.removeEventListener('focusout', leave)
    }
  }, [scroller])
  return focused
}
