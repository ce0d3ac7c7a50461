import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { armed, armedAt } from './arming'
import type { ArmingInput } from './arming'
import { inputClock } from './input-clock'

export interface Arming {
  /** For drawing: the buttons look ready. */
  ready: boolean
  /** Rises whenever the waiting starts anew: restarts the fill line. */
  round: number
  /** The check that counts, at the moment of a click or key press. */
  mayAct: (event: { detail?: number }) => boolean
}

/**
 * Arms the buttons of one request. `identity` changes when another request is shown, `revision` when this one
 * changed. Both start the delay anew, as do focus, moving on the screen, and keys (`arming.ts`).
 */
export function useArmed(
  area: RefObject<HTMLElement | null>,
  identity: string,
  revision: string,
  armDelayMs: number,
): Arming {
  const shown = useRef<Shown>({ identity: '', revision: '', shownAt: 0, changedAt: 0, shiftedAt: 0 })
  const [view, setView] = useState({ ready: false, round: 0 })

  useEffect(() => {
    const now = performance.now()
    const last = shown.current
    if (last.identity !== identity) {
      shown.current = { identity, revision, shownAt: now, changedAt: now, shiftedAt: now }
    } else if (last.revision !== revision) shown.current = { ...last, revision, changedAt: now }

    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = (): void => {
      clearTimeout(timer)
      const at = armedAt(moments(shown.current, inputClock().read().lastKeyAt, armDelayMs))
      const wait = at - performance.now()
      const ready = wait <= 0
      setView((old) => (old.ready === ready ? old : { ready, round: ready ? old.round : old.round + 1 }))
      if (!ready && Number.isFinite(at)) timer = setTimeout(settle, wait + 1)
    }
    const moved = watchMoves(area, () => {
      shown.current = { ...shown.current, shiftedAt: performance.now() }
      settle()
    })
    const stop = inputClock().subscribe(settle)
    settle()
    return () => {
      clearTimeout(timer)
      stop()
      moved()
    }
  }, [area, identity, revision, armDelayMs])

  const mayAct = useCallback(
    (event: { detail?: number }): boolean => {
      const clock = inputClock().read()
      // A click that a key made has no detail: that key itself does not count.
      const keyAt = (event.detail ?? 0) > 0 ? clock.lastKeyAt : clock.keyBeforeAt
      return armed({ ...moments(shown.current, keyAt, armDelayMs), now: performance.now() })
    },
    [armDelayMs],
  )
  return { ...view, mayAct }
}

interface Shown {
  identity: string
  revision: string
  shownAt: number
  changedAt: number
  shiftedAt: number
}

function moments(shown: Shown, keyAt: number | undefined, armDelayMs: number): ArmingInput {
  const clock = inputClock().read()
  const { shownAt, changedAt, shiftedAt } = shown
  return {
    shownAt,
    changedAt,
    shiftedAt,
    armDelayMs,
    composing: clock.composing,
    ...(clock.focusAt === undefined ? {} : { focusAt: clock.focusAt }),
    ...(clock.closedAt === undefined ? {} : { closedAt: clock.closedAt }),
    ...(keyAt === undefined ? {} : { lastKeyAt: keyAt }),
  }
}

interface LayoutShift extends PerformanceEntry {
  sources?: { node?: Node | null }[]
}

function isButtonIn(area: HTMLElement, node: Node): boolean {
  return node instanceof HTMLButtonElement && area.contains(node)
}

/** Calls back when the area, or something around it, jumps on the screen or changes its size. */
function watchMoves(area: RefObject<HTMLElement | null>, onMove: () => void): () => void {
  const element = area.current
  if (!element) return () => undefined
  let first = true
  const size = new ResizeObserver(() => {
    if (!first) onMove()
    first = false
  })
  size.observe(element)
  const shifts = new PerformanceObserver((list) => {
    const touches = (node: Node | null | undefined): boolean =>
      node ? node.contains(element) || isButtonIn(element, node) : false
    const entries = list.getEntries() as LayoutShift[]
    if (entries.some((entry) => (entry.sources ?? []).some((source) => touches(source.node)))) onMove()
  })
  shifts.observe({ type: 'layout-shift' })
  return () => {
    size.disconnect()
    shifts.disconnect()
  }
}
