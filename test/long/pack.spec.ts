import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { compareWire, openFuses, unpackedFuses } from '../../scripts/lib/fuses.mjs'
import { makeUnpacked, markName, readWire, setFuses } from '../../scripts/lib/unpacked.mjs'
import { APP_DIR, electronPath, expect, tempDir, test } from '../helpers/electron'
import { openServerSockets, processTree } from '../helpers/process-tree'

/** `probe` is a script that leaves a mark when it runs. */
interface Attack {
  name: string
  env?: (probe: string) => Record<string, string>
  args?: (probe: string) => string[]
}

/** What a start came to, seen from outside. */
interface Seen {
  /** Code of the attacker's ran with the rights of the app. */
  ranCode: boolean
  /** A debugger said that it waits. */
  hasDebugger: boolean
  openedWindow: boolean
  /** Sockets that the app's processes listen on at the end. Before, the first start tries its sandbox on one. */
  listening: string[]
}

const nodeOptions: Attack = {
  name: 'NODE_OPTIONS=--require',
  env: (probe) => ({ NODE_OPTIONS: `--require=${probe}` }),
}
const attacks: Attack[] = [
  nodeOptions,
  {
    name: 'ELECTRON_RUN_AS_NODE=1',
    env: () => ({ ELECTRON_RUN_AS_NODE: '1' }),
    args: (probe) => [probe],
  },
  { name: '--inspect', args: () => ['--inspect=127.0.0.1:0'] },
  { name: '--remote-debugging-port', args: () => ['--remote-debugging-port=0'] },
]

const NO_SANDBOX = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const harmless: Seen = { ranCode: false, hasDebugger: false, openedWindow: true, listening: [] }
let packed = ''

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  packed = makeUnpacked({ electron: electronPath(), root: APP_DIR, into: tempDir() })
  copyFileSync(packed, beside('electron'))
  await setFuses(packed, unpackedFuses)
  await setFuses(beside('electron'), openFuses)
})

test('the folder says twice that it is not for release', () => {
  expect(basename(dirname(packed))).toMatch(/^satchel-.*-NOT-FOR-RELEASE$/)
  expect(readFileSync(beside(markName), 'utf8')).toContain('Not for release')
})

test('the fuse wire is the one of the list', async () => {
  const { differences, absent } = compareWire(await readWire(packed), unpackedFuses)
  expect(differences).toEqual([])
  // The fall-back Electron is older than this one.
  expect(absent.filter((name) => name !== 'WasmTrapHandlers')).toEqual([])
  expect(compareWire(await readWire(beside('electron')), unpackedFuses).differences).not.toEqual([])
})

test('the packed app opens its window, listens on nothing and runs nothing else', async () => {
  expect(await start(packed)).toEqual(harmless)
})

for (const attack of attacks) {
  test(`${attack.name} works where nothing stands against it`, async () => {
    const seen = await start(beside('electron'), attack)
    expect(seen.ranCode || (seen.hasDebugger && seen.listening.length > 0)).toBe(true)
  })

  test(`${attack.name} does nothing to the packed app`, async () => {
    expect(await start(packed, attack)).toEqual(harmless)
  })
}

test('of what stands against NODE_OPTIONS, the fuse alone is enough', async () => {
  // Electron itself ignores them in a program of any other name.
  rmSync(beside('electron'))
  linkSync(packed, beside('electron'))
  expect(await start(beside('electron'), nodeOptions)).toEqual(harmless)
})

function beside(name: string): string {
  return join(dirname(packed), name)
}

/** Starts an executable of the folder until its window is open, or it has ended, or an attack has worked. */
async function start(executable: string, attack: Partial<Attack> = {}): Promise<Seen> {
  const home = tempDir()
  const mark = join(home, 'probe-ran')
  const probe = join(home, 'probe.cjs')
  writeFileSync(probe, "require('node:fs').writeFileSync(process.env.SATCHEL_PROBE, '')\n")
  const log = join(home, 'data', 'logs', 'satchel.log')
  const { PATH, DISPLAY } = process.env
  const child = spawn(executable, [...(attack.args?.(probe) ?? []), ...NO_SANDBOX, '--disable-gpu'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH,
      DISPLAY,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      HOME: home,
      SATCHEL_HOME: join(home, 'data'),
      SATCHEL_TEST: '1',
      SATCHEL_PROBE: mark,
      ...attack.env?.(probe),
    },
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  const look = () => ({
    ranCode: existsSync(mark),
    hasDebugger: /(Debugger|DevTools) listening on/.test(errors),
    openedWindow: existsSync(log) && readFileSync(log, 'utf8').includes('The window is open'),
  })
  const isDecided = () => child.exitCode !== null || Object.values(look()).includes(true)
  await expect.poll(isDecided, { timeout: 60_000 }).toBe(true)
  const pids = processTree(child.pid!)
  const seen = { ...look(), listening: openServerSockets(pids) }
  for (const pid of pids) end(pid)
  await exited
  return seen
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its parent.
  }
}
