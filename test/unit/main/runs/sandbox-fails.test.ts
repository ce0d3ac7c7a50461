import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findProgram } from '../../../../src/main/runs/sandbox/probe'
import { createBench } from './harness'
import type { Bench } from './harness'

const PATH = process.env['PATH'] ?? ''
const benches: Bench[] = []
let bin: string

function benchWith(path: string, runAsRoot: boolean): Bench {
  const bench = createBench({ env: { PATH: path, HOME: '/nonexistent' }, runAsRoot })
  benches.push(bench)
  return bench
}

/** A folder with only bash and the given bwrap. */
function binWith(bwrap: string | null): string {
  symlinkSync('/usr/bin/bash', join(bin, 'bash'))
  if (bwrap !== null) {
    writeFileSync(join(bin, 'bwrap'), bwrap)
    chmodSync(join(bin, 'bwrap'), 0o755)
  }
  return bin
}

/** Given and asked for; nothing is ever resolved here. */
const HOSTS = {
  hosts: ['api.example.com'],
  execution: { sandbox: undefined, allowedPaths: null, network: ['api.example.com'], secrets: [] },
}

const REAL = findProgram('bwrap', PATH)

beforeEach(() => {
  const first = createBench()
  benches.push(first)
  bin = join(first.dir, 'bin')
  mkdirSync(bin)
})
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close()
})

describe('without a working sandbox', () => {
  const cases: [string, string | null, RegExp][] = [
    ['bubblewrap is missing', null, /not installed/],
    ['bubblewrap fails', '#!/bin/sh\necho "no namespaces" >&2; exit 1\n', /unavailable/],
    [
      'bubblewrap fails only when used',
      `#!/bin/sh\n[ "$1" = --version ] && exec ${REAL} --version\necho "no permission" >&2; exit 1\n`,
      /no permission/,
    ],
    [
      'bubblewrap does not confine',
      '#!/bin/sh\n[ "$1" = --version ] && { echo bubblewrap 9; exit; }\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
      /unavailable/,
    ],
    [
      'bubblewrap leaves the network on',
      `#!/bin/bash\nargs=(); for a; do [ "$a" = --unshare-net ] || args+=("$a"); done; exec ${REAL} "\${args[@]}"\n`,
      /network/,
    ],
  ]

  test.each(cases)('%s: as root nothing runs, and the reason is said', async (_what, bwrap, reason) => {
    const bench = benchWith(binWith(bwrap), true)
    await expect(bench.runs.planScript(bench.script('a.sh', 'touch ran'))).rejects.toMatchObject({
      code: 'sandbox_failed',
    })
    expect(bench.runs.sandbox()).toMatchObject({ backend: 'none', works: false, runsRefused: true })
    expect(bench.runs.sandbox().summary).toMatch(reason)
    expect(existsSync(join(bench.workspace, 'ran'))).toBe(false)
  })

  test('a person without root is told that nothing is confined, in the plan too', async () => {
    const bench = benchWith(binWith(null), false)
    const plan = await bench.runs.planScript(bench.script('a.sh', 'echo "$SKILL_NAME"; echo err >&2; exit 4'))
    expect(plan.sandbox).toMatchObject({ backend: 'none', label: 'not sandboxed', network: 'on' })
    expect(bench.runs.sandbox().runsRefused).toBe(false)
    const { run, stdout, stderr } = await bench.execute(plan)
    expect([run.status, run.exitCode, stdout, stderr]).toEqual(['failed', 4, 'tool\n', 'err\n'])
  })

  test('unconfined, a process that left its session is still found and ended', async () => {
    const bench = benchWith(binWith(null), false)
    const running = bench.run(
      'escape.sh',
      `( setsid sleep 300 & ) ; trap '' TERM; echo ready; while :; do sleep 300; done`,
    )
    await bench.seen(/ready/)
    await bench.runs.kill(bench.claimed[0]!, false)
    const { processesOfRuns } = await import('../../../../src/main/runs/process-tree')
    expect((await running).run.status).toBe('killed')
    expect(processesOfRuns(new Set(bench.claimed))).toEqual([])
  })

  test('unconfined, what a script takes back of its errors was seen, and that it did is said', async () => {
    const bench = benchWith(binWith(null), false)
    const running = bench.run(
      'back.sh',
      'echo what it really does >&2; read -r a; : >/proc/self/fd/2; echo fine >&2; read -r a; echo end >&2',
      { interactive: true },
    )
    await bench.seen(/really does/)
    await bench.runs.input(bench.claimed[0]!, '\n')
    await bench.seen(/take back/)
    await bench.runs.input(bench.claimed[0]!, '\n')
    expect((await running).stderr).toMatch(
      /really does\n\n\[Satchel saw the script take back .*\]\nfine\nend\n$/,
    )
  })

  test('unconfined, a protected path that a script makes is moved away after it, and it is said', async () => {
    const bench = benchWith(binWith(null), false)
    const { stderr } = await bench.run('make.sh', 'mkdir .vscode; echo evil > .vscode/settings.json')
    expect(stderr).toContain('[Satchel moved away')
    expect(bench.audit.at(-1)?.data['moved']).toHaveLength(1)
    expect(existsSync(join(bench.workspace, '.vscode'))).toBe(false)
  })

  test('a proof is kept for this kernel and this bubblewrap, and asked for anew on demand', async () => {
    const counting = (more = '') => `#!/bin/sh\necho x >> ${bin}/calls\n${more}exec ${REAL} "$@"\n`
    const calls = () => readFileSync(join(bin, 'calls'), 'utf8').length / 2
    const bench = benchWith(binWith(counting()), true)
    await bench.runs.probe()
    const first = calls()
    await bench.runs.probe()
    // Only its version was asked for.
    expect(calls()).toBe(first + 1)
    // Its version, and once each for what nothing may reach and for hosts.
    await bench.runs.probe(true)
    expect(calls()).toBe(first + 4)
    // Another program under the same name and version is not what was proved.
    writeFileSync(join(bin, 'bwrap'), counting('[ "$1" = --version ] || exit 1\n'))
    await bench.runs.probe()
    expect(bench.runs.sandbox().works).toBe(false)
  })

  test('where no run can be held to some hosts, none has any, and the reason is said', async () => {
    const refusing = `for a; do [ "$a" = /.sandbox/network ] && { echo "no way out" >&2; exit 1; }; done\n`
    const bench = benchWith(binWith(`#!/bin/bash\n${refusing}exec ${REAL} "$@"\n`), true)
    const plan = await bench.runs.planScript(bench.script('a.sh', 'echo "${HTTPS_PROXY:-none}"', HOSTS))
    expect(plan.sandbox).toMatchObject({ network: 'off', hostsAsked: ['api.example.com'] })
    expect(plan.sandbox.hosts).toBeUndefined()
    expect(bench.runs.sandbox().network).toContain('no way out')
    expect(bench.runs.sandbox().capabilities.netAllowlist).toBe(false)
    expect((await bench.execute(plan)).stdout).toBe('none\n')
  })

  test('before it was looked for, nothing is promised', () => {
    expect(benches[0]!.runs.sandbox()).toMatchObject({ works: false, runsRefused: true })
  })
})

describe('a sandbox that fails later', () => {
  test('a run whose way out is not there does not begin', async () => {
    const bench = benchWith(binWith(`#!/bin/sh\nexec ${REAL} "$@"\n`), true)
    const plan = await bench.runs.planScript(bench.script('a.sh', 'touch ran', HOSTS))
    expect(plan.sandbox.hosts).toEqual(['api.example.com:443'])
    const closed = `exec ${REAL} "\${@:1:4}" --ro-bind /dev/null /.sandbox/network "\${@:5}"`
    writeFileSync(join(bin, 'new'), `#!/bin/bash\n${closed}\n`)
    chmodSync(join(bin, 'new'), 0o755)
    renameSync(join(bin, 'new'), join(bin, 'bwrap'))
    const { run, stderr } = await bench.execute(plan)
    expect([run.status, existsSync(join(bench.workspace, 'ran'))]).toEqual(['sandbox_failed', false])
    expect(stderr).toContain('The network of this run could not be set up')
  })

  test('the run is refused as sandbox failed and never tried without it', async () => {
    const bench = benchWith(binWith(`#!/bin/sh\nexec ${REAL} "$@"\n`), true)
    const plan = await bench.runs.planScript(bench.script('a.sh', 'touch ran'))
    writeFileSync(join(bin, 'new'), '#!/bin/sh\necho "broken today" >&2; exit 1\n')
    chmodSync(join(bin, 'new'), 0o755)
    renameSync(join(bin, 'new'), join(bin, 'bwrap'))
    const { run, statusText } = await bench.execute(plan)
    expect(run.status).toBe('sandbox_failed')
    expect(statusText).toContain('broken today')
    expect(existsSync(join(bench.workspace, 'ran'))).toBe(false)
  })

  test.each([126, 127])('an exit with %i before the script is a failure of the sandbox', async (code) => {
    const bench = benchWith(binWith(`#!/bin/sh\nexec ${REAL} "$@"\n`), true)
    const plan = await bench.runs.planScript(bench.script('a.sh', 'touch ran'))
    writeFileSync(join(bin, 'new'), `#!/bin/sh\nexit ${code}\n`)
    chmodSync(join(bin, 'new'), 0o755)
    renameSync(join(bin, 'new'), join(bin, 'bwrap'))
    expect((await bench.execute(plan)).run.status).toBe('sandbox_failed')
  })

  test('user namespaces that are switched off are a failing sandbox', async () => {
    const { runProcess } = await import('../../../../src/main/lib/process')
    const answer = await runProcess(
      'unshare',
      [
        '-Ur',
        'sh',
        '-c',
        `echo 0 > /proc/sys/user/max_user_namespaces; ${REAL} --unshare-user --ro-bind / / true`,
      ],
      { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 10_000 },
    )
    // What our own probe would read; shown here so that a change of its words is noticed.
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringContaining('namespace')])
  })
})
