import type { MenuItemConstructorOptions } from 'electron'
import type { ArrangeDone } from '@shared/domain/arranging'
import { visibleLine } from '@shared/visible-text'
import { menu } from './menu-strings'
import type { ThemePreference } from './theme'

/** What a menu item asks the page to do; it arrives as the event `{ t: 'command', name }`. */
export type MenuCommand =
  | 'new-chat'
  | 'open-project'
  | 'new-skill'
  | 'skill-duplicate'
  | 'skill-rename'
  | 'skill-move'
  | 'skill-copy'
  | 'skill-delete'
  | 'skill-undo'
  | 'settings'
  | 'area-chats'
  | 'area-skills'
  | 'area-agents'
  | 'area-audit'
  | 'palette'
  | 'shortcuts'
  | 'toggle-sidebar'
  | 'toggle-inspector'
  | 'stop'
  | 'go-to-next-request'
  | 'pause-agents'

export interface MenuDeps {
  platform: NodeJS.Platform
  theme: ThemePreference
  /** The last change of a skill folder that can be taken back; null: there is none. */
  lastChange: Pick<ArrangeDone, 'kind' | 'name'> | null
  send(command: MenuCommand): void
  setTheme(theme: ThemePreference): void
  openLogs(): void
}

const APPEARANCES: readonly ThemePreference[] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' }

/** The native menu (`ux.md` 2.7), as far as the app has it. Without Reload and without developer tools. */
export function menuTemplate(deps: MenuDeps): MenuItemConstructorOptions[] {
  const isMac = deps.platform === 'darwin'
  return [
    ...(isMac ? [macAppMenu(deps)] : []),
    fileMenu(deps, isMac),
    editMenu(deps),
    viewMenu(deps),
    { label: menu.chat, submenu: [item(deps, menu.stop, 'stop', 'CmdOrCtrl+.')] },
    skillsMenu(deps),
    {
      label: menu.approvals,
      submenu: [
        item(deps, menu.next, 'go-to-next-request', 'CmdOrCtrl+Shift+A'),
        item(deps, menu.pauseAgents, 'pause-agents', 'Alt+CmdOrCtrl+.'),
      ],
    },
    { role: 'window', submenu: [{ role: 'minimize' }, { role: 'zoom' }] },
    {
      label: menu.help,
      role: 'help',
      submenu: [
        item(deps, menu.shortcuts, 'shortcuts', 'CmdOrCtrl+/'),
        { label: menu.openLogs, click: () => deps.openLogs() },
      ],
    },
  ]
}

function macAppMenu(deps: MenuDeps): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      SEPARATOR,
      item(deps, menu.settingsOnMac, 'settings', 'CmdOrCtrl+,'),
      SEPARATOR,
      { role: 'services' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      SEPARATOR,
      { role: 'quit' },
    ],
  }
}

function fileMenu(deps: MenuDeps, isMac: boolean): MenuItemConstructorOptions {
  const settings = item(deps, menu.settings, 'settings', 'CmdOrCtrl+,')
  return {
    label: menu.file,
    submenu: [
      item(deps, menu.newChat, 'new-chat', 'CmdOrCtrl+N'),
      item(deps, menu.newSkill, 'new-skill', 'CmdOrCtrl+Shift+S'),
      item(deps, menu.openProject, 'open-project', 'CmdOrCtrl+O'),
      SEPARATOR,
      ...(isMac
        ? ([{ role: 'close' }] satisfies MenuItemConstructorOptions[])
        : ([settings, SEPARATOR, { role: 'quit' }] satisfies MenuItemConstructorOptions[])),
    ],
  }
}

/** Undo of the text that is typed, and of the last change of a skill folder, which says what that was. */
function editMenu(deps: MenuDeps): MenuItemConstructorOptions {
  const { lastChange } = deps
  return {
    label: menu.edit,
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      {
        ...item(deps, undoLabel(lastChange), 'skill-undo'),
        enabled: lastChange !== null,
        toolTip: lastChange === null ? menu.nothingToUndo : '',
      },
      SEPARATOR,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'selectAll' },
    ],
  }
}

/** "Undo delete of sql-explain" (`ux.md` 2.7). */
export function undoLabel(last: MenuDeps['lastChange']): string {
  if (last === null) return menu.undo
  // An ampersand would mark a key.
  return menu.undoOf[last.kind](visibleLine(last.name).replaceAll('&', '&&'))
}

/** For the skill that is selected or open; the page says so where none is. */
function skillsMenu(deps: MenuDeps): MenuItemConstructorOptions {
  return {
    label: menu.skillsMenu,
    submenu: [
      item(deps, menu.duplicate, 'skill-duplicate'),
      item(deps, menu.rename, 'skill-rename'),
      item(deps, menu.move, 'skill-move'),
      item(deps, menu.copy, 'skill-copy'),
      item(deps, menu.remove, 'skill-delete'),
    ],
  }
}

function viewMenu(deps: MenuDeps): MenuItemConstructorOptions {
  return {
    label: menu.view,
    submenu: [
      item(deps, menu.chats, 'area-chats', 'CmdOrCtrl+1'),
      item(deps, menu.skills, 'area-skills', 'CmdOrCtrl+2'),
      item(deps, menu.agents, 'area-agents', 'CmdOrCtrl+4'),
      item(deps, menu.audit, 'area-audit', 'CmdOrCtrl+6'),
      SEPARATOR,
      item(deps, menu.search, 'palette', 'CmdOrCtrl+K'),
      SEPARATOR,
      item(deps, menu.sidebar, 'toggle-sidebar', 'CmdOrCtrl+B'),
      item(deps, menu.inspector, 'toggle-inspector', 'Alt+CmdOrCtrl+B'),
      SEPARATOR,
      { label: menu.appearance, submenu: APPEARANCES.map((theme) => appearanceItem(deps, theme)) },
      SEPARATOR,
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'resetZoom' },
      SEPARATOR,
      { role: 'togglefullscreen' },
    ],
  }
}

function appearanceItem(deps: MenuDeps, theme: ThemePreference): MenuItemConstructorOptions {
  return {
    id: `theme-${theme}`,
    label: menu.themes[theme],
    type: 'radio',
    checked: deps.theme === theme,
    click: () => deps.setTheme(theme),
  }
}

function item(
  deps: MenuDeps,
  label: string,
  command: MenuCommand,
  accelerator?: string,
): MenuItemConstructorOptions {
  const key = accelerator === undefined ? {} : { accelerator }
  return { id: command, label, ...key, click: () => deps.send(command) }
}
