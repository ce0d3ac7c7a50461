import type { MenuItemConstructorOptions } from 'electron'
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
  send(command: MenuCommand): void
  setTheme(theme: ThemePreference): void
  openLogs(): void
}

const APPEARANCES: readonly { theme: ThemePreference; label: string }[] = [
  { theme: 'system', label: 'System' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
  { theme: 'hc-light', label: 'High contrast light' },
  { theme: 'hc-dark', label: 'High contrast dark' },
]

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' }

/** The native menu (`ux.md` 2.7), as far as the app has it. Without Reload and without developer tools. */
export function menuTemplate(deps: MenuDeps): MenuItemConstructorOptions[] {
  const isMac = deps.platform === 'darwin'
  return [
    ...(isMac ? [macAppMenu(deps)] : []),
    fileMenu(deps, isMac),
    editMenu(),
    viewMenu(deps),
    { label: '&Chat', submenu: [item(deps, 'Stop', 'stop', 'CmdOrCtrl+.')] },
    skillsMenu(deps),
    {
      label: '&Approvals',
      submenu: [
        item(deps, 'Go to next', 'go-to-next-request', 'CmdOrCtrl+Shift+A'),
        item(deps, 'Pause all agents', 'pause-agents', 'Alt+CmdOrCtrl+.'),
      ],
    },
    { role: 'window', submenu: [{ role: 'minimize' }, { role: 'zoom' }] },
    {
      label: '&Help',
      role: 'help',
      submenu: [
        item(deps, 'Keyboard shortcuts', 'shortcuts', 'CmdOrCtrl+/'),
        { label: 'Open logs folder', click: () => deps.openLogs() },
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
      item(deps, 'Settings…', 'settings', 'CmdOrCtrl+,'),
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
  const settings = item(deps, 'Settings', 'settings', 'CmdOrCtrl+,')
  return {
    label: '&File',
    submenu: [
      item(deps, 'New chat', 'new-chat', 'CmdOrCtrl+N'),
      item(deps, 'New skill…', 'new-skill', 'CmdOrCtrl+Shift+S'),
      item(deps, 'Open project…', 'open-project', 'CmdOrCtrl+O'),
      SEPARATOR,
      ...(isMac
        ? ([{ role: 'close' }] satisfies MenuItemConstructorOptions[])
        : ([settings, SEPARATOR, { role: 'quit' }] satisfies MenuItemConstructorOptions[])),
    ],
  }
}

function editMenu(): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      SEPARATOR,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'selectAll' },
    ],
  }
}

/** For the skill that is selected or open; the page says so where none is. */
function skillsMenu(deps: MenuDeps): MenuItemConstructorOptions {
  return {
    label: '&Skills',
    submenu: [
      item(deps, 'Duplicate…', 'skill-duplicate'),
      item(deps, 'Rename…', 'skill-rename'),
      item(deps, 'Move to…', 'skill-move'),
      item(deps, 'Copy to…', 'skill-copy'),
      item(deps, 'Delete', 'skill-delete'),
      SEPARATOR,
      item(deps, 'Undo last change of a skill folder', 'skill-undo'),
    ],
  }
}

function viewMenu(deps: MenuDeps): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      item(deps, 'Chats', 'area-chats', 'CmdOrCtrl+1'),
      item(deps, 'Skills', 'area-skills', 'CmdOrCtrl+2'),
      item(deps, 'Agents', 'area-agents', 'CmdOrCtrl+4'),
      item(deps, 'Audit', 'area-audit', 'CmdOrCtrl+6'),
      SEPARATOR,
      item(deps, 'Search…', 'palette', 'CmdOrCtrl+K'),
      SEPARATOR,
      item(deps, 'Sidebar', 'toggle-sidebar', 'CmdOrCtrl+B'),
      item(deps, 'Inspector', 'toggle-inspector', 'Alt+CmdOrCtrl+B'),
      SEPARATOR,
      { label: 'Appearance', submenu: APPEARANCES.map((choice) => appearanceItem(deps, choice)) },
      SEPARATOR,
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'resetZoom' },
      SEPARATOR,
      { role: 'togglefullscreen' },
    ],
  }
}

function appearanceItem(
  deps: MenuDeps,
  choice: { theme: ThemePreference; label: string },
): MenuItemConstructorOptions {
  return {
    id: `theme-${choice.theme}`,
    label: choice.label,
    type: 'radio',
    checked: deps.theme === choice.theme,
    click: () => deps.setTheme(choice.theme),
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
