import { pairedRatios, summarise } from './statistics'
import type { Sample, Samples } from './processes'

/** One goal or floor and whether it holds. */
export interface Verdict {
  /** "G2.1", "S4". */
  id: string
  text: string
  /** As it is printed: "2.31×". */
  value: string
  limit: string
  /** Null: not measured, with the reason in `value`. */
  met: boolean | null
  /** A floor of the documents, not only a goal of ours: missing it fails the run. */
  floor: boolean
}

/** What a suite found. */
export interface Outcome {
  verdicts: Verdict[]
  /** Sentences on results that are not the same on both sides; any of them fails the run. */
  mismatches: string[]
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Columns as wide as their widest cell; the first is left, the others right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

/** Each side with its time, the ratio of `ours` to it, and its peak memory. */
export function timesTable(samples: Samples, ours: string): string {
  const mine = samples.get(ours)!.map(({ ms }) => ms)
  const rows = [...samples].map(([name, list]) => [
    name,
    spread(list.map(({ ms }) => ms)),
    name === ours
      ? ''
      : ratioText(
          pairedRatios(
            mine,
            list.map(({ ms }) => ms),
          ),
        ),
    peak(list),
  ])
  return table(['', 'ms median [min to max]', `${ours} is`, 'peak MB'], rows)
}

/** Goal `ours ≤ limit × yardstick`, from the median of the ratios of each round. */
export function ratioVerdict(
  goal: { id: string; text: string; limit: number },
  samples: Samples,
  [ours, yardstick]: readonly [string, string],
): Verdict {
  const [mine, theirs] = [samples.get(ours), samples.get(yardstick)]
  const limit = `≤ ${goal.limit}×`
  if (!mine || !theirs) return notMeasured(goal, limit, `${mine ? yardstick : ours} did not run`)
  const ratios = pairedRatios(
    mine.map(({ ms }) => ms),
    theirs.map(({ ms }) => ms),
  )
  const met = summarise(ratios).median <= goal.limit
  return { id: goal.id, text: goal.text, value: ratioText(ratios), limit, met, floor: false }
}

/** Goal or floor `value ≤ limit` in a unit. */
export function limitVerdict(
  goal: { id: string; text: string; limit: number; unit: string; floor?: boolean },
  value: number,
): Verdict {
  const { id, text, limit, unit, floor = false } = goal
  return {
    id,
    text,
    value: `${short(value)} ${unit}`,
    limit: `≤ ${limit} ${unit}`,
    met: value <= limit,
    floor,
  }
}

export function notMeasured(goal: { id: string; text: string }, limit: string, why: string): Verdict {
  return { id: goal.id, text: goal.text, value: `not measured: ${why}`, limit, met: null, floor: false }
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const word = ({ met, floor }: Verdict) =>
    met === null ? '–' : met ? 'met' : floor ? 'FLOOR MISSED' : 'missed'
  const rows = verdicts.map((verdict) => [
    `${verdict.id} ${verdict.text}`,
    verdict.value,
    verdict.limit,
    word(verdict),
  ])
  return table(['goal', 'value', 'limit', 'verdict'], rows)
}

/** 0, or 1 when a floor is missed or two sides disagree. */
export function exitCode({ verdicts, mismatches }: Outcome): number {
  return mismatches.length > 0 || verdicts.some(({ met, floor }) => floor && met === false) ? 1 : 0
}

export function spread(values: readonly number[]): string {
  const { median, min, max } = summarise(values)
  return `${short(median)} [${short(min)} to ${short(max)}]`
}

/** Three digits that count. */
export function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3)
}

function ratioText(ratios: readonly number[]): string {
  const { median, min, max } = summarise(ratios)
  return `${short(median)}× [${short(min)} to ${short(max)}]`
}

function peak(list: readonly Sample[]): string {
  return short(summarise(list.map(({ peakMb }) => peakMb)).median)
}
