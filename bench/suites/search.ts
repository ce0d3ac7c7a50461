import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Options } from '../main'
import { packageDir } from '../lib/packages'
import type { PackageName } from '../lib/packages'
import { alternate, runTask } from '../lib/processes'
import type { Sample, Samples, Side } from '../lib/processes'
import { limitVerdict, print, ratioVerdict, short, spread, table, timesTable } from '../lib/report'
import type { Outcome } from '../lib/report'
import { percentile, summarise } from '../lib/statistics'
import { treeOf } from '../lib/tree'

const OURS = 'ours'
const BARE = 'bare FTS5'
const ANSWER = 'bare FTS5, the same answer'
const LINEAR = 'linear scan'
const NAMES = 'ours, names alone'
const READING = 'bare FTS5 with reading'

/** As many as the app asks for. */
const LIMIT = 500
const TYPOS_WANTED = 10

/** Building the index, opening it, searching names as they are typed and bodies, beside the bare thing and packages. */
export async function searchSuite(options: Options): Promise<Outcome> {
  const outcome: Outcome = { verdicts: [], mismatches: [] }
  for (const size of options.sizes.slice(-2)) {
    const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
    try {
      const run = runOf(size, options, scratch)
      await build(run, outcome)
      await query(run, outcome)
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
  return outcome
}

interface Run {
  size: number
  options: Options
  list: string
  skillsDir: string
  ours: string
  bare: string
}

function runOf(size: number, options: Options, scratch: string): Run {
  const { home, skillsDir } = treeOf(size, options.seed)
  const list = join(home, 'made.json')
  return { size, options, list, skillsDir, ours: join(scratch, 'ours.db'), bare: join(scratch, 'bare.db') }
}

/** Half of the rounds: each of the largest takes seconds. */
async function build({ size, options, list, skillsDir, ours, bare }: Run, outcome: Outcome): Promise<void> {
  const args = { list, skillsDir }
  const sides: Side[] = [
    { name: OURS, task: 'index-build', args: { ...args, file: ours, withReading: false } },
    { name: BARE, task: 'fts-build', args: { ...args, file: bare, withReading: false } },
    { name: 'ours with reading', task: 'index-build', args: { ...args, file: ours, withReading: true } },
    { name: READING, task: 'fts-build', args: { ...args, file: bare, withReading: true } },
  ]
  const samples = await alternate(sides, Math.ceil(options.rounds / 2))
  print(
    `\n${size} skills, the whole index with bodies and files made anew (the first two: texts are in memory)`,
  )
  print(timesTable(samples, OURS))
  const median = summarise(samples.get('ours with reading')!.map(({ ms }) => ms)).median
  outcome.verdicts.push(
    ratioVerdict({ id: 'G2.7', text: `rebuild, ${size} / ${BARE}`, limit: 1.3 }, samples, [OURS, BARE]),
    limitVerdict({ id: 'S4', text: `rebuild of ${size}`, limit: 5000, unit: 'ms', floor: true }, median),
  )
}

async function query({ size, options, list, ours, bare }: Run, outcome: Outcome): Promise<void> {
  const { seed, rounds } = options
  const args = { seed, count: size, limit: LIMIT, list }
  const sides: Side[] = [
    { name: OURS, task: 'index-query', args: { ...args, file: ours } },
    { name: BARE, task: 'fts-query', args: { ...args, file: bare } },
    { name: ANSWER, task: 'fts-answer', args: { ...args, file: bare } },
    { name: NAMES, task: 'name-match', args },
    { name: LINEAR, task: 'linear', args },
  ]
  const samples = await alternate(sides, rounds)
  const packages = await measurePackages(args)
  print(`\n${size} skills, queries: p95 in ms of each process`)
  print(queryTable(samples, packages))
  const warm = samples.get(OURS)!.map(({ result }) => result.numbers!['warm']!)
  print(`reading all names after the first answer, while nobody waits: ${spread(warm)} ms`)
  queryVerdicts(size, samples, outcome)
  compareFound(size, samples, outcome)
}

async function measurePackages(args: object): Promise<Samples> {
  const samples: Samples = new Map()
  const engines: [PackageName, Side['task']][] = [
    ['minisearch', 'minisearch'],
    ['fuse.js', 'fuse'],
  ]
  for (const [name, task] of engines) {
    const found = packageDir(name)
    if (found.dir === undefined) print(`${name}: not measured: ${found.why}`)
    else samples.set(name, [await runTask({ name, task, args: { ...args, package: found.dir } })])
  }
  return samples
}

function p95(list: readonly Sample[], series: string): number[] {
  return list.map(({ result }) => percentile(result.series![series]!, 95))
}

function queryTable(samples: Samples, packages: Samples): string {
  const row = (name: string, list: readonly Sample[], series: string) => [
    name,
    spread(p95(list, series)),
    String(list[0]!.result.numbers?.['typos'] ?? ''),
    short(summarise(list.map(({ peakMb }) => peakMb)).median),
  ]
  const ours = samples.get(OURS)!
  return table(
    ['', 'p95 ms', 'typos of 12', 'peak MB'],
    [
      row(NAMES, samples.get(NAMES)!, 'query'),
      row('ours, whole answer as typed', ours, 'meta'),
      row('ours, typos', ours, 'typo'),
      row(LINEAR, samples.get(LINEAR)!, 'query'),
      ...[...packages].map(([name, list]) => row(`${name}, names`, list, 'query')),
      row('ours, bodies', ours, 'body'),
      row(`${BARE}, bodies`, samples.get(BARE)!, 'query'),
    ],
  )
}

function queryVerdicts(size: number, samples: Samples, { verdicts }: Outcome): void {
  const ours = samples.get(OURS)!
  const meta = p95(ours, 'meta')
  const as = (name: string, series: string): Sample[] => {
    const list = samples.get(name)!
    return p95(list, series).map((ms, at) => ({ ...list[at]!, ms }))
  }
  const names: Samples = new Map([
    [NAMES, as(NAMES, 'query')],
    [LINEAR, as(LINEAR, 'query')],
  ])
  const bodies: Samples = new Map([
    [OURS, as(OURS, 'body')],
    [BARE, as(BARE, 'query')],
  ])
  const typos = ours[0]!.result.numbers!['typos']!
  const wrong = { id: 'G3.1', text: `typos not found, ${size}`, limit: 12 - TYPOS_WANTED, unit: 'of 12' }
  verdicts.push(
    ratioVerdict({ id: 'G3.1', text: `names alone p95, ${size} / ${LINEAR}`, limit: 2 }, names, [
      NAMES,
      LINEAR,
    ]),
    limitVerdict(
      { id: 'G3.1', text: `names alone p95, ${size}`, limit: 4, unit: 'ms' },
      summarise(p95(samples.get(NAMES)!, 'query')).median,
    ),
    limitVerdict(
      { id: 'G3.1', text: `whole answer as typed p95, ${size}`, limit: 4, unit: 'ms' },
      summarise(meta).median,
    ),
    limitVerdict(wrong, 12 - typos),
    ratioVerdict({ id: 'G3.2', text: `bodies p95, ${size} / ${BARE}`, limit: 1.2 }, bodies, [OURS, BARE]),
    ratioVerdict({ id: 'G3.3', text: `open and first query, ${size} / ${ANSWER}`, limit: 1.5 }, samples, [
      OURS,
      ANSWER,
    ]),
    ratioVerdict({ id: 'G3.3', text: `the same, ${size} / ${BARE}, 40 names`, limit: 1.5 }, samples, [
      OURS,
      BARE,
    ]),
  )
}

/** What bare FTS5 finds for a query that is no flood, ours must find too. */
function compareFound(size: number, samples: Samples, { mismatches }: Outcome): void {
  const [ours, bare] = [OURS, BARE].map((name) => samples.get(name)![0]!.result.found!)
  let compared = 0
  for (const [query, wanted] of Object.entries(bare!)) {
    if (wanted.length > LIMIT) continue
    compared += 1
    const have = new Set(ours![query])
    const missing = wanted.filter((folder) => !have.has(folder))
    if (missing.length > 0) {
      mismatches.push(
        `"${query}" of ${size}: ${missing.length} of ${wanted.length} not found (${missing[0]})`,
      )
    }
  }
  print(
    `${compared} queries with at most ${LIMIT} hits compared: ours finds what ${BARE} finds, unless said below`,
  )
}
