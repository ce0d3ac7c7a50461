import { resolve } from 'node:path'
import type { Options } from '../main'
import { packageDir } from '../lib/packages'
import { alternate, runTask } from '../lib/processes'
import { limitVerdict, notMeasured, print, short, table } from '../lib/report'
import type { Outcome, Verdict } from '../lib/report'
import { percentile, summarise } from '../lib/statistics'
import { treeOf } from '../lib/tree'

const BUNDLED = 'resources/skills'

/** The error of the estimate on real skills, and its speed. */
export async function tokensSuite(options: Options): Promise<Outcome> {
  const verdicts = [...(await errors(options)), ...(await speed(options))]
  return { verdicts, mismatches: [] }
}

async function errors({ folders }: Options): Promise<Verdict[]> {
  const goal = { id: 'F9', text: 'error of the estimate on SKILL.md, median' }
  const found = packageDir('gpt-tokenizer')
  if (found.dir === undefined) return [notMeasured(goal, '≤ 10 %', found.why)]
  const rows: string[][] = []
  const all: number[] = []
  for (const folder of [BUNDLED, ...folders]) {
    const args = { folder: resolve(folder), package: found.dir }
    const { result } = await runTask({ name: folder, task: 'tokens-real', args })
    const { skillMd = [], skillMdOld = [], other = [], otherOld = [] } = result.series ?? {}
    all.push(...skillMd)
    if (skillMd.length > 0) rows.push([`${folder}: SKILL.md`, ...errorCells(skillMd, skillMdOld)])
    if (other.length > 0) rows.push([`${folder}: other text`, ...errorCells(other, otherOld)])
  }
  print(`\nError against o200k (gpt-tokenizer ${found.version}): median, nine of ten, largest`)
  print(table(['', 'files', 'estimate', 'characters / 4'], rows))
  if (all.length === 0) return [notMeasured(goal, '≤ 10 %', 'there is no SKILL.md')]
  return [limitVerdict({ ...goal, limit: 10, unit: '%' }, summarise(all).median * 100)]
}

function errorCells(ours: readonly number[], old: readonly number[]): string[] {
  return [String(ours.length), ...[ours, old].map(percentText)]
}

function percentText(errors: readonly number[]): string {
  return [50, 90, 100].map((at) => `${(percentile(errors, at) * 100).toFixed(1)} %`).join(' / ')
}

async function speed({ rounds, seed }: Options): Promise<Verdict[]> {
  const { skillsDir } = treeOf(1000, seed)
  const side = { name: 'estimate', task: 'tokens-speed', args: { folder: skillsDir, repeats: 20 } } as const
  const samples = (await alternate([side], rounds)).get('estimate')!
  const best = (name: string) => samples.map(({ result }) => Math.min(...result.series![name]!))
  const [estimate, look] = [summarise(best('estimate')), summarise(best('look'))]
  const first = summarise(samples.map(({ result }) => result.numbers!['first']!))
  print(
    `\n1 MB of SKILL.md: ${short(estimate.median)} ms (the first call ${short(first.median)} ms); a loop that looks`,
  )
  print(
    `at every character ${short(look.median)} ms. Characters / 4 looks at none of them and takes no time.`,
  )
  const goal = { id: 'F9', text: 'estimate / a look at every character', limit: 3, unit: '×' }
  return [limitVerdict(goal, estimate.median / look.median)]
}
