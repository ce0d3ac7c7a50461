import { runTask } from '../lib/processes'
import { limitVerdict, print, spread, table } from '../lib/report'
import type { Outcome } from '../lib/report'
import { pairedRatios, percentile, summarise } from '../lib/statistics'
import type { Options } from '../main'

const BYTES = 20_000_000

/** Runs of scripts in the sandbox beside the same on a bare terminal: start, first byte, printing, ending. */
export async function execSuite({ rounds }: Options): Promise<Outcome> {
  const args = { runs: rounds * 3, bytes: BYTES, prints: Math.min(3, rounds) }
  const { result } = await runTask({ name: 'exec', task: 'exec', args })
  const of = (name: string) => result.series?.[name] ?? []
  const rows = ['run', 'first byte', 'print', 'kill'].map((name) => [
    name,
    spread(of(name)),
    percentile(of(name), 95).toFixed(1),
    spread(of(`bare ${name}`)),
    percentile(of(`bare ${name}`), 95).toFixed(1),
  ])
  print(
    `\nScripts in the sandbox and the same on a bare terminal, ms; ${args.runs} runs, ${args.prints} times 20 MB`,
  )
  print(table(['', 'Satchel', 'p95', 'bare', 'p95'], rows))
  const p95 = (name: string) => percentile(of(name), 95)
  const ratio = (name: string) => summarise(pairedRatios(of(name), of(`bare ${name}`))).median
  const { lost = Number.NaN, survivors = Number.NaN, queued = Number.NaN } = result.numbers ?? {}
  return {
    verdicts: [
      limitVerdict(
        { id: 'G5.1', text: 'first byte / bare terminal', limit: 1.5, unit: '×' },
        ratio('first byte'),
      ),
      limitVerdict(
        { id: 'X2', text: 'sandbox overhead of a run, p95', limit: 40, unit: 'ms' },
        p95('run') - p95('bare run'),
      ),
      limitVerdict(
        { id: 'G5.2', text: 'time to print 20 MB / bare terminal', limit: 1.25, unit: '×' },
        ratio('print'),
      ),
      limitVerdict({ id: 'G5.2', text: 'bytes lost', limit: 0, unit: 'bytes', floor: true }, lost),
      limitVerdict(
        { id: 'G5.3', text: 'ending a tree, p95 / SIGKILL to a group', limit: 1.5, unit: '×' },
        p95('kill') / p95('bare kill'),
      ),
      limitVerdict({ id: 'G5.3', text: 'survivors', limit: 0, unit: 'processes', floor: true }, survivors),
      limitVerdict(
        { id: 'G5.4', text: 'waiting for a slow window', limit: 1.1, unit: 'MB', floor: true },
        queued / 1e6,
      ),
    ],
    mismatches: [],
  }
}
