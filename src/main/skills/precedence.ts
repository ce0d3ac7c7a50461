import type { Diagnostic, Scope } from '@shared/domain/skill'
import { foldName } from '@shared/skill-md/skill-name'
import type { SkillEntry, SkillRecord } from './record'

export interface PrecedenceRules {
  /** The person's setting that flips Personal and Project. */
  projectOverPersonal: boolean
  trusted(record: SkillRecord): boolean
}

const RANK: Readonly<Record<Exclude<Scope, 'shared'>, number>> = {
  enterprise: 0,
  personal: 2,
  project: 4,
  plugin: 6,
  bundled: 8,
}

/**
 * Decides for every copy whether it is used (`product.md`, decision 1): Enterprise > Personal > Project > Plugin >
 * Bundled, a shared folder right after the scope it lies in; inside one scope `priority`, then path order. A folder
 * that is reached twice counts once, in the higher scope. Broken copies and those of untrusted projects never shadow
 * another. In catalogue order: by name, the used copy first. Does not depend on the order of `records`.
 */
export function resolvePrecedence(records: readonly SkillRecord[], rules: PrecedenceRules): SkillEntry[] {
  const trusted = new Map(records.map((record) => [record, rules.trusted(record)]))
  const standing = (record: SkillRecord) => (trusted.get(record) ? 0 : 1)
  const sorted = [...records].sort((a, b) => standing(a) - standing(b) || compare(a, b, rules))
  const once = [...new Map(sorted.toReversed().map((record) => [record.rootDir, record])).values()].reverse()
  const used = new Map<string, SkillRecord>()
  for (const record of once) {
    const name = foldName(record.name)
    if (trusted.get(record) && !record.broken && !used.has(name)) used.set(name, record)
  }
  return once
    .map((record) => statusOf(record, used.get(foldName(record.name)), trusted.get(record) ?? false))
    .sort((a, b) => byText(foldName(a.record.name), foldName(b.record.name)) || order(a) - order(b))
}

/** How a scope is called on screen. */
export function scopeLabel(scope: Scope): string {
  return `${scope[0]!.toUpperCase()}${scope.slice(1)}`
}

function order(entry: SkillEntry): number {
  return entry.status === 'effective' ? 0 : 1
}

function statusOf(record: SkillRecord, winner: SkillRecord | undefined, trusted: boolean): SkillEntry {
  if (!trusted) {
    const statusReason = 'The project is not trusted yet. Its skills are used once you trust the folder.'
    return { record, status: 'not-trusted', statusReason }
  }
  if (record.broken) {
    const error = record.diagnostics.find(({ severity }) => severity === 'error')
    return { record, status: 'broken', statusReason: reasonOf(error) }
  }
  if (winner === record || !winner) return { record, status: 'effective', statusReason: '' }
  const statusReason = `The ${scopeLabel(winner.scope)} copy is used: ${winner.location}`
  return { record, status: 'shadowed', statusReason, shadowedBy: winner.scope }
}

function compare(a: SkillRecord, b: SkillRecord, rules: PrecedenceRules): number {
  return (
    rankOf(a, rules) - rankOf(b, rules) ||
    b.priority - a.priority ||
    byText(a.location, b.location) ||
    byText(a.key, b.key)
  )
}

function rankOf(record: SkillRecord, rules: PrecedenceRules): number {
  const shared = record.scope === 'shared'
  const scope = record.scope === 'shared' ? (record.sharedIn ?? 'plugin') : record.scope
  return RANK[flipped(scope, rules)] + (shared ? 1 : 0)
}

function flipped<T extends string>(scope: T, rules: PrecedenceRules): T | 'personal' | 'project' {
  if (!rules.projectOverPersonal) return scope
  if (scope === 'personal') return 'project'
  return scope === 'project' ? 'personal' : scope
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** What is wrong and what to do, in two sentences. */
function reasonOf(error: Diagnostic | undefined): string {
  if (!error) return 'It can not be read.'
  return error.fix === undefined ? error.message : `${error.message} ${error.fix}`
}
