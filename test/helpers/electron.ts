import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, test as base, expect } from '@playwright/test'
import type { ElectronApplication, Page } from '@playwright/test'
import { testDisplays } from './displays'
import { readNetLog } from './net-log'
import type { NetworkUse } from './net-log'

/** Folder of the built app. */
export const APP_DIR = resolve(import.meta.dirname, '../..')

export interface LaunchOptions {
  /** HOME of the app; by default a new empty folder. Give `session.home` to start again. */
  home?: string
  /** SATCHEL_HOME; by default `home`/data, which does not exist at the first start. */
  dataDir?: string
  /** More environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>
  /** More arguments for the app. */
  args?: string[]
}

export interface LogEntry {
  time: string
  level: 'info' | 'warn' | 'error'
  message: string
  data?: Record<string, unknown>
}

/** A running app under Playwright. */
export interface Session {
  app: ElectronApplication
  page: Page
  home: string
  dataDir: string
  /** Of the main process. */
  pid: number
  netLog: string
  /** Quits as a person would, and waits until the process is gone. */
  close(): Promise<void>
  /** Ends the main process with SIGKILL and waits until it is gone. */
  kill9(): Promise<void>
  /** The app's log file. */
  logs(): LogEntry[]
  /** Errors of the page's console, of main's stderr and of the log that nobody has allowed. */
  problems(): string[]
  /** Says that problems matching this are expected. */
  allow(pattern: RegExp): void
  /** Keeps a picture of the window under test-results. */
  shot(name: string): Promise<void>
}

/** A running app without Playwright, which would open sockets of its own. */
export interface PlainSession {
  child: ChildProcess
  home: string
  dataDir: string
  netLog: string
  /** Everything written to stderr so far. */
  stderr(): string
  /** Exit code; null after a signal. */
  exited: Promise<number | null>
}

const isRoot = process.getuid?.() === 0
const PASSED_ON =
  /^(PATH|DISPLAY|XAUTHORITY|LANG|LC_ALL|TMPDIR|XDG_SESSION_TYPE|DBUS_SESSION_BUS_ADDRESS|SATCHEL_TEST_.*)$/
/** What Chromium, Playwright and the debugger print in every run. */
const NOISE =
  /^\[\d+:|^Debugger (listening|attached|ending)|^For help, see|^DevTools listening|^Waiting for the debugger|^$/

const temps: string[] = []

/** A new empty folder, removed after the test. */
export function tempDir(prefix = 'satchel-e2e-'): string {
  const dir = mkdtempSync(join(tmpdir(), prefix))
  temps.push(dir)
  return dir
}

/** Starts the built app in a fresh home and waits for its window. */
export async function launchSatchel(options: LaunchOptions = {}): Promise<Session> {
  const place = prepare(options)
  const problems: string[] = []
  const app = await _electron.launch({
    executablePath: electronPath(),
    args: [...electronArgs(place.netLog), APP_DIR, ...(options.args ?? [])],
    env: place.env,
    chromiumSandbox: !isRoot,
    timeout: START_LIMIT,
  })
  const child = app.process()
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  app.context().on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  app
    .context()
    .on('weberror', (error) => problems.push(`page: ${error.error().stack ?? error.error().message}`))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) if (!NOISE.test(line)) problems.push(`main: ${line}`)
  })
  const page = await app.firstWindow({ timeout: START_LIMIT }).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw new Error(`No window opened. ${problems.join('\n')}`, { cause: error })
  })
  await page.waitForURL('app://bundle/**', { timeout: START_LIMIT })
  return createSession({ app, page, exited, problems, ...place })
}

export interface PlainOptions extends LaunchOptions {
  /** Program and arguments that start Electron, such as setpriv. The Chromium sandbox is on then, also for root. */
  wrap?: string[]
  /** Another Electron, another built app. */
  electron?: string
  appDir?: string
  /** Switches for Chromium. */
  electronArgs?: string[]
}

/** Starts the built app as a person's desktop would. */
export function spawnSatchel(options: PlainOptions = {}): PlainSession {
  const place = prepare(options)
  const needsNoSandbox = isRoot && !options.wrap
  const command = [
    ...(options.wrap ?? []),
    options.electron ?? electronPath(),
    ...(needsNoSandbox ? ['--no-sandbox'] : []),
    ...electronArgs(place.netLog),
    ...(options.electronArgs ?? []),
    options.appDir ?? APP_DIR,
    ...(options.args ?? []),
  ]
  const child = spawn(command[0]!, command.slice(1), { env: place.env, stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
  const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  plain.push({ child, exited })
  return { child, home: place.home, dataDir: place.dataDir, netLog: place.netLog, stderr: () => text, exited }
}

/** What Chromium did on the network in a session that has ended. */
export function networkOf(session: Pick<Session, 'netLog'>): NetworkUse {
  return readNetLog(session.netLog)
}

/** Ends sessions that still run and removes the temporary folders. */
async function cleanUp(): Promise<void> {
  for (const session of open) await session.close()
  for (const { child, exited } of plain.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  }
  for (const dir of temps.splice(0))
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** Playwright's `test`, with a launcher whose apps end with the test, which fails on unexpected problems. */
export const test = base.extend<
  { launch: (options?: LaunchOptions) => Promise<Session> },
  { cleaning: undefined }
>({
  // Not an afterAll hook of this file: that would run before those of the tests, which still read the folders.
  cleaning: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from a pattern.
    async ({}, use, { parallelIndex }) => {
      const display = testDisplays()[parallelIndex]
      if (display !== undefined) process.env['DISPLAY'] = display
      await use(undefined)
      await cleanUp()
    },
    { scope: 'worker', auto: true },
  ],
  launch: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from a pattern.
    async ({}, use) => {
      const sessions: Session[] = []
      await use(async (options) => {
        const session = await launchSatchel(options)
        sessions.push(session)
        return session
      })
      for (const session of sessions) await session.close()
      const problems = sessions.flatMap((session) => session.problems())
      expect(problems, 'unexpected errors of the app').toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

const plain: Pick<PlainSession, 'child' | 'exited'>[] = []
const open = new Set<Session>()
/** Milliseconds that starting may take on a machine that reads Electron from a slow disk. */
const START_LIMIT = 60_000
/** Milliseconds that quitting may take; Satchel itself takes 3 s at most. */
const CLOSE_LIMIT = 20_000

interface Place {
  home: string
  dataDir: string
  netLog: string
  env: Record<string, string>
}

function prepare(options: LaunchOptions): Place {
  const home = options.home ?? tempDir()
  const dataDir = options.dataDir ?? join(home, 'data')
  const env: Record<string, string> = { HOME: home, SATCHEL_HOME: dataDir, SATCHEL_TEST: '1' }
  for (const [name, value] of Object.entries(process.env))
    if (value && PASSED_ON.test(name)) env[name] = value
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  const logs = join(home, 'net-logs')
  mkdirSync(logs, { recursive: true })
  return { home, dataDir, netLog: join(logs, `${Date.now()}-${process.hrtime.bigint()}.json`), env }
}

function electronArgs(netLog: string): string[] {
  return ['--disable-gpu', `--log-net-log=${netLog}`]
}

/** Path of the Electron executable that the test runner chose. */
export function electronPath(): string {
  const path = process.env['SATCHEL_ELECTRON_PATH']
  if (!path) throw new Error('SATCHEL_ELECTRON_PATH names no Electron. Start the tests with npm test.')
  return path
}

interface Started extends Omit<Place, 'env'> {
  app: ElectronApplication
  page: Page
  exited: Promise<void>
  problems: string[]
}

function createSession({ app, page, exited, problems, home, dataDir, netLog }: Started): Session {
  const allowed: RegExp[] = []
  const pid = app.process().pid!
  const logFile = join(dataDir, 'logs', 'satchel.log')
  const logs = (): LogEntry[] => (existsSync(logFile) ? parseLog(readFileSync(logFile, 'utf8')) : [])
  const session: Session = {
    app,
    page,
    home,
    dataDir,
    pid,
    netLog,
    logs,
    async close() {
      if (!open.delete(session)) return
      const killer = setTimeout(() => {
        problems.push(`main: did not quit within ${CLOSE_LIMIT} ms`)
        process.kill(pid, 'SIGKILL')
      }, CLOSE_LIMIT)
      await app.close()
      await exited
      clearTimeout(killer)
    },
    async kill9() {
      open.delete(session)
      process.kill(pid, 'SIGKILL')
      await exited
    },
    problems() {
      const logged = logs().filter((entry) => entry.level === 'error')
      const all = [...problems, ...logged.map((entry) => `log: ${JSON.stringify(entry)}`)]
      return all.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))
    },
    allow: (pattern) => void allowed.push(pattern),
    async shot(name) {
      await page.screenshot({ path: join(APP_DIR, 'test-results', 'shots', `${name}.png`) })
    },
  }
  open.add(session)
  return session
}

function parseLog(text: string): LogEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogEntry)
}
