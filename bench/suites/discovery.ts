import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareListings, describeComparison, isSame } from '../lib/compare'
import type { Options } from '../main'
import { packageDir } from '../lib/packages'
import type { PackageName } from '../lib/packages'
import { alternate, runTask } from '../lib/processes'
import type { Samples, Side } from '../lib/processes'
import { limitVerdict, notMeasured, print, ratioVerdict, short, spread, timesTable } from '../lib/report'
import type { Outcome, Verdict } from '../lib/report'
import { pairedRatios, summarise } from '../lib/statistics'
import { treeOf } from '../lib/tree'
import type { Tree } from '../lib/tree'
import { useSuite } from './use'

const OURS = 'ours'
const READ = 'read 4 kB'
const STAT = 'stat only'

const LOADERS: readonly (readonly [PackageName, Side['task']])[] = [
  ['skills-ref', 'skills-ref'],
  ['gray-matter', 'gray-matter'],
  ['@mariozechner/pi-coding-agent', 'pi'],
]

/** Finding skills: the first look, the second, one after a change; then what the registry does with them. */
export async function discoverySuite(options: Options): Promise<Outcome> {
  const outcome: Outcome = { verdicts: [], mismatches: [] }
  for (const size of options.sizes) {
    const tree = treeOf(size, options.seed)
    const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
    try {
      await firstLooks({ tree, size, options, outcome })
      await laterLooks({ tree, size, options, outcome }, join(scratch, 'index.db'))
      if (options.cold) await coldLooks({ tree, size, options, outcome })
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
  await useSuite(options, outcome)
  return outcome
}

interface Run {
  tree: Tree
  size: number
  options: Options
  outcome: Outcome
}

async function firstLooks({ tree, size, options, outcome }: Run): Promise<void> {
  const ours: Side = {
    name: OURS,
    task: 'discover',
    args: { home: tree.home, indexFile: null, withList: true },
  }
  const sides: Side[] = [ours, { name: READ, task: 'read-4k', args: { dir: tree.skillsDir } }]
  for (const [name, task] of LOADERS) {
    const found = packageDir(name)
    if (found.dir === undefined) print(`${name}: not measured: ${found.why}`)
    else sides.push({ name, task, args: { dir: tree.skillsDir, package: found.dir } })
  }
  const samples = await alternate(sides, options.rounds)
  print(`\n${size} skills, first look of a fresh process (imports not counted)`)
  print(timesTable(samples, OURS))
  const complete = summarise(samples.get(OURS)!.map(({ result }) => result.numbers!['complete']!))
  print(`ours with files, scripts, tokens and problems too: ${short(complete.median)} ms`)
  print(`processor time of ours until every skill is listed: ${cpuOf(samples)} ms`)
  print(threadLine(samples, READ))
  compareAll(tree, samples, outcome)
  outcome.verdicts.push(
    ratioVerdict({ id: 'G2.1', text: `first look, ${size} / ${READ}`, limit: 2.5 }, samples, [OURS, READ]),
    ...(size === 1000 ? firstLookLimits(samples) : []),
  )
}

/** Median and range. A busy machine makes times longer, this hardly. */
function cpuOf(samples: Samples): string {
  return spread(samples.get(OURS)!.map(({ result }) => result.numbers!['cpu']!))
}

/** The one thread that looks, beside the yardstick's: what other programs take is not in it. */
function threadLine(samples: Samples, yardstick: string): string {
  const [ours, theirs] = [OURS, yardstick].map((side) =>
    samples.get(side)!.map(({ result }) => result.numbers!['thread']!),
  )
  const ratio = spread(pairedRatios(ours!, theirs!))
  return `processor time of the thread alone: ${spread(ours!)} ms, ${yardstick} ${spread(theirs!)} ms: ${ratio}×`
}

function firstLookLimits(samples: Samples): Verdict[] {
  const text = 'first look, 1000 / skills-ref'
  const median = summarise(samples.get(OURS)!.map(({ ms }) => ms)).median
  return [
    ratioVerdict({ id: 'G2.1', text, limit: 0.25 }, samples, [OURS, 'skills-ref']),
    limitVerdict({ id: 'S4', text: 'discovery of 1000', limit: 100, unit: 'ms', floor: true }, median),
  ]
}

/** Ours against what was generated, and each package on what every tool can read. */
function compareAll(tree: Tree, samples: Samples, outcome: Outcome): void {
  const fine = tree.skills.filter(({ verdict }) => verdict === 'fine')
  for (const [name, list] of samples) {
    const listed = list[0]!.result.listed
    if (!listed) continue
    const wanted = name === OURS ? tree.skills.filter(({ verdict }) => verdict !== 'broken') : fine
    const comparison = compareListings(wanted, listed)
    print(`${name} of ${wanted.length}: ${describeComparison(comparison)}`)
    if (!isSame(comparison)) {
      outcome.mismatches.push(`${name}, ${tree.skills.length} skills: ${describeComparison(comparison)}`)
    }
    if (name === OURS && comparison.extra.length > 0) {
      outcome.mismatches.push(`ours lists ${comparison.extra.length} broken skills as usable`)
    }
  }
}

async function laterLooks({ tree, size, options, outcome }: Run, indexFile: string): Promise<void> {
  const { home, skillsDir, skills } = tree
  await runTask({ name: 'index', task: 'discover', args: { home, indexFile, withList: false } })
  const warm = await alternate(
    [
      { name: OURS, task: 'discover', args: { home, indexFile, withList: false } },
      { name: STAT, task: 'stat-only', args: { dir: skillsDir, repeats: 1 } },
    ],
    options.rounds,
  )
  print(`\n${size} skills, start with a kept index`)
  print(timesTable(warm, OURS))
  print(`processor time of ours: ${cpuOf(warm)} ms`)
  print(threadLine(warm, STAT))
  const folder = skills[Math.floor(size / 2)]!.folder
  const changed = await alternate(
    [
      { name: OURS, task: 'rescan', args: { home, indexFile, skillsDir, folder, repeats: 9 } },
      { name: STAT, task: 'stat-only', args: { dir: skillsDir, repeats: 9 } },
    ],
    options.rounds,
  )
  print(`\n${size} skills, look after one change`)
  print(timesTable(changed, OURS))
  const missed = changed.get(OURS)!.reduce((sum, { result }) => sum + result.numbers!['missed']!, 0)
  if (missed > 0) outcome.mismatches.push(`${missed} changes of one skill of ${size} were not seen`)
  outcome.verdicts.push(
    ratioVerdict({ id: 'G2.2', text: `kept index, ${size} / ${STAT}`, limit: 1.5 }, warm, [OURS, STAT]),
    ratioVerdict({ id: 'G2.3', text: `one change, ${size} / ${STAT}`, limit: 1.2 }, changed, [OURS, STAT]),
  )
}

/** The system forgets what it read before each run: only root can ask for that, and other programs feel it. */
async function coldLooks({ tree, size, options, outcome }: Run): Promise<void> {
  const sides: Side[] = [
    { name: OURS, task: 'discover', args: { home: tree.home, indexFile: null, withList: false } },
    { name: 'read, 64 in flight', task: 'read-64', args: { dir: tree.skillsDir } },
  ]
  const goal = { id: 'G2.4', text: `cold first look, ${size} / read, 64 in flight`, limit: 1.3 }
  const samples: Samples = new Map(sides.map(({ name }) => [name, []]))
  for (let round = 0; round < options.rounds; round++) {
    for (const side of sides) {
      const why = dropCaches()
      if (why !== null) {
        outcome.verdicts.push(notMeasured(goal, `≤ ${goal.limit}×`, why))
        return
      }
      samples.get(side.name)!.push(await runTask(side))
    }
  }
  print(`\n${size} skills, first look with nothing in the system's cache`)
  print(timesTable(samples, OURS))
  outcome.verdicts.push(ratioVerdict(goal, samples, [OURS, sides[1]!.name]))
}

function dropCaches(): string | null {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return null
  } catch (error) {
    return `the caches can not be dropped: ${error instanceof Error ? error.message : String(error)}`
  }
}
