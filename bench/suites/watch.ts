import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Options } from '../main'
import { BURSTS } from '../lib/bursts'
import { alternate, runTask } from '../lib/processes'
import type { Sample } from '../lib/processes'
import { limitVerdict, notMeasured, print, short, spread, table } from '../lib/report'
import type { Outcome } from '../lib/report'
import { percentile, summarise } from '../lib/statistics'
import { treeOf, writeTree } from '../lib/tree'

/** Edits of one skill each, in each run. */
const EDITS = 60
const IDLE_SECONDS = 10
const LOOK_EVERY_MS = 5000
const DEBOUNCE_MS = 50

/** Noticing changes: single edits, bursts from this and from another process, idle cost, and what happens at the limit. */
export async function watchSuite(options: Options): Promise<Outcome> {
  const outcome: Outcome = { verdicts: [], mismatches: [] }
  for (const size of options.sizes.slice(-2)) {
    await edits(size, options, outcome)
    await idle(size, options, outcome)
  }
  await limit(options, outcome)
  return outcome
}

async function edits(size: number, { rounds, seed }: Options, outcome: Outcome): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  try {
    writeTree(scratch, 100, seed)
    const burst = { count: size, seed, edits: EDITS }
    const samples = await alternate(
      [
        { name: 'writer in the process', task: 'watch-burst', args: { ...burst, other: false } },
        { name: 'the system alone', task: 'watch-raw', args: { dir: scratch, edits: EDITS } },
        { name: 'writer in another process', task: 'watch-burst', args: { ...burst, other: true } },
      ],
      Math.ceil(rounds / 2),
    )
    const [here, system, other] = [...samples.values()] as [Sample[], Sample[], Sample[]]
    editVerdicts(size, { here: [...here, ...other], system }, outcome)
    burstTable(size, samples)
    burstVerdicts(size, [...here, ...other], outcome)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function editVerdicts(
  size: number,
  { here, system }: { here: readonly Sample[]; system: readonly Sample[] },
  { verdicts }: Outcome,
): void {
  const p95 = (list: readonly Sample[]) =>
    summarise(list.map(({ result }) => percentile(result.series!['latency']!, 95))).median
  const [ours, raw] = [p95(here), p95(system)]
  print(
    `\n${size} skills: from an edit to the record, p95 ${short(ours)} ms; the system's own event ${short(raw)} ms`,
  )
  verdicts.push(
    limitVerdict({ id: 'G4.1', text: `edit to record p95, ${size}`, limit: 100, unit: 'ms' }, ours),
    limitVerdict(
      {
        id: 'G4.1',
        text: `the same, strict: 1.5× the system + ${DEBOUNCE_MS} ms`,
        limit: Number((1.5 * raw + DEBOUNCE_MS).toFixed(1)),
        unit: 'ms',
      },
      ours,
    ),
  )
  const { watches = -1, skills = 0 } = here[0]!.result.numbers!
  const goal = { id: 'G4.3', text: `watches beyond one per skill, ${size}`, limit: 10, unit: 'for roots' }
  if (watches < 0) verdicts.push(notMeasured(goal, '≤ 10', 'the system does not count watches'))
  else verdicts.push(limitVerdict(goal, watches - skills))
}

function burstTable(size: number, samples: ReadonlyMap<string, readonly Sample[]>): void {
  const rows = [...samples].flatMap(([name, list]) =>
    list[0]!.result.series!['writes'] === undefined
      ? []
      : BURSTS.map(([burst]) => {
          const runs = list.map(({ result }) => result.series![burst]!)
          return [
            `${name}: ${burst}`,
            String(runs[0]![2]),
            String(Math.max(...runs.map(([missed]) => missed!))),
            spread(runs.map(([, ms]) => ms!)),
          ]
        }),
  )
  print(`\n${size} skills, bursts`)
  print(table(['', 'changes', 'missed', 'all seen after ms'], rows))
}

function burstVerdicts(size: number, list: readonly Sample[], { verdicts }: Outcome): void {
  const runs = list.flatMap(({ result }) => BURSTS.map(([burst]) => result.series![burst]!))
  const missed = runs.reduce((sum, [count]) => sum + count!, 0)
  const slowest = Math.max(...runs.map(([, ms]) => ms!))
  verdicts.push(
    limitVerdict({ id: 'G4.2', text: `changes missed, ${size}`, limit: 0, unit: '', floor: true }, missed),
    limitVerdict(
      {
        id: 'S2',
        text: `last change of a burst seen, ${size}`,
        limit: LOOK_EVERY_MS,
        unit: 'ms',
        floor: true,
      },
      slowest,
    ),
  )
}

async function idle(size: number, { seed }: Options, { verdicts }: Outcome): Promise<void> {
  const { home, skillsDir } = treeOf(size, seed)
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const indexFile = join(scratch, 'index.db')
  try {
    await runTask({ name: 'index', task: 'discover', args: { home, indexFile, withList: false } })
    const args = { home, indexFile, seconds: IDLE_SECONDS }
    const samples = await alternate(
      [
        { name: 'watching', task: 'watch-idle', args: { ...args, watching: true } },
        { name: 'not watching', task: 'watch-idle', args: { ...args, watching: false, seconds: 1 } },
        { name: 'watches alone', task: 'watch-raw', args: { dir: skillsDir, edits: 0 } },
      ],
      3,
    )
    const middle = (name: string, number: string) =>
      summarise(samples.get(name)!.map(({ result }) => result.numbers![number]!)).median
    const cpu = middle('watching', 'cpuPercent')
    // Below zero when it is lost in what differs between two processes.
    const ours = Math.max(0, middle('watching', 'rssMb') - middle('not watching', 'rssMb'))
    const bare = middle('watches alone', 'rssMb')
    print(`\n${size} skills, idle for ${IDLE_SECONDS} s: ${short(cpu)} % of a core; memory of watching`)
    print(`${short(ours)} MB, of the same number of bare watches ${short(bare)} MB`)
    verdicts.push(
      limitVerdict({ id: 'G4.4', text: `idle, ${size}`, limit: 1, unit: '% of a core' }, cpu),
      limitVerdict(
        { id: 'G4.4', text: `memory / bare watches, ${size}`, limit: 1.2, unit: '×' },
        ours / bare,
      ),
    )
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function limit({ seed }: Options, { verdicts }: Outcome): Promise<void> {
  const { result } = await runTask({
    name: 'limit',
    task: 'watch-limit',
    args: { count: 300, seed, allowed: 50 },
  })
  const { missed = -1, notLive = 0 } = result.numbers!
  print(
    `\nWith 50 watches allowed for 300 skills: ${missed} edits missed, the last seen after ${short(result.ms)} ms;`,
  )
  print(`${notLive} of the roots say that they are not live`)
  const after = { id: 'G4.5', text: 'every edit seen by looking', limit: LOOK_EVERY_MS + 500, unit: 'ms' }
  verdicts.push(
    limitVerdict(
      { id: 'G4.5', text: 'edits missed at the limit of watches', limit: 0, unit: '', floor: true },
      missed,
    ),
    limitVerdict(after, result.ms),
    limitVerdict(
      { id: 'G4.5', text: 'roots that keep silent about it', limit: 0, unit: '' },
      notLive > 0 ? 0 : 1,
    ),
  )
}
