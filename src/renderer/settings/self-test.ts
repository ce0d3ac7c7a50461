import corpus from '../../../resources/attack-corpus.json'

/** One id of the attack corpus (`security.md` 5). */
export interface AttackCase {
  id: string
  group: string
  title: string
  expected: string
  /** `core`: the whole app with its sandbox; `none`: nothing plays it. */
  layer: string
  proofs: { file: string; test?: string }[]
  /** What it does not show; with the layer `none` why there is no proof. */
  gap?: string
}

/** What `npm run corpus` wrote: an id that is left out was not played. */
export interface LastRun {
  /** ISO 8601. */
  date: string
  commit: string | null
  /** Digest of the sources that were attacked. */
  sources: string
  platform: string
  node: string
  electron: string | null
  defences: { tried: number; failed: number } | null
  ids: Readonly<Record<string, string>>
}

export type CaseState = 'held' | 'failed' | 'not-run' | 'not-here' | 'not-covered'

export interface Attack extends AttackCase {
  state: CaseState
}

export const ATTACK_CASES: readonly AttackCase[] = corpus

/** Each case with what came of it; `hasSandbox` says whether one exists for this system at all. */
export function attacksOf(
  cases: readonly AttackCase[],
  lastRun: LastRun | null,
  hasSandbox: boolean,
): Attack[] {
  return cases.map((one) => ({ ...one, state: stateOf(one, lastRun, hasSandbox) }))
}

function stateOf({ id, layer }: AttackCase, lastRun: LastRun | null, hasSandbox: boolean): CaseState {
  if (layer === 'none') return 'not-covered'
  if (layer === 'core' && !hasSandbox) return 'not-here'
  const told = lastRun?.ids[id]
  if (told === undefined) return 'not-run'
  // A word that nobody knows is no proof.
  return told === 'held' ? 'held' : 'failed'
}

/** By group, in the order of the list. */
export function byGroup(attacks: readonly Attack[]): [group: string, attacks: Attack[]][] {
  const groups = new Map<string, Attack[]>()
  for (const attack of attacks) groups.set(attack.group, [...(groups.get(attack.group) ?? []), attack])
  return [...groups]
}
