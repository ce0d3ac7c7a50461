import { arrangeCommands } from '../arranging/commands'
import { matches } from '../ui/keys'
import type { KeyPress, Shortcut } from '../ui/keys'
import { actions } from './actions'
import { focusPane } from './panes'

export interface KeyBinding {
  keys: Shortcut
  run: () => void
  /** Only on this kind of system; both when left out. */
  on?: 'mac' | 'other'
}

/** The window's own keys (`ux.md` 2.6). None approves, none is a bare character. */
export const bindings: KeyBinding[] = [
  { keys: 'Mod+1', run: actions.areaChats },
  { keys: 'Mod+2', run: actions.areaSkills },
  { keys: 'Mod+3', run: actions.areaApprovals },
  { keys: 'Mod+4', run: actions.areaAgents },
  { keys: 'Mod+6', run: actions.areaAudit },
  { keys: 'Mod+,', run: actions.settings },
  { keys: 'Mod+K', run: actions.palette },
  { keys: 'Mod+Shift+P', run: actions.palette },
  { keys: 'Mod+/', run: actions.shortcuts },
  { keys: 'Mod+N', run: actions.newChat },
  { keys: 'Mod+Shift+S', run: arrangeCommands.newSkill },
  { keys: 'Mod+O', run: actions.openProject },
  { keys: 'Mod+B', run: actions.toggleSidebar },
  { keys: 'Mod+Alt+B', run: actions.toggleInspector },
  { keys: 'Mod+L', run: actions.focusComposer },
  { keys: 'Mod+.', run: actions.stop },
  { keys: 'Mod+Shift+A', run: actions.nextRequest },
  { keys: 'Mod+Alt+.', run: actions.pauseAgents },
  { keys: 'Mod+[', run: actions.back, on: 'mac' },
  { keys: 'Mod+]', run: actions.forward, on: 'mac' },
  { keys: 'Alt+ArrowLeft', run: actions.back, on: 'other' },
  { keys: 'Alt+ArrowRight', run: actions.forward, on: 'other' },
  { keys: 'F6', run: () => focusPane(1) },
  { keys: 'Shift+F6', run: () => focusPane(-1) },
]

/** The binding of a key press, if there is one. */
export function bindingFor(event: KeyPress, mac: boolean, list = bindings): KeyBinding | undefined {
  return list.find(
    (binding) =>
      (binding.on ?? (mac ? 'mac' : 'other')) === (mac ? 'mac' : 'other') &&
      matches(event, binding.keys, mac),
  )
}

/** Listens for the window's keys. While a dialog is open the keys belong to it. */
export function listenForKeys(mac: boolean): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('[role="dialog"]')) return
    const binding = bindingFor(event, mac)
    if (!binding) return
    event.preventDefault()
    binding.run()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}
