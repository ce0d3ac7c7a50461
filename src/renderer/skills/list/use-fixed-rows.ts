import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'

/** A list whose rows are all equally high, in pixels. */
export interface FixedList {
  scroller: RefObject<HTMLElement | null>
  count: number
  rowHeight: number
  /** What stays at the top while rows pass below it. */
  headHeight: number
  /** Rows drawn above and below those on screen. */
  overscan: number
}

/** Which rows are drawn, and the way to one of them. */
export interface FixedRows {
  start: number
  end: number
  /** Scrolls as little as is needed, or so that the row is in the middle. */
  scrollTo: (index: number, place?: 'nearest' | 'centre') => void
}

/** Rows on screen: the first, and how many have room. */
export interface Seen {
  first: number
  room: number
}

/** The rows of a long list that are drawn. With equal heights nothing is kept for those that are not, however many. */
export function useFixedRows({ scroller, count, rowHeight, headHeight, overscan }: FixedList): FixedRows {
  const [seen, setSeen] = useState<Seen>({ first: 0, room: 0 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const look = (): void => setSeen((last) => seenIn(element, { rowHeight, headHeight }, last))
    look()
    // At once, so that no frame shows the list without its rows.
    const scrolled = (): void => flushSync(look)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [scroller, rowHeight, headHeight])
  const scrollTo: FixedRows['scrollTo'] = (index, place = 'nearest') => {
    const element = scroller.current
    if (!element) return
    const room = element.clientHeight - headHeight
    const { scrollTop } = element
    const top = index * rowHeight
    if (place === 'centre') element.scrollTo({ top: top - (room - rowHeight) / 2 })
    else if (top < scrollTop) element.scrollTo({ top })
    else if (top + rowHeight > scrollTop + room) element.scrollTo({ top: top + rowHeight - room })
    setSeen((last) => seenIn(element, { rowHeight, headHeight }, last))
  }
  return { ...drawnRows(seen, count, overscan), scrollTo }
}

/** The same object while the same rows are on screen. */
function seenIn(
  element: HTMLElement,
  { rowHeight, headHeight }: Pick<FixedList, 'rowHeight' | 'headHeight'>,
  last: Seen,
): Seen {
  const first = Math.floor(element.scrollTop / rowHeight)
  const room = Math.ceil((element.clientHeight - headHeight) / rowHeight) + 1
  return last.first === first && last.room === room ? last : { first, room }
}

/** From and up to which row is drawn. A list that got shorter shows its end until it is scrolled. */
export function drawnRows(
  { first, room }: Seen,
  count: number,
  overscan: number,
): Pick<FixedRows, 'start' | 'end'> {
  const top = Math.max(0, Math.min(first, count - room))
  return { start: Math.max(0, top - overscan), end: Math.min(count, top + room + overscan) }
}
