import { app, BrowserWindow, Menu, nativeTheme, Notification, shell } from 'electron'
import { contract } from '@shared/ipc/contract'
import { serve } from '@shared/ipc/server'
import type { App } from '../app'
import type { Log } from '../lib/log'
import { askQuit, askReload } from './dialogs'
import { openPortGate } from './ipc-port'
import { menuTemplate, undoLabel } from './menu'
import type { MenuDeps } from './menu'
import type { AppPaths } from './paths'
import { createQuit } from './quit'
import { siteOf } from './security'
import type { SecurityDeps } from './security'
import { nativeThemeOf } from './theme'
import type { ThemePreference } from './theme'
import { tellWaiting } from './waiting-notices'
import { createMainWindow } from './window'
import type { MainWindow } from './window'

type LastChange = MenuDeps['lastChange']

export interface ShellDeps {
  core: App
  paths: AppPaths
  log: Log
  onBlocked: SecurityDeps['onBlocked']
  /** Nobody is there to answer a box. */
  isTest: boolean
  asksBeforeQuit: boolean
  /** Badge and notifications belong to the desktop. */
  tellsWaiting: boolean
}

/** Opens the window, the menu and the port onto the app, and sees to the way out. */
export function openShell(deps: ShellDeps): void {
  const { core, log } = deps
  const window = createWindow(deps)
  const state: { isLeaving: boolean; lastChange: LastChange } = { isLeaving: false, lastChange: null }
  const setTheme = (theme: ThemePreference) => {
    Promise.resolve(handlers['settings.set']({ theme })).catch((error: unknown) =>
      log.error('The theme was not saved', error),
    )
  }
  const drawMenu = () => setMenu(deps, setTheme, state.lastChange)
  const applyTheme = () => {
    nativeTheme.themeSource = nativeThemeOf(core.themePreference())
    window.repaint()
    drawMenu()
  }
  const handlers: App['handlers'] = {
    ...core.handlers,
    async 'settings.set'(input) {
      const view = await core.handlers['settings.set'](input)
      applyTheme()
      return view
    },
  }
  const gate = openPortGate({
    isOwnPage: (contents) => window.owns(contents),
    serve: (port) =>
      serve(contract, handlers, port, {
        // While the app closes, what a page has asked for may find the database closed.
        onInternalError: (name, error) =>
          state.isLeaving ? log.info(`${name} was not answered`) : log.error(`${name} failed`, error),
        checkOutput: !app.isPackaged,
      }),
    onRefused: (reason) => log.warn('Refused a port', { reason }),
  })
  const close = async () => {
    state.isLeaving = true
    await window.close()
    await gate.whenClosed()
    await core.close()
  }
  applyTheme()
  watchApp(deps, window, close)
  watchWaiting(deps, window)
  watchLastChange(deps, (last) => {
    state.lastChange = last
    drawMenu()
  })
  window.show()
}

function createWindow({ core, paths, log, onBlocked, isTest }: ShellDeps): MainWindow {
  return createMainWindow({
    preloadFile: paths.preloadFile,
    hasDevTools: !app.isPackaged,
    state: core.windowState,
    theme: () => core.themePreference(),
    log,
    onClose: process.platform === 'darwin' ? undefined : () => app.quit(),
    onStrayed: (url) => onBlocked('navigation', siteOf(url)),
    async onGivenUp(reason) {
      log.error(`The page died too often: ${reason}`)
      if (!isTest && (await askReload(reason))) return true
      app.quit()
      return false
    },
  })
}

function setMenu(
  { core, paths }: ShellDeps,
  setTheme: (theme: ThemePreference) => void,
  lastChange: LastChange,
): void {
  const template = menuTemplate({
    platform: process.platform,
    theme: core.themePreference(),
    lastChange,
    send: (name) => core.emit({ t: 'command', name }),
    setTheme,
    openLogs: () => void shell.openPath(paths.logsDir),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Changes that come together are looked at once, this many milliseconds after the first. */
const LOOK_AGAIN_MS = 300

/** The menu names what Undo would take back; it is told only when that is something else. */
function watchLastChange({ core, log }: ShellDeps, tell: (last: LastChange) => void): void {
  const ending = new AbortController()
  app.on('before-quit', () => ending.abort())
  let shown = ''
  const look = async (): Promise<void> => {
    const { last } = await core.handlers['arrange.last']({})
    const label = undoLabel(last)
    if (label !== shown) tell(last)
    shown = label
  }
  const failed = (error: unknown): void => {
    if (!ending.signal.aborted) log.error('What Undo would take back is not told any more', error)
  }
  const follow = async (): Promise<void> => {
    await look()
    let pending = false
    for await (const { t } of core.handlers['events']({}, ending.signal)) {
      if (t !== 'skills.changed' || pending) continue
      pending = true
      setTimeout(() => {
        pending = false
        if (!ending.signal.aborted) look().catch(failed)
      }, LOOK_AGAIN_MS)
    }
  }
  follow().catch(failed)
}

function watchWaiting({ core, tellsWaiting, log }: ShellDeps, window: MainWindow): void {
  if (!tellsWaiting) return
  const ending = new AbortController()
  app.on('before-quit', () => ending.abort())
  tellWaiting({
    events: core.handlers['events']({}, ending.signal),
    waiting: () => core.handlers['approvals.list']({}),
    isFocused: () => BrowserWindow.getFocusedWindow() !== null,
    setBadge: (count) => app.setBadgeCount(count),
    notify({ title, body, requestId }) {
      if (!Notification.isSupported()) return
      const note = new Notification({ title, body, silent: true })
      note.on('click', () => {
        window.show()
        core.emit({ t: 'command', name: 'go-to-next-request', requestId })
      })
      note.show()
    },
  }).catch(
    (error: unknown) => ending.signal.aborted || log.error('Waiting requests are not told any more', error),
  )
}

function watchApp(deps: ShellDeps, window: MainWindow, close: () => Promise<void>): void {
  const quit = createQuit({
    running: () => deps.core.running(),
    ask: (question) => (deps.asksBeforeQuit ? askQuit(question) : Promise.resolve(true)),
    close,
    exit: (code) => app.exit(code),
    onError: (message, error) => deps.log.error(message, error),
  })
  app.on('before-quit', (event) => {
    event.preventDefault()
    void quit()
  })
  // The arguments of the second instance are not looked at: nobody starts anything in this one from outside.
  app.on('second-instance', () => window.show())
  app.on('activate', () => window.show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  nativeTheme.on('updated', () => window.repaint())
}
