import { BrowserWindow, nativeTheme, screen } from 'electron'
import type { BrowserWindowConstructorOptions, Rectangle, WebContents } from 'electron'
import type { WindowState } from '@shared/domain/settings'
import type { Log } from '../lib/log'
import { MIN_HEIGHT, MIN_WIDTH, placeWindow } from './bounds'
import { ORIGIN, PAGE_URL } from './bundle-manifest'
import { describe } from './log-file'
import { reloadBudget } from './reload-budget'
import { backgroundOf } from './theme'
import type { ThemePreference } from './theme'
import { webPreferences } from './web-preferences'

export interface WindowDeps {
  preloadFile: string
  /** Developer tools and their shortcuts; never in a packaged app (EL-4). */
  hasDevTools: boolean
  state: { get(): WindowState | null; set(state: WindowState): void }
  theme(): ThemePreference
  log: Log
  /** Called instead of closing the window, where closing it means quitting; otherwise undefined. */
  onClose: (() => void) | undefined
  /** Called when the page has left for another address and is brought back. */
  onStrayed(url: string): void
  /** Called when the page died too often. True for loading it again. */
  onGivenUp(reason: string): Promise<boolean>
}

/** The app's window, which may be closed and opened again on macOS. */
export interface MainWindow {
  /** Opens it, or brings it to the front. */
  show(): void
  /** True for the page in it. */
  owns(contents: WebContents): boolean
  /** Closes it for good: the page sends what it has not saved yet, but is not waited for longer than 500 ms. */
  close(): Promise<void>
  /** Colours the window anew after the theme has changed. */
  repaint(): void
}

const SAVE_DELAY_MS = 400
const CLOSE_LIMIT_MS = 500

/** Keeps one window. */
export function createMainWindow(deps: WindowDeps): MainWindow {
  let window: BrowserWindow | undefined
  let isClosing = false
  const live = () => (window && !window.isDestroyed() ? window : undefined)
  return {
    show() {
      const open = live()
      if (open) focusWindow(open)
      else if (!isClosing) window = openWindow(deps, () => isClosing)
    },
    owns: (contents) => live()?.webContents === contents,
    async close() {
      isClosing = true
      const open = live()
      if (open) await closeInTime(open)
    },
    repaint: () => live()?.setBackgroundColor(backgroundOf(deps.theme(), nativeTheme)),
  }
}

/** Opens the window where it was last time and loads the page. It is shown when the page has painted. */
function openWindow(deps: WindowDeps, isClosing: () => boolean): BrowserWindow {
  const saved = deps.state.get()
  const window = new BrowserWindow(windowOptions(deps, placeWindow(saved, workAreas())))
  if (saved?.maximized) window.maximize()
  window.once('ready-to-show', () => {
    window.show()
    deps.log.info('The window is open', { sinceStartMs: Math.round(process.uptime() * 1000) })
  })
  keepState(window, deps)
  reloadAfterCrash(window, deps)
  bringBack(window, deps)
  window.on('close', (event) => {
    saveState(window, deps)
    if (!deps.onClose || isClosing()) return
    event.preventDefault()
    deps.onClose()
  })
  window.on('unresponsive', () => deps.log.warn('The page does not respond'))
  loadPage(window, deps)
  return window
}

function closeInTime(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => window.destroy(), CLOSE_LIMIT_MS)
    window.once('closed', () => {
      clearTimeout(limit)
      resolve()
    })
    window.close()
  })
}

function loadPage(window: BrowserWindow, deps: WindowDeps): void {
  if (window.isDestroyed()) return
  window.loadURL(PAGE_URL).catch((error: unknown) => deps.log.warn('The page did not load', describe(error)))
}

function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

function windowOptions(deps: WindowDeps, bounds: Rectangle): BrowserWindowConstructorOptions {
  return {
    ...bounds,
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: 'Satchel',
    backgroundColor: backgroundOf(deps.theme(), nativeTheme),
    webPreferences: webPreferences(deps.preloadFile, deps.hasDevTools),
  }
}

function workAreas(): readonly [Rectangle, ...Rectangle[]] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id)
  return [primary.workArea, ...others.map((display) => display.workArea)]
}

function saveState(window: BrowserWindow, deps: WindowDeps): void {
  if (window.isDestroyed() || window.isMinimized()) return
  try {
    const maximized = window.isMaximized()
    const bounds = maximized || window.isFullScreen() ? window.getNormalBounds() : window.getBounds()
    deps.state.set({ ...bounds, maximized })
  } catch (error) {
    // The place of a window is not worth failing for: this runs on the way out too.
    deps.log.warn('The place of the window was not saved', { error: String(error) })
  }
}

function keepState(window: BrowserWindow, deps: WindowDeps): void {
  let timer: NodeJS.Timeout | undefined
  const saveSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => saveState(window, deps), SAVE_DELAY_MS)
  }
  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('closed', () => clearTimeout(timer))
}

function reloadAfterCrash(window: BrowserWindow, deps: WindowDeps): void {
  const mayReload = reloadBudget(Date.now)
  const recover = async (reason: string) => {
    const isWanted = mayReload() || (await deps.onGivenUp(reason))
    if (isWanted) loadPage(window, deps)
  }
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    deps.log.warn('The page is gone', { reason, exitCode })
    // Not inside the event: Chromium is still taking the old process apart.
    if (reason !== 'clean-exit') setImmediate(() => void recover(reason))
  })
}

/** Electron asks nobody before it goes to an `about:` address (no `will-navigate`): the page is loaded again after it. */
function bringBack(window: BrowserWindow, deps: WindowDeps): void {
  const comeBack = (url: string) => {
    deps.onStrayed(url)
    setImmediate(() => loadPage(window, deps))
  }
  window.webContents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument && url.startsWith('about:')) comeBack(url)
  })
  window.webContents.on('did-navigate', (_event, url) => {
    if (!url.startsWith(`${ORIGIN}/`) && !url.startsWith('about:')) comeBack(url)
  })
}
