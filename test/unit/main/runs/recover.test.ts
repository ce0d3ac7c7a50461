import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../../../src/main/db/open'
import type { Db } from '../../../../src/main/db/open'
import { sha256 } from '../../../../src/main/lib/hash'
import { descendantsOf, nameOf, processesOfRuns } from '../../../../src/main/runs/process-tree'
import { createRuns } from '../../../../src/main/runs/service'
import type { RunsDeps } from '../../../../src/main/runs/types'
import { createBench } from './harness'
import type { HostAnswer } from './host'

const REPO = resolve(import.meta.dirname, '../../../..')
const NOBODY = 65534
let built: string
let dir: string
const children: ChildProcess[] = []

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'host-'))
  await build({
    configFile: false,
    root: REPO,
    logLevel: 'silent',
    resolve: { alias: { '@shared': join(REPO, 'src/shared') } },
    build: {
      ssr: join(import.meta.dirname, 'host.ts'),
      outDir: built,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: {
        external: ['node-pty', 'better-sqlite3'],
        output: { format: 'cjs', entryFileNames: 'host.cjs' },
      },
    },
  })
  chmodSync(built, 0o755)
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'recover-')))
  chmodSync(dir, 0o755)
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

function prepare(text: string, owner?: number): string[] {
  const digest = sha256(text)
  const snapshot = join(dir, 'data/snapshots', digest)
  mkdirSync(snapshot, { recursive: true })
  const file = join(snapshot, 'a.sh')
  writeFileSync(file, text)
  mkdirSync(join(dir, 'workspace'))
  if (owner !== undefined)
    for (const path of [dir, join(dir, 'data'), join(dir, 'workspace')]) chownSync(path, owner, owner)
  return [join(dir, 'data'), join(dir, 'workspace'), file]
}

const ENV = { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_PATH: join(REPO, 'node_modules') }

/** Starts the host with a script that never ends, waits until both its runs are ready, and kills it. */
async function killedHost(
  text: string,
  ready: (data: string, pid: number) => Promise<boolean> | boolean = (data) => loggedRuns(data) >= 2,
): Promise<string[]> {
  const [data = '', workspace = '', file = ''] = prepare(text)
  const child = spawn(process.execPath, [join(built, 'host.cjs'), data, workspace, 'kill-me', file], {
    env: ENV,
    stdio: 'ignore',
  })
  children.push(child)
  while (!(await ready(data, child.pid!))) {
    if (child.exitCode !== null) throw new Error('the host ended early')
    await new Promise((done) => setImmediate(done))
  }
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await gone
  const db = openDb(join(data, 'satchel.db'))
  const ids = (db.sql.prepare('SELECT id FROM runs').all() as { id: string }[]).map(({ id }) => id)
  db.close()
  return ids
}

/** Runs whose output has reached the disk. */
function loggedRuns(data: string): number {
  const folder = join(data, 'runs')
  if (!existsSync(folder)) return 0
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
  return logs.filter((name) => readFileSync(join(folder, name), 'utf8').includes('one')).length
}

const recoveryDeps = (db: Db): RunsDeps => ({
  db,
  dataDir: join(dir, 'data'),
  env: {},
  snapshotDir: (digest) => digest,
  verifySnapshot: async () => true,
  audit: () => undefined,
  now: () => 42,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  changed: () => undefined,
  runAsRoot: true,
})

const ESCAPIST = `
trap '' HUP TERM INT QUIT
setsid sleep 300 & ( setsid sleep 300 & ) & nohup sleep 300 >/dev/null 2>&1 &
echo evil > .envrc
echo one
while :; do sleep 300; done
`

/** True when nothing of these runs is left; waits against hanging only. */
async function allGone(ids: string[]): Promise<boolean> {
  const end = performance.now() + 20_000
  while (processesOfRuns(new Set(ids)).length > 0) {
    if (performance.now() > end) return false
    await new Promise((done) => setImmediate(done))
  }
  return true
}

describe('after the app was killed', () => {
  test('no process of two running scripts is left, whatever they did to stay', async () => {
    const ids = await killedHost(ESCAPIST)
    expect(ids).toHaveLength(2)
    expect(await allGone(ids)).toBe(true)
  })

  test('no sandbox is left that was only being made', async () => {
    const home = dir
    for (const wait of [0, 1, 2, 4, 8, 12]) {
      dir = join(home, String(wait))
      mkdirSync(dir)
      const ids = await killedHost(ESCAPIST, async (data, pid) => {
        const begun = existsSync(join(data, 'runs')) && readdirSync(join(data, 'runs')).length > 0
        if (!begun || !descendantsOf(pid).some((one) => nameOf(one) === 'bwrap')) return false
        await new Promise((done) => setTimeout(done, wait))
        return true
      })
      expect(ids.length).toBeGreaterThan(0)
      expect(await allGone(ids), `killed ${wait} ms after the sandbox began`).toBe(true)
    }
    dir = home
  })

  test('the next start marks the runs, keeps their output and removes what they left', async () => {
    const ids = await killedHost(ESCAPIST)
    expect(readdirSync(join(dir, 'workspace')).length).toBeGreaterThan(5)
    const db = openDb(join(dir, 'data/satchel.db'))
    try {
      const told: unknown[] = []
      const runs = createRuns({ ...recoveryDeps(db), audit: ({ data }) => told.push(data['status']) })
      expect((await runs.recover()).toSorted()).toEqual(ids.toSorted())
      expect(runs.get(ids[0]!)).toMatchObject({ status: 'interrupted', endedAt: 42 })
      expect(told).toEqual(['interrupted', 'interrupted'])
      expect(readdirSync(join(dir, 'data/runs')).every((name) => name.endsWith('.log'))).toBe(true)
      expect(readdirSync(join(dir, 'workspace'))).toEqual([])
      let text = ''
      for await (const chunk of runs.output(ids[0]!, 0, new AbortController().signal))
        text += chunk.channel === 'out' ? chunk.data : ''
      expect(text).toBe('one\n')
      expect(await runs.recover()).toEqual([])
    } finally {
      db.close()
    }
  })

  test('what a person makes until the next start is theirs, what the script made is not', async () => {
    const [id = ''] = await killedHost(
      'mkdir -p mine theirs/.git; echo evil > theirs/.git/config; echo one; while :; do sleep 300; done',
    )
    const [workspace, folder] = [join(dir, 'workspace'), join(dir, 'data/runs')]
    const killed = (run: string) => existsSync(join(folder, run, 'err.killed'))
    while (!readdirSync(folder).every((name) => name.endsWith('.log') || killed(name)))
      await new Promise((done) => setImmediate(done))
    mkdirSync(join(workspace, 'mine/.git'))
    const db = openDb(join(dir, 'data/satchel.db'))
    try {
      await createRuns(recoveryDeps(db)).recover()
      expect(readdirSync(join(workspace, 'mine'))).toEqual(['.git'])
      expect(readdirSync(join(workspace, 'theirs'))).toEqual([])
      expect(existsSync(join(folder, id))).toBe(false)
    } finally {
      db.close()
    }
  })

  test('what it printed on both channels is kept and counted, read or not when the app died', async () => {
    const [id = ''] = await killedHost(`echo two >&2; echo one; while :; do sleep 300; done`)
    const db = openDb(join(dir, 'data/satchel.db'))
    try {
      const runs = createRuns(recoveryDeps(db))
      await runs.recover()
      expect(runs.get(id)).toMatchObject({ outputBytes: 8, truncated: false })
      expect(runs.printed(id)).toEqual({ stdout: 'one\n', stderr: 'two\n', truncated: false })
    } finally {
      db.close()
    }
  })

  test('a process that outlived an unconfined run is found by its mark and killed, a stranger with the old pid is not', async () => {
    const bench = createBench()
    try {
      const { run } = await bench.run('hello.sh', 'echo hello')
      const survivor = spawn('sleep', ['300'], {
        env: { SATCHEL_RUN_ID: run.id, PATH: '/usr/bin' },
        stdio: 'ignore',
      })
      const stranger = spawn('sleep', ['300'], { env: { PATH: '/usr/bin' }, stdio: 'ignore' })
      children.push(survivor, stranger)
      const gone = new Promise((done) => survivor.once('exit', (_code, signal) => done(signal)))
      bench.db.sql
        .prepare(`UPDATE runs SET status = 'running', pid = ?, pid_start = '1' WHERE id = ?`)
        .run(stranger.pid, run.id)
      expect(await bench.runs.recover()).toEqual([run.id])
      expect(await gone).toBe('SIGKILL')
      expect(stranger.kill(0)).toBe(true)
    } finally {
      await bench.close()
    }
  })
})

describe('for a person who is not root', () => {
  test('the sandbox works and confines', () => {
    const [data = '', workspace = '', file = ''] = prepare(
      `id -u; cat /etc/shadow ${REPO}/package.json /root/.profile; echo x > /tmp/inside && echo tmp; echo made > file && cat file; exit 3`,
      NOBODY,
    )
    // The runtime may lie in a folder that only root can enter.
    const node = join(dir, 'node')
    writeFileSync(node, readFileSync(process.execPath))
    chmodSync(node, 0o755)
    const args = [node, join(built, 'host.cjs'), data, workspace, 'run', file]
    const asNobody =
      process.getuid?.() === 0
        ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...args]
        : args
    const answer = spawnSync(asNobody[0]!, asNobody.slice(1), {
      env: { ...ENV, PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
      encoding: 'utf8',
    })
    expect(answer.stderr).toBe('')
    const { outcomes, sandbox, uid } = JSON.parse(answer.stdout) as HostAnswer
    expect(uid).toBe(process.getuid?.() === 0 ? NOBODY : process.getuid?.())
    expect(sandbox).toMatchObject({ backend: 'bwrap', works: true })
    expect(outcomes[0]).toMatchObject({
      stdout: `${uid}\ntmp\nmade\n`,
      run: { status: 'failed', exitCode: 3 },
    })
    expect(outcomes[0]?.stderr.match(/No such file|Permission denied/g)).toHaveLength(3)
  })
})
