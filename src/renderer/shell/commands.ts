import type { Settings } from '@shared/domain/settings'
import type { PaletteEntry } from '../palette/find-entries'
import { arrangeCommands } from '../arranging/commands'
import { words as arranging } from '../arranging/strings'
import { words } from '../palette/palette-strings'
import { approvalsStore } from '../stores/approvals'
import { sessionsStore } from '../stores/sessions'
import { saveSettings, settingsStore } from '../stores/settings'
import { uiStore } from '../stores/ui'
import { isMac } from '../ui/keys'
import type { Shortcut } from '../ui/keys'
import { actions, guarded, isBusy } from './actions'
import { bindings } from './key-map'
import { shell } from './strings'

type ActionName = keyof typeof actions

/** Every action of the shell as a command, with its key (`ux.md` 2.5); those that can't be done now say why. */
export function commandList(): PaletteEntry[] {
  const names = (Object.keys(shell.commands) as ActionName[]).filter((name) => name !== 'palette')
  return [newSkillEntry(), ...names.map(actionEntry), ...THEMES.map(themeEntry)]
}

/** The key of an action on this system. */
export function shortcutOf(name: ActionName, mac = isMac()): Shortcut | undefined {
  return keysOf(actions[name], mac)
}

function keysOf(wanted: () => void, mac = isMac()): Shortcut | undefined {
  const system = mac ? 'mac' : 'other'
  return bindings.find(({ run, on }) => run === wanted && (on ?? system) === system)?.keys
}

function newSkillEntry(): PaletteEntry {
  const run = arrangeCommands.newSkill
  const shortcut = keysOf(run)
  return {
    id: 'command:newSkill',
    kind: 'command',
    name: arranging.newSkill,
    where: words.command,
    ...(shortcut ? { shortcut } : {}),
    actions: [{ label: words.run, run }],
  }
}

function actionEntry(name: ActionName): PaletteEntry {
  const shortcut = shortcutOf(name)
  const unavailable = REASONS[name]?.() ?? null
  return {
    id: `command:${name}`,
    kind: 'command',
    name: shell.commands[name],
    where: words.command,
    ...(shortcut ? { shortcut } : {}),
    ...(unavailable === null ? {} : { unavailable }),
    actions: [{ label: words.run, run: actions[name] }],
  }
}

/** Null: it can be done. */
const REASONS: Partial<Record<ActionName, () => string | null>> = {
  back: () => (uiStore.getState().back.length > 0 ? null : shell.nowhereBack),
  forward: () => (uiStore.getState().forward.length > 0 ? null : shell.nowhereForward),
  nextRequest: () => (approvalsStore.getState().pending.length > 0 ? null : shell.nothingWaiting),
  stop: () => {
    const { chat } = sessionsStore.getState()
    return chat && isBusy(chat.detail.state) ? null : shell.nothingToStop
  },
}

const THEMES: readonly Settings['theme'][] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

function themeEntry(theme: Settings['theme']): PaletteEntry {
  const on = settingsStore.getState().view?.settings.theme === theme
  return {
    id: `theme:${theme}`,
    kind: 'command',
    name: words.appearance(shell.themes[theme]),
    where: words.command,
    ...(on ? { hint: shell.chosen } : {}),
    actions: [{ label: words.run, run: () => void guarded(() => saveSettings({ theme })) }],
  }
}
