import { useEffect } from 'react'
import { focusArea } from '../ui/focus'

/**
 * Where what has the focus goes away with what it did (a problem that is mended, a message that is dismissed, the last
 * mark), the focus goes to the row of the list that Tab reaches, or to the heading; never to nowhere (`ux.md` 6).
 */
export function useFocusHome(): void {
  useEffect(() => {
    const lost = ({ target }: FocusEvent): void => {
      // Dialogs and menus give the focus back themselves.
      if (!(target instanceof HTMLElement) || target.closest('[role="dialog"], [role="menu"]')) return
      requestAnimationFrame(() => {
        if (!target.isConnected && document.activeElement === document.body) focusList()
      })
    }
    document.addEventListener('focusout', lost)
    return () => document.removeEventListener('focusout', lost)
  }, [])
}

/** The row that Tab reaches; one that is not drawn is left where it is. Without a list the heading of the area. */
export function focusList(): void {
  const grid = document.querySelector('main .skg')
  if (grid) grid.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus()
  else focusArea()
}
