import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { loadOlder } from '../stores/sessions'
import type { Turn } from './turns'

/** Older turns are fetched when so few known ones are left above the ones that are drawn. */
const AHEAD = 12

interface Drawn {
  virtualizer: Virtualizer<HTMLDivElement, Element>
  scroller: HTMLDivElement | null
  turns: readonly Turn[]
  /** Turns above them that are not fetched yet: they have their place, and nothing in it. */
  before: number
}

/** Fetches older turns before one scrolls to them. */
export function useOlder({ virtualizer, scroller, turns, before }: Drawn): void {
  useEffect(() => {
    if (before === 0 || !scroller) return
    // Right after opening, the end was scrolled to but not drawn yet.
    const isDrawn = Math.abs((virtualizer.scrollOffset ?? 0) - scroller.scrollTop) < scroller.clientHeight
    const first = virtualizer.getVirtualItems()[0]
    const isNear = isDrawn && first !== undefined && first.index < before + AHEAD
    // Until the beginning of a turn is known, what the person said last may be missing.
    if (isNear || turns.every(({ userId }) => userId === null)) loadOlder()
  })
}

/** Keeps the first turn in view where it is when turns above it come, go or grow at their beginning. */
export function useKeepPlace({ virtualizer, scroller, turns, before }: Drawn): void {
  const place = useRef<{ id: string; start: number } | null>(null)
  useLayoutEffect(() => {
    const at = turns.findIndex(({ id }) => id === place.current?.id)
    const start = at < 0 ? undefined : virtualizer.measurementsCache[before + at]?.start
    if (!scroller || !place.current || start === undefined || start === place.current.start) return
    scroller.scrollBy(0, start - place.current.start)
  }, [turns, before, scroller, virtualizer])
  useEffect(() => {
    const top = scroller?.scrollTop ?? 0
    const item = virtualizer.getVirtualItems().find(({ index, start }) => index >= before && start >= top)
    const turn = item && turns[item.index - before]
    place.current = item && turn ? { id: turn.id, start: item.start } : null
  })
}
