import { mkdirSync } from 'node:fs'
import { app, Menu, nativeTheme, safeStorage, session, shell } from 'electron'
import { AppError } from '@shared/errors'
import { contract } from '@shared/ipc/contract'
import { serve } from '@shared/ipc/server'
import { createApp } from './app'
import type { App } from './app'
import { createBlockReport } from './electron/block-report'
import { readManifest } from './electron/bundle-manifest'
import { takeCrashMarker, writeCrashMarker } from './electron/crash-marker'
import { createDesktop } from './electron/desktop'
import { askQuit, askReload, showStartError } from './electron/dialogs'
import { openPortGate } from './electron/ipc-port'
import { createLogFile } from './electron/log-file'
import { menuTemplate } from './electron/menu'
import { appPaths } from './electron/paths'
import type { AppPaths } from './electron/paths'
import { registerScheme, serveBundle } from './electron/protocol'
import { createQuit } from './electron/quit'
import { createPlainSecrets, createSecrets } from './electron/secrets'
import { lockSession, lockWebContents, siteOf } from './electron/security'
import type { SecurityDeps } from './electron/security'
import { setSwitches } from './electron/switches'
import { nativeThemeOf } from './electron/theme'
import type { ThemePreference } from './electron/theme'
import { createMainWindow } from './electron/window'
import type { MainWindow } from './electron/window'
import type { Log } from './lib/log'

const { env } = process
/** Nobody is there to answer a box. */
const isTest = env['SATCHEL_TEST'] === '1'

// All of this must happen before the app is ready, so synchronously.
registerScheme()
setSwitches(app)
begin()

function begin(): void {
  try {
    const paths = preparePaths()
    if (!app.requestSingleInstanceLock()) {
      process.stderr.write('Satchel is open already; its window was brought to the front.\n')
      app.exit(0)
      return
    }
    app
      .whenReady()
      .then(() => start(paths))
      .catch(giveUp)
  } catch (error) {
    void app.whenReady().then(() => giveUp(error))
  }
}

/** Makes the data folder: Chromium and SQLite both need it to exist. */
function preparePaths(): AppPaths {
  const paths = appPaths({
    satchelHome: env['SATCHEL_HOME'],
    userData: app.getPath('userData'),
    appPath: app.getAppPath(),
    resourcesPath: process.resourcesPath,
    isPackaged: app.isPackaged,
  })
  try {
    mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 })
    mkdirSync(paths.chromiumDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError(
      'bad_input',
      `The data folder ${paths.dataDir} can not be made (${reason}). Free the place, or name another folder in SATCHEL_HOME.`,
    )
  }
  app.setPath('userData', paths.chromiumDir)
  return paths
}

async function start(paths: AppPaths): Promise<void> {
  const log = createLogFile({ dir: paths.logsDir, now: Date.now })
  watchProcess(paths, log)
  takeCrashMarker(paths.crashFile, log)
  const core = await createCore(paths, log)
  const onBlocked = lockDown(core, log)
  serveBundle(session.defaultSession, readManifest(paths.rendererDir))
  openMainWindow({ core, paths, log, onBlocked }).show()
}

function createCore(paths: AppPaths, log: Log): Promise<App> {
  const practiceDir = app.isPackaged ? undefined : env['SATCHEL_PRACTICE_DIR']
  const wantsPlainSecrets = !app.isPackaged && isTest && env['SATCHEL_TEST_PLAIN_SECRETS'] === '1'
  return createApp({
    dataDir: paths.dataDir,
    resourcesDir: paths.resourcesDir,
    homeDir: app.getPath('home'),
    env,
    workerFile: paths.workerFile,
    secrets: wantsPlainSecrets
      ? createPlainSecrets(safeStorage)
      : createSecrets(safeStorage, process.platform),
    desktop: createDesktop(Date.now),
    fetch: globalThis.fetch,
    now: Date.now,
    log,
    version: app.getVersion(),
    runtime: `Electron ${process.versions.electron}`,
    ...(practiceDir ? { practiceDir } : {}),
  })
}

function lockDown(core: App, log: Log): SecurityDeps['onBlocked'] {
  const onBlocked = createBlockReport({ log, emit: (event) => core.emit(event), now: Date.now })
  lockWebContents(app, { onBlocked })
  app.on('session-created', (created) => lockSession(created, { onBlocked }))
  lockSession(session.defaultSession, { onBlocked })
  return onBlocked
}

interface Shell {
  core: App
  paths: AppPaths
  log: Log
  onBlocked: SecurityDeps['onBlocked']
}

function openMainWindow({ core, paths, log, onBlocked }: Shell): MainWindow {
  const window = createMainWindow({
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
  const applyTheme = () => {
    nativeTheme.themeSource = nativeThemeOf(core.themePreference())
    window.repaint()
    buildMenu(core, paths, setTheme)
  }
  const handlers: App['handlers'] = {
    ...core.handlers,
    async 'settings.set'(input) {
      const view = await core.handlers['settings.set'](input)
      applyTheme()
      return view
    },
  }
  const setTheme = (theme: ThemePreference) => {
    Promise.resolve(handlers['settings.set']({ theme })).catch((error: unknown) =>
      log.error('The theme was not saved', error),
    )
  }
  applyTheme()
  openPortGate({
    isOwnPage: (contents) => window.owns(contents),
    serve: (port) =>
      serve(contract, handlers, port, {
        onInternalError: (name, error) => log.error(`${name} failed`, error),
        checkOutput: !app.isPackaged,
      }),
    onRefused: (reason) => log.warn('Refused a port', { reason }),
  })
  watchApp(core, window, log)
  return window
}

function buildMenu(core: App, paths: AppPaths, setTheme: (theme: ThemePreference) => void): void {
  const template = menuTemplate({
    platform: process.platform,
    theme: core.themePreference(),
    send: (name) => core.emit({ t: 'command', name }),
    setTheme,
    openLogs: () => void shell.openPath(paths.logsDir),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

function watchApp(core: App, window: MainWindow, log: Log): void {
  const asks = !isTest || env['SATCHEL_TEST_ASK_QUIT'] === '1'
  const quit = createQuit({
    running: () => core.running(),
    ask: (question) => (asks ? askQuit(question) : Promise.resolve(true)),
    close() {
      window.saveState()
      return core.close()
    },
    exit: (code) => app.exit(code),
    onError: (message, error) => log.error(message, error),
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

/** Failures that nobody caught: an exception ends the app, because nobody knows what state it left. */
function watchProcess(paths: AppPaths, log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('Uncaught exception', error)
    writeCrashMarker(paths.crashFile, error, Date.now())
    app.exit(1)
  })
  process.on('unhandledRejection', (reason) => log.error('Unhandled rejection', reason))
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') log.warn('A process of Chromium is gone', { type, reason })
  })
}

function giveUp(error: unknown): void {
  showStartError(error, isTest)
  app.exit(1)
}
