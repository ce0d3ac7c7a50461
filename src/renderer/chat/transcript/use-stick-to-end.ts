import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** This close to the end counts as being there. Pixels. */
const NEAR = 40

/** Measures of a scrolling box, at one moment. */
export interface ScrollState {
  top: number
  /** Height of the content. */
  full: number
  /** Height of the box. */
  view: number
}

/**
 * Whether the end should be kept in view after a scroll event. Only a move upwards by the person lets go: content
 * that shrinks also moves the position up, and says nothing about what the person wants.
 */
export function staysAtEnd(stuck: boolean, before: ScrollState, now: ScrollState): boolean {
  if (now.full - now.top - now.view <= NEAR) return true
  const movedUp = now.top < before.top - 1
  const shrank = now.full < before.full || now.view > before.view
  return movedUp && !shrank ? false : stuck
}

/** Scrolls a box to its end. */
export function scrollToEnd(box: HTMLElement | null): void {
  if (box) box.scrollTop = box.scrollHeight
}

/** Keeps the end of a growing box in view until the person scrolls up; `away` is true then. */
export function useStickToEnd() {
  // The box is state, not a ref: what is inside needs it, and is drawn before it is there.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  const [away, setAway] = useState(false)

  useLayoutEffect(() => scrollToEnd(scroller), [scroller])

  useEffect(() => {
    if (!scroller) return undefined
    let last = measure(scroller)
    const onScroll = () => {
      const now = measure(scroller)
      stuck.current = staysAtEnd(stuck.current, last, now)
      last = now
      setAway(!stuck.current)
    }
    const follow = () => {
      if (stuck.current) scrollToEnd(scroller)
      last = measure(scroller)
    }
    const observer = new ResizeObserver(follow)
    observer.observe(scroller)
    if (content.current) observer.observe(content.current)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [scroller])

  const toEnd = () => {
    stuck.current = true
    setAway(false)
    scrollToEnd(scroller)
  }
  return { scroller, setScroller, content, away, toEnd }
}

function measure(box: HTMLElement): ScrollState {
  return { top: box.scrollTop, full: box.scrollHeight, view: box.clientHeight }
}
