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

/** Gives the focus back to what had it, or to the area if that is gone. */
export function focusBack(element: Element | null): void {
  if (element instanceof HTMLElement && element !== document.body) element.focus()
  if (document.activeElement !== element || element === document.body) focusArea()
}
