/** Panes in the order F6 walks; one may lie inside another, whose own part is then what is left of it. */
const PANES = '[data-pane]'
const FOCUSABLE = 'a[href], button, input, textarea, select, [tabindex="0"]'

/**
 * Index of the pane to go to: the next in this direction that has something to focus, from the one that holds the
 * focus (-1: none). -1 if no other has.
 */
export function nextPane(focusable: readonly boolean[], current: number, step: 1 | -1): number {
  const count = focusable.length
  const start = current < 0 && step < 0 ? count : current
  for (let walked = 1; walked <= count; walked += 1) {
    const at = (start + step * walked + count * 2) % count
    if (at !== current && focusable[at]) return at
  }
  return -1
}

/** Moves the focus into the next or previous pane: to its main control, or to its first one. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>(PANES)]
  const targets = panes.map(targetOf)
  // Inner panes come after the one around them.
  const current = panes.findLastIndex((pane) => pane.contains(document.activeElement))
  const focusable = targets.map((target) => target !== undefined)
  targets[nextPane(focusable, current, step)]?.focus()
}

/** What F6 focuses in a pane: never something of a pane inside it, or out of sight. */
function targetOf(pane: HTMLElement): HTMLElement | undefined {
  const own = (selector: string) =>
    [...pane.querySelectorAll<HTMLElement>(selector)].find(
      (element) => element.closest(PANES) === pane && element.checkVisibility(),
    )
  return pane.matches('[data-pane-focus]') ? pane : (own('[data-pane-focus]') ?? own(FOCUSABLE))
}
