/**
 * Gives the focus to the area that is shown: to its message box, or to its heading (`ux.md` 6: route change). Used too
 * when what had the focus before is gone.
 */
export function focusArea(): void {
  const main = document.querySelector('main')
  const target =
    main?.querySelector<HTMLElement>('[data-area-focus]') ?? main?.querySelector<HTMLElement>('h1[tabindex]')
  target?.focus()
}

/** What had the focus when the last context menu opened. */
let menuOpener: Element | null = null

/** To be called when a context menu opens: a dialog that one of its items opens gives the focus back there. */
export function rememberMenuOpener(): void {
  menuOpener = document.activeElement
}

/** What has the focus now; of an item of a menu, which goes when it is chosen, what had opened the menu. */
export function openerOfDialog(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]')
  if (!menu) return document.activeElement
  const button = document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return button ?? menuOpener
}

/** Gives the focus back to what had it; if that is gone, to the row of the list that Tab reaches, or to the area. */
export function focusBack(element: Element | null): void {
  if (element instanceof HTMLElement && element !== document.body) element.focus()
  if (document.activeElement === element && element !== document.body) return
  const row = element?.matches('[role="row"]') ? document.querySelector<HTMLElement>(REACHED_ROW) : null
  if (row) row.focus()
  else focusArea()
}

const REACHED_ROW = 'main [role="grid"] [role="row"][tabindex="0"]'
