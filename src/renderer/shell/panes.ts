/** Panes in the order F6 walks: each carries `data-pane` and is focusable by script. */
const PANES = '[data-pane]'
const FOCUSABLE = 'a[href], button, input, textarea, select, [tabindex="0"]'

/** Index of the pane to go to, from the one that holds the focus (-1: none). */
export function nextPane(count: number, current: number, step: 1 | -1): number {
  if (count === 0) return -1
  if (current < 0) return step > 0 ? 0 : count - 1
  return (current + step + count) % count
}

/** Moves the focus into the next or previous pane: to its main control, or to its first one. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>(PANES)].filter(
    (pane) => pane.offsetParent !== null,
  )
  const current = panes.findIndex((pane) => pane.contains(document.activeElement))
  const pane = panes[nextPane(panes.length, current, step)]
  const target =
    pane?.querySelector<HTMLElement>('[data-pane-focus]') ?? pane?.querySelector<HTMLElement>(FOCUSABLE)
  target?.focus()
}
