import { useEffect, useRef, type RefObject } from 'react'

/** Focuses a row by its place, now or once it is drawn. */
export function useFocusRow(scroller: RefObject<HTMLDivElement | null>): (index: number) => void {
  const wanted = useRef<number | null>(null)
  const tryFocus = (): void => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!row || wanted.current === null) return
    row.focus({ preventScroll: true })
    wanted.current = null
  }
  useEffect(tryFocus)
  return (index) => {
    wanted.current = index
    tryFocus()
  }
}
