import { defaultRangeExtractor } from '@tanstack/react-virtual'
import type { Range, Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect } from 'react'
import { loadOlder } from '../../stores/sessions'
import type { Turn } from './turns'

/** Older turns are fetched when so few known ones are left above the ones that are drawn. */
const AHEAD = 16

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

/** The turns that were drawn last: the first one that is wholly in view, and the indexes of all. */
interface Seen {
  first: { id: string; index: number; start: number } | null
  drawn: readonly number[]
}

/** What of a transcript was in view. */
export interface Place {
  last(): Seen
  remember(seen: Seen): void
}

export function createPlace(): Place {
  let known: Seen = { first: null, drawn: [] }
  return {
    last: () => known,
    remember: (seen) => {
      known = seen
    },
  }
}

/**
 * Which turns to draw. Where those above became more or fewer than was thought, the same ones as before, which have other
 * indexes now: they must not leave the page, and the focus with them, before `useKeepPlace` has scrolled to them.
 */
export function sameTurns(place: Place, { turns, before }: Pick<Drawn, 'before' | 'turns'>): RangeExtractor {
  const { first, drawn } = place.last()
  const at = first ? turns.findIndex(({ id }) => id === first.id) : -1
  const shift = first && at >= 0 ? before + at - first.index : 0
  if (shift === 0) return defaultRangeExtractor
  return ({ count }) => drawn.map((index) => index + shift).filter((index) => index >= 0 && index < count)
}

type RangeExtractor = (range: Range) => number[]

/** Keeps the first turn in view where it is when turns above it come, go or grow at their beginning. */
export function useKeepPlace(place: Place, { virtualizer, scroller, turns, before }: Drawn): void {
  useLayoutEffect(() => {
    const { first } = place.last()
    const at = turns.findIndex(({ id }) => id === first?.id)
    const start = at < 0 ? undefined : virtualizer.measurementsCache[before + at]?.start
    if (!scroller || !first || start === undefined || start === first.start) return
    scroller.scrollBy(0, start - first.start)
  }, [turns, before, scroller, virtualizer, place])
  useEffect(() => {
    const top = scroller?.scrollTop ?? 0
    const items = virtualizer.getVirtualItems()
    const item = items.find(({ index, start }) => index >= before && start >= top)
    const turn = item && turns[item.index - before]
    place.remember({
      first: item && turn ? { id: turn.id, index: item.index, start: item.start } : null,
      drawn: items.map(({ index }) => index),
    })
  })
}
