import { useEffect } from 'react'
import type { RefObject } from 'react'

/** Calls back when the element is on the screen, now or after scrolling. */
export function useOnScreen(element: RefObject<Element | null>, onSeen: () => void): void {
  useEffect(() => {
    if (!element.current) return undefined
    const watch = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) onSeen()
    })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [element, onSeen])
}
