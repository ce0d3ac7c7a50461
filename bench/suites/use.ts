import { join } from 'node:path'
import type { Options } from '../main'
import { alternate, runTask } from '../lib/processes'
import type { Sample, Samples } from '../lib/processes'
import { limitVerdict, print, short, spread, table } from '../lib/report'
import type { Outcome } from '../lib/report'
import { percentile, summarise } from '../lib/statistics'
import { treeOf } from '../lib/tree'

const OURS = 'with the registry'
const ALONE = 'dropping what the worker finds'

/** What the main thread does with what was found: start, memory, loading a skill, the catalogue. */
export async function useSuite(options: Options, outcome: Outcome): Promise<void> {
  for (const size of options.sizes) await startOf(size, options, outcome)
  await loading(options, outcome)
  await catalogues(options, outcome)
}

function numbers(list: readonly Sample[], name: string): number[] {
  return list.map(({ result }) => result.numbers![name]!)
}

async function startOf(size: number, options: Options, outcome: Outcome): Promise<void> {
  const { home, skillsDir, skills } = treeOf(size, options.seed)
  const folder = skills[Math.floor(size / 3)]!.folder
  const args = { home, skillsDir, folder, count: size, seed: options.seed }
  const samples = await alternate(
    [
      { name: OURS, task: 'start', args: { ...args, registry: true } },
      { name: ALONE, task: 'start', args: { ...args, registry: false } },
    ],
    Math.ceil(options.rounds / 2),
  )
  const ours = samples.get(OURS)!
  print(`\n${size} skills, registry and worker thread from nothing`)
  print(startTable(samples))
  if (numbers(ours, 'missedChange').some((missed) => missed > 0)) {
    outcome.mismatches.push(`the registry of ${size} did not see a change after a look`)
  }
  startVerdicts(size, samples, outcome)
}

function startTable(samples: Samples): string {
  const ours = samples.get(OURS)!
  const row = (text: string, values: readonly number[], unit: string) => [text, spread(values), unit]
  return table(
    ['', 'median [min to max]', ''],
    [
      row(
        'every skill in the list',
        ours.map(({ ms }) => ms),
        'ms',
      ),
      row('everything known of it', numbers(ours, 'complete'), 'ms'),
      row('a look after one change', numbers(ours, 'changed'), 'ms'),
      row('main thread longest blocked: start', numbers(ours, 'blockedStart'), 'ms'),
      row(`the same ${ALONE}`, numbers(samples.get(ALONE)!, 'blockedStart'), 'ms'),
      row('main thread longest blocked: one change', numbers(ours, 'blockedChange'), 'ms'),
      row('main thread longest blocked: searches', numbers(ours, 'blockedSearch'), 'ms'),
      row('search asked in main to answered, p95', ours.map(searchP95), 'ms'),
      row('heap of the main thread that stays', numbers(ours, 'heapMb'), 'MB'),
      row(
        'peak of the process',
        ours.map(({ peakMb }) => peakMb),
        'MB',
      ),
    ],
  )
}

function searchP95({ result }: Sample): number {
  return percentile(result.series!['search']!, 95)
}

function startVerdicts(size: number, samples: Samples, { verdicts }: Outcome): void {
  const ours = samples.get(OURS)!
  const middle = (name: string) => summarise(numbers(ours, name)).median
  const blocked = Math.max(middle('blockedStart'), middle('blockedChange'))
  const alone = short(summarise(numbers(samples.get(ALONE)!, 'blockedStart')).median)
  const perThousand = (middle('heapMb') / size) * 1000
  verdicts.push(
    limitVerdict(
      { id: 'G2.9', text: `main thread blocked, ${size} (without ours ${alone} ms)`, limit: 8, unit: 'ms' },
      blocked,
    ),
    limitVerdict(
      { id: 'G3.4', text: `blocked by searches, ${size}`, limit: 8, unit: 'ms' },
      middle('blockedSearch'),
    ),
  )
  if (size < 1000) return
  verdicts.push(
    limitVerdict({ id: 'G2.5', text: `heap per 1000, of ${size}`, limit: 1.2, unit: 'MB' }, perThousand),
    limitVerdict(
      { id: 'S4', text: `memory per 1000, of ${size}`, limit: 10, unit: 'MB', floor: true },
      perThousand,
    ),
  )
}

async function loading({ sizes, rounds, seed }: Options, { verdicts }: Outcome): Promise<void> {
  const { home } = treeOf(sizes.find((size) => size >= 1000) ?? sizes.at(-1)!, seed)
  const side = { name: 'load', task: 'activate', args: { home, skills: 100 } } as const
  const list = (await alternate([side], Math.ceil(rounds / 2))).get('load')!
  const p95 = (name: string) => list.map(({ result }) => percentile(result.series![name]!, 95))
  print(
    `\nLoading a skill of about 10 kB, snapshot and digest included, p95: the first time ${spread(p95('first'))} ms,`,
  )
  print(`again ${spread(p95('again'))} ms (through a message port; a window was not open).`)
  print(`Only making the same folders and files, in turn with the first time, p95 ${spread(p95('bare'))} ms`)
  const goal = { id: 'G2.6', text: 'loading again p95, no window', limit: 2, unit: 'ms' }
  const floor = { id: 'S4', text: 'activation p95, first time', limit: 50, unit: 'ms', floor: true }
  verdicts.push(
    limitVerdict(goal, summarise(p95('again')).median),
    limitVerdict({ ...goal, text: 'loading the first time p95, no window' }, summarise(p95('first')).median),
    limitVerdict(floor, summarise(p95('first')).median),
  )
}

async function catalogues({ sizes, seed }: Options, { verdicts }: Outcome): Promise<void> {
  const largest = sizes.at(-1)!
  const list = join(treeOf(largest, seed).home, 'made.json')
  const counts = [0, 1, 1000, 10_000].filter((count) => count <= largest)
  const { result } = await runTask({ name: 'catalogue', task: 'catalogue', args: { list, counts } })
  const rows = counts.map((count) => {
    const [ms, ...sizes] = result.series![String(count)]!
    return [`${count} skills`, short(ms!), ...sizes.map(String)]
  })
  print('\nThe catalogue of a model with a window of 200,000 tokens')
  print(table(['', 'ms', 'entries', 'tokens', 'bytes', 'compact, bytes'], rows))
  const largestOf = (at: number) => Math.max(...counts.map((count) => result.series![String(count)]![at]!))
  const [slowest, most, compact] = [largestOf(0), largestOf(2), largestOf(4)]
  verdicts.push(
    limitVerdict(
      { id: 'G2.8', text: 'catalogue within the budget of R3', limit: 4000, unit: 'tokens' },
      most,
    ),
    limitVerdict({ id: 'G2.8', text: 'compact style', limit: 1000, unit: 'bytes' }, compact),
    limitVerdict({ id: 'G2.9', text: 'making the catalogue, first call', limit: 8, unit: 'ms' }, slowest),
  )
}
