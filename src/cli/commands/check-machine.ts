import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { InterpreterView, SandboxView } from '@shared/domain/settings'
import { dataFolder, userDataFolder } from '../../main/lib/data-folder'
import { policyInForce } from '../../main/policy/keeper'
import type { PolicyInForce } from '../../main/policy/keeper'
import { policyDir } from '../../main/policy/policy'
import { createInterpreters } from '../../main/runs/interpreters'
import { createLimiter } from '../../main/runs/limiter'
import { createSandboxState } from '../../main/runs/sandbox/state'
import type { Given, Outcome } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import { readKnownState } from '../here/known-state'
import { shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import { table } from '../terminal/table'
import type { World } from '../world'

interface Machine {
  sandbox: SandboxView & { meaning: string[]; limits: string }
  interpreters: InterpreterView[]
  policy: Pick<PolicyInForce, 'source' | 'file' | 'notes'>
  data: { folder: string; exists: boolean; free_bytes: number | null }
}

/**
 * `satchel doctor`: what this machine has for scripts, proved now, and what it means. Ends with 1 without a sandbox, and
 * where the policy can't be used.
 */
export async function run(_given: Given, world: World): Promise<Outcome> {
  const machine = await look(world)
  return {
    result: machine,
    exit: machine.sandbox.works && isPolicyFine(machine.policy) ? EXIT.done : EXIT.failed,
    text: (out) => ({ out: doctorText(machine, out) }),
  }
}

async function look(world: World): Promise<Machine> {
  const { env } = world
  const folder = dataFolder({ satchelHome: env['SATCHEL_HOME'], userData: userDataFolder(world) })
  const known = await readKnownState(world)
  const isRoot = process.getuid?.() === 0
  const chosen = known.settings.interpreters
  const { source, file, notes } = policyInForce(policyDir(world), known.dataDir)
  known.close()
  const state = createSandboxState({
    dataDir: folder,
    env,
    snapshotDir: (digest) => join(folder, 'snapshots', digest),
    runAsRoot: isRoot,
  })
  await state.probe(true)
  const { backend, works, summary, network, runsRefused } = state.view()
  return {
    sandbox: {
      backend,
      works,
      summary,
      network,
      runsRefused,
      meaning: works ? PROVED : [runsRefused ? REFUSED : UNCONFINED],
      limits: await createLimiter({ env, isRoot }).label(),
    },
    interpreters: await createInterpreters({ env, chosen: () => chosen }).list(),
    policy: { source, file, notes },
    data: { folder, exists: existsSync(folder), free_bytes: freeBytes(folder) },
  }
}

const PROVED = [
  'A test script could not write outside its folder.',
  'It could not read a file that it was not given.',
  'It could not reach a listener of this computer.',
  'None of its processes outlived it.',
]
const REFUSED = 'Nothing runs: as root there must be a sandbox that works.'
const UNCONFINED =
  'Scripts can do all that you can. Each request says so, and none of them can be allowed for good.'

const POLICY: Readonly<Record<PolicyInForce['source'], string>> = {
  file: 'in force, as the file says',
  'last-good': "the file can't be used; what it said before is in force",
  'locked-down': "the file can't be used; every run asks, and no answer is remembered",
  none: 'none',
}

function isPolicyFine({ source }: Machine['policy']): boolean {
  return source === 'file' || source === 'none'
}

function policyText({ source, file, notes }: Machine['policy'], style: Style): string[] {
  const words = isPolicyFine({ source, file, notes }) ? POLICY[source] : style.paint('bad', POLICY[source])
  return [
    `${style.paint('strong', 'Policy')}  ${words}${file === null ? '' : ` (${shown(file)})`}`,
    ...notes.map((note) => `- ${shown(note)}`),
  ]
}

function freeBytes(folder: string): number | null {
  if (!existsSync(folder)) return null
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function doctorText({ sandbox, interpreters, policy, data }: Machine, style: Style): string {
  const rows = interpreters.map(({ kind, extensions, path, version }) => [
    { text: kind },
    { text: extensions.join(' ') || 'by first line' },
    path === null
      ? { text: 'not found', paint: 'quiet' as const }
      : { text: `${shown(path)} ${version}`.trim() },
  ])
  const free =
    data.free_bytes === null ? 'not there yet' : `${Math.round(data.free_bytes / 1024 ** 3)} GB free`
  return [
    `${style.paint('strong', 'Sandbox')}  ${sandbox.works ? style.paint('good', 'works') : style.paint('bad', 'does not work')}`,
    shown(sandbox.summary),
    ...sandbox.meaning.map((line) => `- ${line}`),
    `Network: ${shown(sandbox.network)}`,
    `Limits of memory and processes are held by ${sandbox.limits}.`,
    '',
    style.paint('strong', 'Interpreters'),
    table([{ title: 'NAME' }, { title: 'RUNS' }, { title: 'PROGRAM', shrinksTo: 20 }], rows, style),
    '',
    ...policyText(policy, style),
    '',
    `${style.paint('strong', 'Data')}  ${shown(data.folder)} (${free})`,
  ].join('\n')
}
