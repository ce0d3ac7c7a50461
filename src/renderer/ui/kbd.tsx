import { shortcutLabel } from './keys'
import type { Shortcut } from './keys'

/** A shortcut for the eye; screen readers get it from `aria-keyshortcuts` of the control. */
export function Kbd({ keys }: { keys: Shortcut }) {
  return <kbd aria-hidden="true">{shortcutLabel(keys)}</kbd>
}
