import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runPlanOf, type RunPlan } from '@shared/domain/approval'
import type { RequestRow } from '../../../../src/main/db/request-rows'
import { folderDigest } from '../../../../src/main/runs/environments/digest'
import { createRuns, type Runs } from '../../../../src/main/runs/service'
import type { SessionDeps } from '../../../../src/main/sessions/deps'
import { writeFiles } from '../../../helpers/app'
import { createKit, deferred, type Kit } from './kit'

// Real programs make real environments: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** A package in a wheel, and one that only its author could build. */
const MAKE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + '/satchel_berry-1.0-py3-none-any.whl', 'w') as z:
    z.writestr('satchel_berry.py', 'def jam():\\n    return "berry jam"\\n')
    z.writestr('satchel_berry-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: satchel-berry\\nVersion: 1.0\\n')
    z.writestr('satchel_berry-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    z.writestr('satchel_berry-1.0.dist-info/RECORD', '')
`
const SCRIPT = 'import sys, satchel_berry\nprint(satchel_berry.jam(), sys.prefix != sys.base_prefix)\n'

let kit: Kit
let runs: Runs
/** Waited for before a run. */
let begins: (plan: RunPlan, signal: AbortSignal) => Promise<unknown>

/** Real runs, of real programs. */
function useRuns(deps: SessionDeps, dataDir: string): void {
  const { db, store, audit, now, log } = deps
  runs = createRuns({
    db,
    dataDir,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    snapshotDir: store.dir,
    verifySnapshot: store.verify,
    audit: audit.append,
    now,
    log,
    changed: () => undefined,
    runAsRoot: process.getuid?.() === 0,
    graceMs: 300,
  })
  deps.runs = {
    ...runs,
    execute: (ticket, signal) => begins(ticket.plan, signal).then(() => runs.execute(ticket, signal)),
  }
}

beforeEach(async () => {
  begins = async () => undefined
  kit = await createKit({
    change: useRuns,
    skills: {
      jam: {
        'SKILL.md': '---\nname: jam\ndescription: Boils jam.\n---\n# Jam\n',
        'requirements.txt': 'satchel-berry==1.0\n',
        'scripts/boil.py': SCRIPT,
      },
    },
  })
  const wheels = mkdtempSync(join(tmpdir(), 'wheels-'))
  execFileSync('python3', ['-c', MAKE, wheels])
  const [wheel = ''] = readdirSync(wheels)
  writeFileSync(join(kit.home, '.satchel/skills/jam', wheel), readFileSync(join(wheels, wheel)))
  rmSync(wheels, { recursive: true })
  await runs.probe()
  kit.deps.environments.from = {
    hosts: ['packages.example.com:443'],
    options: ['--no-index', '--find-links', '/.sandbox/skills/jam'],
  }
})
afterEach(async () => {
  expect(kit.errors).toEqual([])
  await runs.close()
  await kit.remove()
})

async function ask(id = kit.chat(), path = 'scripts/boil.py') {
  const load = { name: 'skills_load', input: { names: ['jam'] } }
  kit.answers.push({ calls: [load] }, { calls: [{ name: 'skills_run_script', input: { path } }] })
  kit.sessions.send(id, 'go')
  await kit.until(id, 'awaiting_approval', 60_000)
  return { id, row: kit.waiting(id) }
}

async function prepare({ id: requestId, revision, planHash }: RequestRow) {
  const edited = { prepare: true } as const
  return kit.sessions.decide({ requestId, revision, planHash, choice: 'edit', acknowledged: [], edited })
}

const planOf = (row: RequestRow) => runPlanOf(row.plan)!
const ids = (row: RequestRow) => row.findings.map(({ id }) => id)
const folders = () => readdirSync(join(kit.home, 'data/environments'))

/** The next request of the chat after this one was answered. */
async function after(id: string, row: RequestRow, choice: 'once' | 'deny') {
  await kit.decide(row, choice)
  await kit.until(id, 'awaiting_approval', 90_000)
  return kit.waiting(id)
}

async function everythingElse() {
  const own = await folderDigest(join(kit.home, '.satchel'))
  const workspaces = await folderDigest(join(kit.home, 'data/workspaces'))
  const snapshots = await folderDigest(join(kit.home, 'data/snapshots'))
  return [own, workspaces, snapshots]
}

describe('packages that a script names', () => {
  test('are prepared as a run of its own, and used by the script from then on', async () => {
    const { id, row } = await ask()
    expect(ids(row)).toContain('needs-missing')
    expect(await prepare(row)).toMatchObject({ status: 'edited' })
    const asked = kit.waiting(id)
    const plan = planOf(asked)
    expect(asked).toMatchObject({ reviewRequired: true, status: 'pending', callId: row.callId })
    expect(plan).toMatchObject({ kind: 'prepare', sandbox: { hosts: ['packages.example.com:443'] } })
    expect(plan.sandbox.writable).toEqual([plan.workspace])
    expect(plan.argv.join(' ')).toContain(
      'pip --python env/bin/python install --require-virtualenv --only-binary :all: --no-input',
    )
    expect(folders()).toEqual([])
    const before = await everythingElse()
    const script = await after(id, asked, 'once')
    expect(await everythingElse()).toEqual(before)
    expect(script.askReason).toMatch(/^The packages are prepared\. /)
    expect(ids(script)).toContain('prepared-packages')
    const { environment, argv, env } = planOf(script)
    expect(environment?.packages).toEqual(['satchel-berry==1.0'])
    expect(argv[0]).toBe(join(environment!.folder, 'bin/python'))
    expect(env).toContainEqual({ name: 'VIRTUAL_ENV', value: environment!.folder })
    expect(script).toMatchObject({ reviewRequired: true })
    await kit.decide(script, 'once')
    await kit.until(id, 'idle', 30_000)
    const call = kit.calls(id).at(-1)!
    expect(call.envelope).toMatchObject({
      success: true,
      result: { exit_code: 0, stdout: 'berry jam True\n' },
    })
    expect((await folderDigest(environment!.folder)).digest).toBe(environment!.digest)
    expect(kit.actions()).toContain('environment.prepared')

    // Another chat finds them; changed bytes are not used.
    const again = await ask()
    expect(planOf(again.row).environment?.digest).toBe(environment!.digest)
    writeFileSync(join(environment!.folder, 'more.py'), '')
    expect(await kit.decide(again.row, 'once')).toMatchObject({ status: 'stale' })
    const without = kit.waiting(again.id)
    expect(planOf(without).environment).toBeUndefined()
    expect(without.findings.find((finding) => finding.id === 'needs-missing')?.text).toContain(
      'changed on disk',
    )

    const [known] = kit.deps.environments.list()
    await kit.deps.environments.remove(known!.id)
    expect(folders()).toEqual([])
    expect(kit.actions()).toContain('environment.removed')
  })

  test('that can not be had leave nothing, and the script is asked for with the reason', async () => {
    kit.deps.environments.from = { hosts: ['packages.example.com:443'], options: ['--no-index'] }
    const { id, row } = await ask()
    await prepare(row)
    const script = await after(id, kit.waiting(id), 'once')
    expect(script.askReason).toMatch(/^The packages could not be prepared: .*satchel-berry/)
    expect(ids(script)).toContain('needs-missing')
    expect(planOf(script).kind).toBe('script')
    expect(folders()).toEqual([])
    expect(kit.deps.environments.list()).toEqual([])
  })

  test('are not fetched when that is denied: the script is asked for as before', async () => {
    const { id, row } = await ask()
    await prepare(row)
    const script = await after(id, kit.waiting(id), 'deny')
    expect(script.askReason).toMatch(/^The packages were not prepared\. /)
    expect(script.planHash).toBe(row.planHash)
    expect(folders()).toEqual([])
  })

  test('leave nothing when the turn is stopped meanwhile, and the script does not run', async () => {
    const { id, row } = await ask()
    await prepare(row)
    const began = deferred()
    begins = ({ workspace }, signal) => {
      writeFiles(workspace, { 'env/pyvenv.cfg': '', 'env/half.py': '' })
      began.resolve()
      return new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    await kit.decide(kit.waiting(id), 'once')
    await began.promise
    expect(folders()).toHaveLength(1)
    await kit.sessions.stop(id, false)
    await kit.until(id, 'idle', 30_000)
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'cancelled', envelope: { error_code: 'cancelled' } })
    expect(folders()).toEqual([])
  })

  test('leave nothing when it runs out of time, and the script is asked for without them', async () => {
    const { id, row } = await ask()
    await prepare(row)
    const { execute } = kit.deps.runs
    kit.deps.runs.execute = async (ticket, signal) => {
      const { workspace } = ticket.plan
      writeFiles(workspace, { 'env/pyvenv.cfg': '', 'env/half.py': '' })
      const outcome = await execute(ticket, signal)
      return { ...outcome, run: { ...outcome.run, status: 'timed_out' }, statusText: 'It ran out of time.' }
    }
    const script = await after(id, kit.waiting(id), 'once')
    expect(script.askReason).toMatch(/^The packages could not be prepared: It ran out of time\./)
    expect(planOf(script).environment).toBeUndefined()
    expect([folders(), kit.deps.environments.list()]).toEqual([[], []])
  })

  test('are asked about for ever: nothing of it can be remembered', async () => {
    const { id, row } = await ask()
    await prepare(row)
    const { id: requestId, revision, planHash } = kit.waiting(id)
    const remember = { args: 'exact', days: 30 } as const
    const wish = { requestId, revision, planHash, acknowledged: [], remember }
    await expect(kit.sessions.decide({ ...wish, choice: 'always' })).rejects.toThrow(/every time/)
    expect(kit.waiting(id).status).toBe('pending')
  })
})

/** A tarball of one package, with a lock that says where it lies: no registry is needed. */
const PACK = `
import io, sys, tarfile
with tarfile.open(sys.argv[1] + '/berry.tgz', 'w:gz') as t:
    for name, text in (
        ('package/package.json', '{"name":"satchel-berry","version":"1.0.0","main":"x.js","scripts":{"install":"touch ran"}}'),
        ('package/x.js', 'module.exports = "berry jam"'),
    ):
        info = tarfile.TarInfo(name)
        info.size = len(text)
        t.addfile(info, io.BytesIO(text.encode()))
`
const DEPENDS = { dependencies: { 'satchel-berry': '1.0.0' } }
const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': DEPENDS,
    'node_modules/satchel-berry': {
      version: '1.0.0',
      resolved: 'file:/.sandbox/skills/jam/berry.tgz',
      hasInstallScript: true,
    },
  },
}

test('packages for Node are found by import and by require, and their own scripts did not run', async () => {
  const skill = join(kit.home, '.satchel/skills/jam')
  execFileSync('python3', ['-c', PACK, skill])
  writeFiles(skill, {
    'package.json': JSON.stringify(DEPENDS),
    'package-lock.json': JSON.stringify(LOCK),
    'boil.mjs':
      'import { createRequire } from "node:module"\nimport jam from "satchel-berry"\nconsole.log(jam, createRequire(import.meta.url)("satchel-berry"))\n',
  })
  kit.deps.environments.from = { hosts: ['packages.example.com:443'], options: ['--offline'] }
  await kit.deps.registry.refresh()
  const { id, row } = await ask(kit.chat(), 'boil.mjs')
  await prepare(row)
  expect(planOf(kit.waiting(id)).argv.at(-1)).toMatch(/ ci --ignore-scripts --omit=dev .* --offline$/)
  const script = await after(id, kit.waiting(id), 'once')
  expect(script.askReason).toMatch(/^The packages are prepared\. /)
  const { environment } = planOf(script)
  expect(readdirSync(join(environment!.folder, 'node_modules/satchel-berry')).sort()).toEqual([
    'package.json',
    'x.js',
  ])
  await kit.decide(script, 'once')
  await kit.until(id, 'idle', 30_000)
  expect(kit.calls(id).at(-1)!.envelope).toMatchObject({ result: { stdout: 'berry jam berry jam\n' } })
})

describe('packages nobody wants any more', () => {
  test('that a crash left go at the next start', async () => {
    const root = join(kit.home, 'data/environments')
    execFileSync('mkdir', [join(root, 'left-by-a-crash')])
    await kit.deps.environments.sweep(false)
    expect(existsSync(join(root, 'left-by-a-crash'))).toBe(true)
    await kit.deps.environments.sweep(true)
    expect(folders()).toEqual([])
  })
})
