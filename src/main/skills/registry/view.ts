import { foldName } from '@shared/skill-md/skill-name'
import type { Copies } from './copies'
import type { Place } from './place'
import { distinctFolders, resolveGroup } from './precedence'
import type { PrecedenceRules } from './precedence'
import type { SkillEntry, SkillRecord } from '../record'

/** What decides which copy is used, as seen from one project or from none. */
export interface ViewRules {
  projectOverPersonal: boolean
  /** The project is trusted; without a project it does not matter. */
  trusted: boolean
  place: Place
  /** By folded name. */
  pin(name: string): string | null
  off(name: string): string | null
  /** Another object whenever it may say something else. */
  blocked?: PrecedenceRules['blocked']
  /** The only names for which these two may say something; null: any. */
  chosen: ReadonlySet<string> | null
}

/** All copies as seen from one project, or from none; decided again only where something changed. */
export interface View {
  /** In catalogue order: by name, the used copy first. An entry that did not change stays the same object. */
  entries(): readonly SkillEntry[]
  /** The copies of one folded name, the used one first. */
  named(name: string): readonly SkillEntry[]
  /** All groups by folded name, in no order. A group that did not change stays the same array. */
  groups(): ReadonlyMap<string, readonly SkillEntry[]>
  /** Decides these folded names again. */
  update(names: Iterable<string>): void
  /** Rules may be others: decides again what they can change. */
  follow(rules: ViewRules): void
  /** Rises with every change. */
  version(): number
  /** Folded names that changed after this version; null: too long ago to know. */
  changedSince(version: number): Set<string> | null
}

interface State {
  copies: Copies
  projectDir: string | null
  rules: ViewRules
  full: PrecedenceRules
  groups: Map<string, readonly SkillEntry[]>
  flat: SkillEntry[] | null
  version: number
  log: { version: number; names: string[] }[]
}

const LOG = 100
const NONE: readonly SkillEntry[] = Object.freeze([])

/** The view from no project: what a project does not touch is shared with it. */
interface Base {
  view: View
  rules: ViewRules
}

/** The same for one decision: the copies of a project that is not trusted are not. */
export function fullRules({ trusted, blocked, ...rules }: ViewRules): PrecedenceRules {
  const { projectOverPersonal, place, pin, off } = rules
  return {
    ...(blocked && { blocked }),
    projectOverPersonal,
    place,
    pin,
    off,
    trusted: (record) => record.projectDir === null || trusted,
  }
}

/** Decides everything once. */
export function createView(
  copies: Copies,
  projectDir: string | null,
  first: { rules: ViewRules; base: Base | null },
): View {
  const state: State = {
    copies,
    projectDir,
    rules: first.rules,
    full: fullRules(first.rules),
    groups: new Map(),
    flat: null,
    version: 1,
    log: [],
  }
  const names = first.base ? startFrom(state, first.base) : copies.names()
  for (const name of names) {
    const group = decide(state, name)
    if (group.length > 0) state.groups.set(name, group)
    else state.groups.delete(name)
  }
  return {
    entries: () => (state.flat ??= flatten(state)),
    groups: () => state.groups,
    named: (name) => state.groups.get(name) ?? NONE,
    update: (names) => update(state, names),
    follow: (rules) => follow(state, rules),
    version: () => state.version,
    changedSince: (version) => changedSince(state, version),
  }
}

function flatten({ copies, groups }: State): SkillEntry[] {
  const flat: SkillEntry[] = []
  for (const name of copies.names()) {
    const group = groups.get(name)
    if (group) for (const entry of group) flat.push(entry)
  }
  return flat
}

/** Takes over the groups of the view from no project; gives the names that can be different here. */
function startFrom(state: State, { view, rules }: Base): Iterable<string> {
  if (rules.projectOverPersonal !== state.rules.projectOverPersonal) return state.copies.names()
  state.groups = new Map(view.groups())
  return concerned(state, rules)
}

/** Names that these rules or those before can decide otherwise than any others: few where few were chosen. */
function concerned({ copies, rules }: State, before: ViewRules): Iterable<string> {
  if (!rules.chosen || !before.chosen || rules.blocked !== before.blocked) return copies.names()
  return new Set([...copies.special(), ...rules.chosen, ...before.chosen])
}

function decide(state: State, name: string): readonly SkillEntry[] {
  const { copies, projectDir, full } = state
  const visible = copies
    .named(name)
    .filter((record) => isVisible(record, projectDir) && isOwnFolder(state, record))
  const decided = resolveGroup(visible, full)
  return decided.length > 0 ? decided : NONE
}

function isVisible(record: SkillRecord, projectDir: string | null): boolean {
  return record.projectDir === null || record.projectDir === projectDir
}

/** False for a copy whose folder counts as one of another name, in a higher scope. */
function isOwnFolder({ copies, projectDir, full }: State, record: SkillRecord): boolean {
  const same = copies.sameFolder(record)
  if (same.length === 0) return true
  const visible = same.filter((other) => isVisible(other, projectDir))
  const [first] = distinctFolders(visible, full)
  return !first || foldName(first.name) === foldName(record.name)
}

function update(state: State, names: Iterable<string>): void {
  const changed: string[] = []
  for (const name of names) {
    const before = state.groups.get(name) ?? NONE
    const after = keepSame(before, decide(state, name))
    if (after === before) continue
    if (after.length > 0) state.groups.set(name, after)
    else state.groups.delete(name)
    changed.push(name)
  }
  if (changed.length === 0) return
  state.version += 1
  state.flat = null
  state.log.push({ version: state.version, names: changed })
  if (state.log.length > LOG) state.log.shift()
}

/** Entries that say the same stay the same objects; `before` itself when all do. */
function keepSame(before: readonly SkillEntry[], after: readonly SkillEntry[]): readonly SkillEntry[] {
  const kept = after.map((entry) => before.find((known) => isSame(known, entry)) ?? entry)
  const same = kept.length === before.length && kept.every((entry, at) => entry === before[at])
  return same ? before : kept
}

function isSame(a: SkillEntry, b: SkillEntry): boolean {
  return (
    a.record === b.record &&
    a.status === b.status &&
    a.statusReason === b.statusReason &&
    a.shadowedBy === b.shadowedBy &&
    a.byPolicy === b.byPolicy &&
    a.pinned === b.pinned
  )
}

function follow(state: State, rules: ViewRules): void {
  const before = state.rules
  state.rules = rules
  state.full = fullRules(rules)
  update(state, concerned(state, before))
}

function changedSince({ version, log }: State, known: number): Set<string> | null {
  if (known === version) return new Set()
  const missed = log.filter((change) => change.version > known)
  return missed.length === version - known ? new Set(missed.flatMap(({ names }) => names)) : null
}
