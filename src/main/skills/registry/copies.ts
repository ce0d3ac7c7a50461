import { Scope } from '@shared/domain/skill'
import { foldName } from '@shared/skill-md/skill-name'
import type { RootSpec, SkillRecord } from '../record'
import type { RootReport, ScanDelta } from '../scan/scan-contract'

/** Every copy of every skill, as the scanner tells of them, by key and by name. */
export interface Copies {
  /** Takes in what the scanner tells; the names, folded, of which something changed. */
  apply(delta: ScanDelta): Set<string>
  get(key: string): SkillRecord | undefined
  all(): readonly SkillRecord[]
  /** All copies of one folded name. */
  named(name: string): readonly SkillRecord[]
  /** Folded names of all copies, sorted. */
  names(): readonly string[]
  /**
   * Names of which rules can decide otherwise than that the one copy is used: there are several, or one is of a project,
   * only for some places, or of a folder that another copy has too. May hold names of which that was so once.
   */
  special(): ReadonlySet<string>
  /** Copies of the same folder under different keys; empty for nearly every folder. */
  sameFolder(record: SkillRecord): readonly SkillRecord[]
  countIn(spec: RootSpec): number
  roots(): readonly RootReport[]
}

interface State {
  byKey: Map<string, SkillRecord>
  /** One copy as it is: a list for each of thousands of names would take more memory than the copies' paths. */
  byName: Map<string, SkillRecord | SkillRecord[]>
  counts: Map<RootSpec, number>
  specs: Map<string, RootSpec>
  /** Equal short texts and lists of them, each kept once. */
  texts: Map<string, string>
  lists: Map<string, string[]>
  roots: RootReport[]
  names: string[] | null
  special: Set<string>
  all: SkillRecord[] | null
  /** What was not told of again since everything comes anew; null at all other times. */
  stale: Set<string> | null
}

const NONE: readonly never[] = Object.freeze([])

export function createCopies(): Copies {
  const state: State = {
    byKey: new Map(),
    byName: new Map(),
    counts: new Map(),
    specs: new Map(),
    texts: new Map(),
    lists: new Map(),
    roots: [],
    names: null,
    special: new Set(),
    all: null,
    stale: null,
  }
  return {
    apply: (delta) => apply(state, delta),
    get: (key) => state.byKey.get(key),
    all: () => (state.all ??= [...state.byKey.values()]),
    named: (name) => groupOf(state, name),
    names: () => (state.names ??= [...state.byName.keys()].sort()),
    special: () => state.special,
    sameFolder: (record) => sameFolder(state, record),
    countIn: (spec) => state.counts.get(spec) ?? 0,
    roots: () => state.roots,
  }
}

function apply(state: State, delta: ScanDelta): Set<string> {
  const changed = new Set<string>()
  if (delta.anew) state.stale = new Set(state.byKey.keys())
  if (delta.roots) {
    const roots = delta.roots.map((root) => ({ ...root, spec: internSpec(state, root.spec) }))
    state.roots = roots
  }
  const specs = new Map<RootSpec, RootSpec>()
  for (const record of delta.upsert) {
    const spec = specs.get(record.root) ?? internSpec(state, record.root)
    specs.set(record.root, spec)
    put(state, lean(state, record, spec), changed)
  }
  for (const key of delta.remove) remove(state, key, changed)
  if (delta.listed && state.stale) {
    for (const key of state.stale) remove(state, key, changed)
    state.stale = null
  }
  return changed
}

function put(state: State, record: SkillRecord, changed: Set<string>): void {
  const before = state.byKey.get(record.key)
  state.stale?.delete(record.key)
  // A scanner that was started anew tells of everything once more.
  if (before && isSame(before, record)) return
  const name = foldName(record.name)
  changed.add(name)
  state.all = null
  if (before && foldName(before.name) === name && before.root === record.root) {
    replace(state, before, record)
    if (record.availableTo) state.special.add(name)
    return
  }
  if (before) remove(state, record.key, changed)
  add(state, name, record)
  noteSameFolder(state, record, changed)
}

function add(state: State, name: string, record: SkillRecord): void {
  const { byKey, byName, counts, special } = state
  byKey.set(record.key, record)
  const group = byName.get(name)
  if (group) byName.set(name, [group, record].flat())
  else addName(state, name, record)
  if (group || record.projectDir !== null || record.availableTo) special.add(name)
  counts.set(record.root, (counts.get(record.root) ?? 0) + 1)
}

/** Of another look at the same copy: everything that finds it stays. */
function replace({ byKey, byName }: State, before: SkillRecord, record: SkillRecord): void {
  byKey.set(record.key, record)
  const name = foldName(record.name)
  const group = byName.get(name)!
  if (Array.isArray(group)) group[group.indexOf(before)] = record
  else byName.set(name, record)
}

function isSame(a: SkillRecord, b: SkillRecord): boolean {
  return a.stamp === b.stamp && a.root === b.root && JSON.stringify(a) === JSON.stringify(b)
}

function remove(state: State, key: string, changed: Set<string>): void {
  const record = state.byKey.get(key)
  if (!record) return
  const name = foldName(record.name)
  noteSameFolder(state, record, changed)
  state.byKey.delete(key)
  const [first, ...others] = groupOf(state, name).filter((other) => other !== record)
  if (!first) removeName(state, name)
  else state.byName.set(name, others.length > 0 ? [first, ...others] : first)
  state.counts.set(record.root, state.counts.get(record.root)! - 1)
  state.all = null
  changed.add(name)
}

function groupOf({ byName }: State, name: string): readonly SkillRecord[] {
  const group = byName.get(name)
  if (!group) return NONE
  return Array.isArray(group) ? group : [group]
}

/** A key is scope and folder, so that another copy of the folder is found without an index of folders. */
function sameFolder({ byKey }: State, { rootDir }: SkillRecord): readonly SkillRecord[] {
  const found = Scope.options.flatMap((scope) => byKey.get(`${scope}:${rootDir}`) ?? [])
  return found.length > 1 ? found : NONE
}

/** Which of two copies of one folder counts may decide about a skill of another name. */
function noteSameFolder(state: State, record: SkillRecord, changed: Set<string>): void {
  for (const other of sameFolder(state, record)) {
    changed.add(foldName(other.name))
    state.special.add(foldName(other.name))
  }
}

function addName(state: State, name: string, record: SkillRecord): void {
  state.byName.set(name, record)
  // Few new names are put in their places; many are sorted when somebody asks.
  if (state.names && state.names.length > 64) state.names.splice(placeOf(state.names, name), 0, name)
  else state.names = null
}

function removeName(state: State, name: string): void {
  state.byName.delete(name)
  state.names?.splice(placeOf(state.names, name), 1)
}

/** Where the name stands, or would stand. */
function placeOf(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (names[middle]! < name) low = middle + 1
    else high = middle
  }
  return low
}

/** Roots that are equal are one object: thousands of records point to it. */
function internSpec(state: State, spec: RootSpec): RootSpec {
  const id = JSON.stringify(spec)
  const known = state.specs.get(id)
  if (known) return known
  state.specs.set(id, spec)
  return spec
}

/** The same record in less memory: equal texts are shared, paths are parts of one (`performance.md` 0, decision 5). */
function lean(state: State, record: SkillRecord, root: RootSpec): SkillRecord {
  const { scope, rootDir, skillMd, folder, name } = record
  const rest = skillMd.startsWith(rootDir) ? skillMd.slice(rootDir.length) : null
  // Joined by an array, so that it is one flat text which the parts point into.
  const text = [scope, ':', rootDir, rest ?? ''].join('')
  const end = text.length - (rest?.length ?? 0)
  const { catalogue, body, files } = record.tokens
  // Written out: a copy by spreading takes more memory than the fields need.
  return {
    key: text.slice(0, end),
    name,
    description: record.description,
    scope: root.scope,
    rootDir: text.slice(scope.length + 1, end),
    folder: folder === name ? name : folder,
    root,
    skillMd: rest === null ? skillMd : text.slice(scope.length + 1),
    location: record.location,
    projectDir: root.projectDir,
    sharedIn: root.sharedIn,
    label: record.label,
    tags: onceList(state, record.tags),
    allowedTools: onceList(state, record.allowedTools),
    author: onceText(state, record.author),
    license: onceText(state, record.license),
    requires: onceList(state, record.requires),
    disableModelInvocation: record.disableModelInvocation,
    userInvocable: record.userInvocable,
    priority: record.priority,
    availableTo: record.availableTo,
    parent: record.parent,
    tokens: { catalogue, body, files },
    scripts: record.scripts,
    files: record.files,
    changedAt: record.changedAt,
    stamp: record.stamp,
    problems: record.problems,
    brokenReason: record.brokenReason,
    broken: record.broken,
    byHand: record.byHand,
    unread: record.unread,
  }
}

function onceText({ texts }: State, text: string | undefined): string | undefined {
  return text === undefined ? undefined : once(texts, text, text)
}

function onceList({ lists }: State, list: string[]): string[] {
  return list.length === 0 ? (NONE as readonly string[] as string[]) : once(lists, list.join('\0'), list)
}

/** More different ones are not worth remembering. */
const MAX_SHARED = 2000

function once<T>(known: Map<string, T>, key: string, value: T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size < MAX_SHARED) known.set(key, value)
  return value
}
