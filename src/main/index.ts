import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { app, safeStorage, session } from 'electron'
import { AppError } from '@shared/errors'
import { createApp } from './app'
import type { App } from './app'
import { SCHEMA_VERSION } from './db/migrate'
import { refuseNewer } from './db/version'
import { createBlockReport } from './electron/block-report'
import { readManifest } from './electron/bundle-manifest'
import { takeCrashMarker, writeCrashMarker } from './electron/crash-marker'
import { createDesktop } from './electron/desktop'
import { showStartError } from './electron/dialogs'
import { createLogFile } from './electron/log-file'
import { appPaths } from './electron/paths'
import type { AppPaths } from './electron/paths'
import { registerScheme, serveBundle } from './electron/protocol'
import { createPlainSecrets, createSecrets } from './electron/secrets'
import { lockSession, lockWebContents } from './electron/security'
import type { SecurityDeps } from './electron/security'
import { openShell } from './electron/shell'
import { setSwitches } from './electron/switches'
import { makeDataFolder } from './lib/data-folder'
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
  refuseNewerData(paths)
  try {
    makeDataFolder(paths.dataDir)
    makeDataFolder(paths.chromiumDir)
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

/** Before anything is written: Chromium's files too go elsewhere then. */
function refuseNewerData({ dataDir }: AppPaths): void {
  try {
    refuseNewer(join(dataDir, 'satchel.db'), SCHEMA_VERSION)
  } catch (error) {
    app.setPath('userData', mkdtempSync(join(tmpdir(), 'satchel-')))
    throw error
  }
}

async function start(paths: AppPaths): Promise<void> {
  const log = createLogFile({ dir: paths.logsDir, now: Date.now })
  watchProcess(paths, log)
  takeCrashMarker(paths.crashFile, log)
  const core = await createCore(paths, log)
  const onBlocked = lockDown(core, log)
  serveBundle(session.defaultSession, readManifest(paths.rendererDir))
  openShell({
    core,
    paths,
    log,
    onBlocked,
    isTest,
    asksBeforeQuit: !isTest || env['SATCHEL_TEST_ASK_QUIT'] === '1',
    tellsWaiting: !isTest || env['SATCHEL_TEST_TELL_WAITING'] === '1',
  })
}

function createCore(paths: AppPaths, log: Log): Promise<App> {
  const practiceDir = app.isPackaged ? undefined : env['SATCHEL_PRACTICE_DIR']
  // Only unpackaged: who starts Satchel from its source can change that too.
  const policyDir = !app.isPackaged && isTest ? env['SATCHEL_POLICY_DIR'] : undefined
  const wantsPlainSecrets = !app.isPackaged && isTest && env['SATCHEL_TEST_PLAIN_SECRETS'] === '1'
  return createApp({
    dataDir: paths.dataDir,
    ownsData: true,
    resourcesDir: paths.resourcesDir,
    homeDir: app.getPath('home'),
    env,
    asksLoginShell: !isTest && !isatty(0),
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
    ...(policyDir ? { policyDir } : {}),
  })
}

function lockDown(core: App, log: Log): SecurityDeps['onBlocked'] {
  const onBlocked = createBlockReport({ log, emit: (event) => core.emit(event), now: Date.now })
  lockWebContents(app, { onBlocked })
  app.on('session-created', (created) => lockSession(created, { onBlocked }))
  lockSession(session.defaultSession, { onBlocked })
  return onBlocked
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

async function giveUp(error: unknown): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => app.exit(1))
  await showStartError(error, isTest)
  app.exit(1)
}
