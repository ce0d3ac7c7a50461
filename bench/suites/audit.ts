import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTask } from '../lib/processes'
import { limitVerdict, print, short, spread, table } from '../lib/report'
import type { Outcome, Verdict } from '../lib/report'
import { percentile, summarise } from '../lib/statistics'
import type { Options } from '../main'

/** Milliseconds for a record of a million (ux.md 7). */
const FIRST_PAGE_MS = 200
const FILTER_MS = 300

/** Entries that one process makes: each has limited time. */
const PART = 100_000

/** Reading a long record: pages, facts, filters, verification, export. */
export async function auditSuite({ entries, rounds, seed }: Options): Promise<Outcome> {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-audit-'))
  const args = { file: join(scratch, 'satchel.db'), entries, rounds }
  try {
    for (let from = 1; from <= entries; from += PART) {
      const part = { file: args.file, entries, seed, from, to: Math.min(entries, from + PART - 1) }
      await runTask({ name: 'data', task: 'audit-data', args: part })
    }
    print(`\nThe audit with ${entries} entries, ms`)
    const { result, peakMb } = await runTask({ name: 'audit', task: 'audit', args })
    const series = result.series ?? {}
    const names = Object.keys(series).filter((name) => !name.startsWith('bare '))
    print(
      table(
        ['', 'Satchel', 'a bare statement', 'ratio'],
        names.map((name) => row(series, name)),
      ),
    )
    print(`peak ${short(peakMb)} MB`)
    const found = result.numbers?.['total']
    return {
      verdicts: names.flatMap((name) => verdictOf(name, series[name]!)),
      mismatches: found === entries ? [] : [`the summary counts ${found} of ${entries} entries`],
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function row(series: Record<string, number[]>, name: string): string[] {
  const [ours, bare] = [series[name]!, series[`bare ${name}`]!]
  const ratio = summarise(ours).median / summarise(bare).median
  return [name, spread(ours), spread(bare), `${short(ratio)}×`]
}

function verdictOf(name: string, times: readonly number[]): Verdict[] {
  const limit = name.includes('page') ? FIRST_PAGE_MS : name.startsWith('filter') ? FILTER_MS : null
  if (limit === null) return []
  const goal = { id: 'UX7', text: `audit, ${name}, p95`, limit, unit: 'ms' }
  return [limitVerdict(goal, percentile(times, 95))]
}
