import { basename } from 'node:path'
import type { Scope } from '@shared/domain/skill'
import { quickFold } from './quick-names'
import { whyNotHere } from './place'
import type { Place } from './place'
import type { SkillEntry, SkillRecord } from '../record'

/** What a decision depends on besides the copies. Names are in the form in which names are compared (`foldName`). */
export interface PrecedenceRules {
  /** The person's setting that flips Personal and Project, with the shared folders in them. */
  projectOverPersonal: boolean
  trusted(record: SkillRecord): boolean
  /** Key of the copy that the person chose for the project; null: none. */
  pin(name: string): string | null
  /** Why the name is off, in one sentence; null: it is not. */
  off(name: string): string | null
  place: Place
  /** Why the organisation keeps this copy from being used; null: it does not. */
  blocked?(record: SkillRecord): string | null
}

const RANK: Readonly<Record<Exclude<Scope, 'shared'>, number>> = {
  enterprise: 0,
  personal: 2,
  project: 4,
  plugin: 6,
  bundled: 8,
}

/**
 * Decides for every copy whether it is used (`product.md`, decision 1); the groups of `resolveGroup` in catalogue order,
 * which is by name. A folder that is reached twice counts once (`distinctFolders`). Does not depend on the order of
 * `records`.
 */
export function resolvePrecedence(records: readonly SkillRecord[], rules: PrecedenceRules): SkillEntry[] {
  const groups = new Map<string, SkillRecord[]>()
  for (const record of distinctFolders(records, rules)) {
    const name = quickFold(record.name)
    const group = groups.get(name)
    if (group) group.push(record)
    else groups.set(name, [record])
  }
  return [...groups].sort(([a], [b]) => byText(a, b)).flatMap(([, group]) => resolveGroup(group, rules))
}

/**
 * Each real folder once: through the root of the higher scope, but rather through one that is trusted, and rather as a
 * skill of its own than as one inside another. In any order.
 */
export function distinctFolders(records: readonly SkillRecord[], rules: PrecedenceRules): SkillRecord[] {
  const kept = new Map<string, SkillRecord>()
  for (const record of records) {
    const known = kept.get(record.rootDir)
    if (!known || compare(record, known, rules) < 0) kept.set(record.rootDir, record)
  }
  return [...kept.values()]
}

/**
 * Decides among all copies of one name, the used one first. Enterprise > Personal > Project > Plugin > Bundled, a
 * shared folder right after the scope it lies in; inside one scope `priority`, then nearness, in Plugin the last
 * installed, then path order. A pinned copy wins over all but Enterprise. A copy that can't be used here never shadows
 * another; a name that is off is off in all copies, save that nobody turns an Enterprise copy off. The copies are
 * replaced whole, nothing of two is merged.
 */
export function resolveGroup(records: readonly SkillRecord[], rules: PrecedenceRules): SkillEntry[] {
  const [first] = records
  if (!first) return []
  const name = quickFold(first.name)
  const pin = rules.pin(name)
  const sorted = distinctFolders(records, rules).sort((a, b) => compare(a, b, rules))
  const inert = new Map(sorted.map((record) => [record, whyInert(record, rules)]))
  const usable = sorted.filter((record) => !inert.get(record))
  const pinned = usable.find((record) => isPinned(record, pin))
  const winner = usable[0]?.scope === 'enterprise' ? usable[0] : (pinned ?? usable[0])
  const off = winner?.scope === 'enterprise' ? null : rules.off(name)
  const called = winner || off !== null ? undefined : sorted.find((record) => inert.get(record)?.byHand)
  const decided: Decided = { winner, off, called, pinned, pin, rules }
  return sorted
    .map((record) => entryOf(record, inert.get(record) ?? null, decided))
    .sort((a, b) => order(a) - order(b))
}

/** How a scope is called on screen. */
export function scopeLabel(scope: Scope): string {
  return `${scope[0]!.toUpperCase()}${scope.slice(1)}`
}

/** True for a skill inside another that can be called by `outer/inner`: nothing else is in its way. */
export function isCallableChild({ record, status, statusReason }: SkillEntry): boolean {
  return record.parent !== null && status === 'unavailable' && statusReason === insideReason(record.parent)
}

interface Inert {
  status: 'not-trusted' | 'broken' | 'unavailable'
  statusReason: string
  byPolicy?: true
  byHand?: true
}

interface Decided {
  winner: SkillRecord | undefined
  off: string | null
  /** The copy that a person means where no copy can be used. */
  called: SkillRecord | undefined
  pinned: SkillRecord | undefined
  pin: string | null
  rules: PrecedenceRules
}

/** Why this copy can't be used, whatever others there are; null when it can. */
function whyInert(record: SkillRecord, rules: PrecedenceRules): Inert | null {
  if (!rules.trusted(record)) {
    const statusReason = 'The project is not trusted yet. Its skills are used once you trust the folder.'
    return { status: 'not-trusted', statusReason }
  }
  if (!record.broken) return whyUnavailable(record, rules)
  const statusReason = record.brokenReason || 'It can not be read.'
  const byHand = record.byHand && whyUnavailable(record, rules) === null
  return { status: 'broken', statusReason, ...(byHand ? { byHand } : {}) }
}

function whyUnavailable(record: SkillRecord, rules: PrecedenceRules): Inert | null {
  const blocked = rules.blocked?.(record) ?? null
  if (blocked !== null) return { status: 'unavailable', statusReason: blocked, byPolicy: true }
  const elsewhere = whyNotHere(record.availableTo, rules.place)
  if (elsewhere) return { status: 'unavailable', statusReason: elsewhere }
  if (record.parent === null) return null
  return { status: 'unavailable', statusReason: insideReason(record.parent) }
}

/** `key` of the outer skill. */
function insideReason(key: string): string {
  return `It lies inside the skill ${basename(pathOf(key))}. Load ${basename(pathOf(key))}, or copy this folder out.`
}

function entryOf(record: SkillRecord, inert: Inert | null, decided: Decided): SkillEntry {
  const { winner, off } = decided
  const entry = { record, pinned: isPinned(record, decided.pin) }
  if (off !== null && inert?.status !== 'not-trusted' && inert?.status !== 'broken') {
    return { ...entry, status: 'off', statusReason: off }
  }
  if (inert) return { ...entry, ...(inert.byHand ? calledByHand(record, inert, decided) : inert) }
  if (!winner || winner === record) return { ...entry, status: 'effective', statusReason: '' }
  const label = scopeLabel(winner.scope)
  const statusReason =
    winner === decided.pinned
      ? `You chose the ${label} copy for this project: ${winner.location}`
      : `The ${label} copy is used${tieReason(winner, record, decided.rules)}: ${winner.location}`
  return { ...entry, status: 'shadowed', statusReason, shadowedBy: winner.scope }
}

/** Of several the first one, and only where no other copy is used. */
function calledByHand(record: SkillRecord, { byHand: _any, ...why }: Inert, { called }: Decided): Inert {
  if (record !== called) return why
  return {
    ...why,
    statusReason: `${why.statusReason} You can still call it with /${record.name}.`,
    byHand: true,
  }
}

/** What decided between two copies, in the order of `compare`. */
function tieReason(used: SkillRecord, other: SkillRecord, rules: PrecedenceRules): string {
  if (rankOf(used, rules) !== rankOf(other, rules)) return rankReason(used, other, rules)
  if (used.priority !== other.priority) {
    return `, because its priority is higher (${used.priority}, here ${other.priority})`
  }
  if (used.root.nearness !== other.root.nearness) return ', because its folder is searched first'
  if (installedAt(used) !== installedAt(other)) return ', because its plugin was installed last'
  return ', because its path comes first'
}

/** Of two scopes: their order, or the person's setting where without it the other copy would be used. */
function rankReason(used: SkillRecord, other: SkillRecord, rules: PrecedenceRules): string {
  const asDecided = { ...rules, projectOverPersonal: false }
  if (rankOf(used, asDecided) > rankOf(other, asDecided)) return ', because you put Project before Personal'
  return `, because ${placeLabel(used)} comes before ${placeLabel(other)}`
}

function placeLabel({ scope, sharedIn }: SkillRecord): string {
  if (scope !== 'shared' || sharedIn === null) return scopeLabel(scope)
  return `${scopeLabel(scope)} in ${scopeLabel(sharedIn)}`
}

/** By folder: the copy may be reached through another scope since it was chosen. */
function isPinned(record: SkillRecord, pin: string | null): boolean {
  return pin !== null && (record.key === pin || pathOf(record.key) === pathOf(pin))
}

function pathOf(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}

function order(entry: SkillEntry): number {
  return entry.status === 'effective' ? 0 : 1
}

/** Smaller first. Trusted before others, skills of their own before those inside another. */
function compare(a: SkillRecord, b: SkillRecord, rules: PrecedenceRules): number {
  return (
    Number(rules.trusted(b)) - Number(rules.trusted(a)) ||
    Number(a.parent !== null) - Number(b.parent !== null) ||
    rankOf(a, rules) - rankOf(b, rules) ||
    b.priority - a.priority ||
    a.root.nearness - b.root.nearness ||
    installedAt(b) - installedAt(a) ||
    byText(a.location, b.location) ||
    byText(a.key, b.key)
  )
}

function installedAt({ root }: SkillRecord): number {
  return root.plugin?.installedAt ?? 0
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
