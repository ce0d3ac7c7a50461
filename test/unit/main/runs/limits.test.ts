import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLimiter } from '../../../../src/main/runs/limiter'
import { excessOf } from '../../../../src/main/runs/watchdog'
import { createBench } from './harness'
import type { Bench } from './harness'

const MB = 1024 ** 2
const LIMITS = { processes: 24, memoryBytes: 200 * MB, fileBytes: 2 * MB }

/** Starts at most 60 processes, each for at most 4 s. */
const MANY = `my $n = 0; $| = 1;
for (1 .. 60) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 4; exit } $n += 1 }
print "$n\\n"; sleep 4`

/** Six processes with 60 MB each, for at most 4 s. */
const HOG = `for (1 .. 6) { if (!fork) { my $x = "x" x 60_000_000; sleep 4; exit } } wait for 1 .. 6; print "done\\n"`

const benches: Bench[] = []
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close()
})

function benchWith(more: Parameters<typeof createBench>[0] = {}): Bench {
  const bench = createBench({ limits: () => LIMITS, ...more })
  benches.push(bench)
  return bench
}

/** What this machine has, and nothing but the watchdog. */
const WAYS = [
  ['as this machine has it', () => benchWith()],
  [
    'by the watchdog alone',
    () => benchWith({ limiter: createLimiter({ env: {}, isRoot: true, cgroups: '/nonexistent' }) }),
  ],
] as const

describe.each(WAYS)('limits of a run, %s', (_way, make) => {
  test('a fork bomb is held, and it is said', async () => {
    const { stdout, stderr, statusText } = await make().run('bomb.pl', MANY)
    if (stdout !== '') expect(Number(stdout)).toBeLessThanOrEqual(60)
    expect(`${stderr} ${statusText}`).toMatch(/24 (?:processes|of its processes)/)
  })

  test('processes that use too much memory together are ended, and it is said', async () => {
    const { stderr, statusText } = await make().run('hog.pl', HOG)
    expect(`${stderr} ${statusText}`).toContain('200 MB')
  })

  test('one process is refused what is far beyond it at once', async () => {
    const { run, stderr } = await make().run('hog.pl', 'my $x = "x" x 1_600_000_000; print "had it\\n"')
    expect(run.status).not.toBe('succeeded')
    expect(stderr).not.toBe('')
  })

  test('a file does not grow beyond its limit', async () => {
    const bench = make()
    const { run } = await bench.run('fill.sh', 'dd if=/dev/zero of=big bs=1M count=8 2>/dev/null')
    expect(run.status).toBe('failed')
    expect(statSync(join(bench.workspace, 'big')).size).toBe(2 * MB)
  })

  test('programs that reserve much and use little run', async () => {
    const { stdout } = await make().run('a.js', 'new WebAssembly.Memory({ initial: 1 }); console.log("ran")')
    expect(stdout).toBe('ran\n')
  })
})

describe('the watchdog', () => {
  const fine = { processes: 1, memoryBytes: 1, diskFreeBytes: 10_000 * MB }
  test.each([
    [{}, null],
    [{ processes: 24 }, null],
    [{ processes: 25 }, 'processes'],
    [{ memoryBytes: 201 * MB }, 'memory'],
    [{ diskFreeBytes: 200 * MB }, 'disk'],
    [{ diskFreeBytes: null }, null],
  ] as const)('of %j says %s', (usage, want) => {
    expect(excessOf({ ...fine, ...usage }, LIMITS, 5000 * MB)).toBe(want)
  })

  test('does not blame a script for a disk that was full before', () => {
    expect(excessOf({ ...fine, diskFreeBytes: 1 }, LIMITS, 2)).toBeNull()
  })
})

describe('what holds a run', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cgroups-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const limiter = (text: string, env = {}) =>
    createLimiter({ env, isRoot: true, cgroups: root, ownGroups: () => text })

  test('without control groups and systemd it is the watchdog', async () => {
    const made = limiter('0::/\n')
    expect(await made.label()).toBe('a watchdog')
    expect(await made.open('run_1', LIMITS)).toMatchObject({ prefix: [], join: [], inside: [] })
  })

  test('a manager of systemd that answers gives each run a scope of its own', async () => {
    writeFileSync(join(root, 'systemd-run'), `#!/bin/sh\necho "$@" >> ${root}/asked\n`, { mode: 0o755 })
    const made = limiter('', { PATH: root, XDG_RUNTIME_DIR: '/run/user/1', SECRET: 'x' })
    expect(await made.label()).toBe('a scope of systemd')
    const { prefix, env } = await made.open('run_1', LIMITS)
    expect(prefix.join(' ')).toBe(
      `${root}/systemd-run --user --scope --quiet --collect -p TasksMax=28 -p MemoryMax=209715200 -p MemorySwapMax=0 --`,
    )
    expect(env).toEqual({ XDG_RUNTIME_DIR: '/run/user/1' })
    expect(readFileSync(join(root, 'asked'), 'utf8')).toContain('--scope')
  })

  test('a manager that does not answer is not used', async () => {
    writeFileSync(join(root, 'systemd-run'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    expect(await limiter('', { PATH: root, XDG_RUNTIME_DIR: '/run/user/1' }).label()).toBe('a watchdog')
  })

  test('groups of programs that have ended are removed, those of living ones are not', () => {
    const own = join(root, 'pids/app')
    for (const name of [`satchel-${process.pid}-run_1`, 'satchel-999999999-run_2', 'other'])
      mkdirSync(join(own, name), { recursive: true })
    limiter('8:pids:/app\n').sweep()
    expect(readdirSync(own).sort()).toEqual(['other', `satchel-${process.pid}-run_1`])
  })

  test('nothing of a run is left in the control groups', async () => {
    const bench = benchWith()
    await bench.run('hello.sh', 'echo hello')
    const groups = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup/memory', '/sys/fs/cgroup'].filter(existsSync)
    const left = groups
      .flatMap((group) => readdirSync(group))
      .filter((name) => name.includes(bench.claimed[0]!))
    expect(left).toEqual([])
  })
})
