import type { ArrangeDone, ArrangePlan } from '@shared/domain/arranging'
import { foldName } from '@shared/skill-md/skill-name'
import { messageOf } from '../api'
import { words } from './strings'

/** One of several skills that go to the same folder: where to, or why not. */
export interface ManyRow {
  key: string
  name: string
  /** The folder that comes into being, for display; null: none does. */
  path: string | null
  refusal: string | null
  /** Of its plan. */
  hash: string
}

/** What each of them would do, in their order. Of two that would get the same folder the second stays. */
export function manyRows(
  skills: readonly { key: string; name: string }[],
  plans: ReadonlyMap<string, ArrangePlan>,
): ManyRow[] {
  const taken = new Set<string>()
  return skills.flatMap(({ key, name }) => {
    const plan = plans.get(key)
    if (!plan) return []
    const path = plan.makes?.path ?? null
    const place = path === null ? null : foldName(path)
    const twice = plan.refusal === null && place !== null && taken.has(place)
    if (plan.refusal === null && place !== null) taken.add(place)
    const refusal = twice ? words.many.twice : plan.refusal
    return [{ key, name, path: refusal === null ? path : null, refusal, hash: plan.hash }]
  })
}

/** What stays, each reason once, in the order in which they came up. */
export function byReason(refused: ReadonlyMap<string, string>): { reason: string; keys: string[] }[] {
  const groups = new Map<string, string[]>()
  for (const [key, reason] of refused) groups.set(reason, [...(groups.get(reason) ?? []), key])
  return [...groups].map(([reason, keys]) => ({ reason, keys }))
}

export interface EachDone {
  done: ArrangeDone[]
  /** Those that were refused meanwhile, each with the reason. */
  failed: { key: string; reason: string }[]
}

/** One after another; what is refused meanwhile keeps nothing else back. */
export async function doEach<T extends { key: string }>(
  rows: readonly T[],
  work: (row: T) => Promise<ArrangeDone>,
): Promise<EachDone> {
  const told: EachDone = { done: [], failed: [] }
  for (const row of rows) {
    try {
      told.done.push(await work(row))
    } catch (error) {
      told.failed.push({ key: row.key, reason: messageOf(error) })
    }
  }
  return told
}
