import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from '@playwright/test'
import type { ElectronApplication, Page } from '@playwright/test'

/** A window under measurement. */
export interface MeasuredWindow {
  page: Page
  /** Proportional memory of all its processes in MB; null where the system does not tell. */
  memoryMb(): number | null
  /** Seconds of a core that all its processes have used. */
  cpuSeconds(): number
  close(): Promise<void>
}

/** Where the list, its rows and what opens and filters it are. */
export interface ListPlaces {
  open: string
  scroller: string
  row: string
  filter: string
}

const START_MS = 120_000
const isRoot = process.getuid?.() === 0

/** Builds the app as a release would be built, and says which Electron runs it. */
export function prepareApp(root: string): string {
  execFileSync('electron-vite', ['build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  return execFileSync(process.execPath, ['scripts/electron-runtime.mjs'], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
}

/** Satchel with these skills in its home; the data folder is new, or a copy of `data`. */
export async function openApp(
  electron: string,
  root: string,
  home: string,
  data?: string,
): Promise<MeasuredWindow> {
  const dataDir = mkdtempSync(join(tmpdir(), 'satchel-bench-data-'))
  if (data !== undefined) cpSync(data, join(dataDir, 'data'), { recursive: true })
  const app = await launch(electron, [root], { HOME: home, SATCHEL_HOME: join(dataDir, 'data') })
  const page = await app.firstWindow({ timeout: START_MS })
  await page.waitForURL('app://bundle/**', { timeout: START_MS })
  await sized(app)
  return measured(app, page, () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
}

/** The yardstick: a plain window with as many rows, or with another page. */
export async function openBare(
  electron: string,
  root: string,
  rows: number,
  file = '',
): Promise<MeasuredWindow> {
  const profile = mkdtempSync(join(tmpdir(), 'satchel-bench-bare-'))
  const args = [join(root, 'bench', 'bare-window', 'main.cjs'), `--user-data-dir=${profile}`]
  const app = await launch(electron, args, { BENCH_ROWS: String(rows), BENCH_PAGE: file })
  const page = await app.firstWindow({ timeout: START_MS })
  await sized(app)
  return measured(app, page, () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
}

function launch(
  executablePath: string,
  args: string[],
  env: Record<string, string>,
): Promise<ElectronApplication> {
  const passed = ['PATH', 'DISPLAY', 'XAUTHORITY', 'LANG', 'HOME'].flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return _electron.launch({
    executablePath,
    args: [...(isRoot ? ['--no-sandbox'] : []), ...args],
    env: { ...Object.fromEntries(passed), DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...env },
    chromiumSandbox: !isRoot,
    timeout: START_MS,
  })
}

/** Both sides have the same room. */
async function sized(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(1280, 800))
}

function measured(app: ElectronApplication, page: Page, clean: () => void): MeasuredWindow {
  const pid = app.process().pid!
  return {
    page,
    memoryMb: () => treeMemory(pid),
    cpuSeconds: () => treeOf(pid).reduce((sum, one) => sum + cpuOf(one), 0),
    async close() {
      await app.close()
      clean()
    },
  }
}

/** The start is over once a second costs less than a tenth of a core; that is waited for this long at most. */
const SETTLE_MS = 120_000
const QUIET = 0.1

/** Skills are still read and indexed for a while after they are listed. */
export async function untilQuiet(window: MeasuredWindow): Promise<void> {
  const end = performance.now() + SETTLE_MS
  let used = window.cpuSeconds()
  do {
    await window.page.waitForTimeout(1000)
    const now = window.cpuSeconds()
    if (now - used < QUIET) return
    used = now
  } while (performance.now() < end)
}

function treeMemory(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const kilobytes = treeOf(pid).reduce((sum, one) => sum + pssOf(one), 0)
  return kilobytes / 1000
}

function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : null
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const all = [pid]
  for (const one of all) all.push(...(children.get(one) ?? []))
  return all
}

function parentOf(pid: string): number | null {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return null // it has ended
  }
}

/** A hundredth of a second is one tick on every Linux that counts. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0 // it has ended
  }
}

function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0 // it has ended
  }
}
