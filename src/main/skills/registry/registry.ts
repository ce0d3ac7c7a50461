import type { SkillChanges, SkillRoot, SkillTotals } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import { foldName } from '@shared/skill-md/skill-name'
import { createChangeStream } from './changes'
import { createCheckEnvironment } from './check-environment'
import { createCopies } from './copies'
import type { Copies } from './copies'
import { readFull, unreadFull } from '../scan/facts'
import type { FullFacts, TypedFile } from '../scan/facts'
import type { Place } from './place'
import type { PrecedenceRules } from './precedence'
import type { SkillEntry, SkillRecord } from '../record'
import { resolveName } from './resolve'
import type { Resolved } from './resolve'
import { rootDirOf, rootViews } from '../roots/root-views'
import type { ProjectFolder, ScanInput } from '../roots/roots'
import type { ScanDelta, Scanner } from '../scan/scan-contract'
import type { RootNote } from '../sources/sources'
import { totalsOf } from './totals'
import { createView, fullRules } from './view'
import type { View, ViewRules } from './view'

/** Every skill on disk, and which copy is used where. */
export interface Registry {
  /** Looks at all roots; reads only what changed. Calls during a look share one that starts after it. */
  refresh(): Promise<void>
  /** Done when every skill was seen once; files and problems of many may still be unknown. */
  listed(): Promise<void>
  /** Rules changed (trust, a choice, a setting): what watches is told at once. */
  decide(): void
  /** Every copy of every root, each folder and scope once. */
  all(): readonly SkillRecord[]
  /**
   * Every copy as seen from this project (null: none), in catalogue order: by name, the used copy first. As one agent
   * may use them (F5), where one is named.
   */
  list(projectDir: string | null, agent?: string | null): readonly SkillEntry[]
  /** All copies with this name as seen from the project, the used one first. */
  copies(projectDir: string | null, name: string): readonly SkillEntry[]
  roots(projectDir: string | null): SkillRoot[]
  /** The folder that is shown under this name; null: none is. */
  rootDir(projectDir: string | null, location: string): string | null
  /** Roots, scan time and what the catalogue costs. */
  totals(projectDir: string | null): SkillTotals
  /** The list as it is, then what changes in it; parts below 256 kB. An entry comes again only when it is another. */
  watch(projectDir: string | null, signal: AbortSignal): AsyncIterable<SkillChanges>
  /** The copy that a name means: `name`, `name@scope`, `name@package` or `outer/inner`. Without case. */
  resolve(projectDir: string | null, name: string, agent?: string | null): Resolved
  /** One copy by its key; null when it is not (or no longer) there. */
  get(projectDir: string | null, key: string, agent?: string | null): SkillEntry | null
  /** One copy whatever the project. */
  record(key: string): SkillRecord | null
  /** Everything a skill says and what is to be said of it, read from disk now. Throws `not_found`. */
  facts(key: string, typed?: TypedFile): Promise<FullFacts>
  /** What decides in this project now. */
  rules(projectDir: string | null): PrecedenceRules
  /** Sources and folders that could not be used, and why. */
  notes(): readonly RootNote[]
  /** Changes in files of these skills are seen within half a second. */
  deepen(keys: readonly string[]): void
  /** Milliseconds of the last look. */
  scanMs(): number
  close(): void
}

export interface RegistryDeps {
  /** Starts the scanner, here or in another thread. */
  scanner(onDelta: (delta: ScanDelta) => void): Scanner
  /** Where skills are, as of now. */
  input(): ScanInput
  /** Which of them are trusted, asked often; by default those of `input`. */
  projects?(): readonly ProjectFolder[]
  projectOverPersonal(): boolean
  /** Why a name is off in a project (null: none), for an agent (null: any); by default nothing is. */
  offReason?(projectDir: string | null, agent: string | null): (name: string) => string | null
  /** Key of the copy that a project uses; by default none is chosen. */
  pinOf?(projectDir: string | null): (name: string) => string | null
  /** Folded names for which the two above may say something; by default they are asked for every name. */
  chosen?(): ReadonlySet<string>
  /** The current tenant, environment and agent in a project; by default none is set. Asked again after `decide`. */
  placeOf?(projectDir: string | null, agent: string | null): Place
  /** Why the organisation keeps a copy from being used; another function whenever that may have changed. */
  blocked?(): ((record: SkillRecord) => string | null) | null
  /** A skill was added, changed or removed, or a root or a project folder came or went. */
  onChange(): void
}

export interface RegistryState {
  deps: RegistryDeps
  copies: Copies
  scanner: Scanner
  /** By `viewId`. */
  views: Map<string, { view: View; rules: ViewRules; of: string }>
  notes: RootNote[]
  scanMs: number
  /** What the scanner was last told to look at. */
  input: string
  listed: boolean
  /** Something was told that `onChange` was not called for yet. */
  changed: boolean
  /** Rises with everything that can change what is seen. */
  version: number
  /** Rises when rules may be others. */
  decided: number
  waiting: Set<() => void>
  closed: boolean
}

/** Nothing is read before the first `refresh`; from then on changes on disk are noticed by themselves. */
export function createRegistry(deps: RegistryDeps): Registry {
  const state: RegistryState = {
    deps,
    copies: createCopies(),
    scanner: deps.scanner((delta) => apply(state, delta)),
    views: new Map(),
    notes: [],
    scanMs: 0,
    input: '',
    listed: false,
    changed: false,
    version: 0,
    decided: 0,
    waiting: new Set(),
    closed: false,
  }
  return { ...questions(state), ...commands(state) }
}

type Command = 'refresh' | 'listed' | 'decide' | 'deepen' | 'close'

function commands(state: RegistryState): Pick<Registry, Command> {
  return {
    refresh: () => refresh(state),
    listed: () => waitUntil(state, () => state.listed),
    decide: () => decide(state),
    deepen: (keys) => state.scanner.deepen(keys),
    close() {
      state.closed = true
      state.scanner.close()
      touched(state)
    },
  }
}

function questions(state: RegistryState): Omit<Registry, Command> {
  const { copies } = state
  return {
    all: () => copies.all(),
    list: (projectDir, agent = null) => viewOf(state, projectDir, agent).entries(),
    copies: (projectDir, name) => viewOf(state, projectDir).named(foldName(name)),
    roots: (projectDir) => rootViews(copies, projectDir, isTrusted(state, projectDir)),
    rootDir: (projectDir, location) => rootDirOf(copies, projectDir, location),
    totals: (projectDir) => totals(state, projectDir),
    watch: (projectDir, signal) => watch(state, projectDir, signal),
    resolve: (projectDir, name, agent = null) =>
      resolveName(viewOf(state, projectDir, agent).entries(), name),
    get: (projectDir, key, agent = null) => getEntry(state, { projectDir, agent }, key),
    record: (key) => copies.get(key) ?? null,
    facts: (key, typed) => readFacts(state, key, typed),
    rules: (projectDir) => fullRules(rulesOf(state, projectDir, null)),
    notes: () => state.notes,
    scanMs: () => state.scanMs,
  }
}

async function refresh(state: RegistryState): Promise<void> {
  if (state.closed) return
  const input = state.deps.input()
  const text = JSON.stringify(input)
  if (text !== state.input) {
    state.input = text
    state.scanner.configure(input)
  }
  decide(state)
  await state.scanner.refresh()
}

function decide(state: RegistryState): void {
  state.decided += 1
  touched(state)
}

function apply(state: RegistryState, delta: ScanDelta): void {
  if (state.closed) return
  const names = state.copies.apply(delta)
  if (delta.roots) state.notes = delta.notes
  if (delta.scanMs > 0) state.scanMs = delta.scanMs
  // The view from no project is always there: others are made from it.
  viewOf(state, null)
  for (const { view } of state.views.values()) view.update(names)
  state.changed ||= names.size > 0 || delta.roots !== null
  if (delta.listed) state.listed = true
  if (delta.listed && state.changed) {
    state.changed = false
    state.deps.onChange()
  }
  touched(state)
}

/** Whoever waits looks at what is there now. */
function touched(state: RegistryState): void {
  state.version += 1
  for (const wake of state.waiting) wake()
}

async function waitUntil(state: RegistryState, reached: () => boolean): Promise<void> {
  while (!reached() && !state.closed) {
    await new Promise<void>((resolve) => {
      const wake = () => {
        state.waiting.delete(wake)
        resolve()
      }
      state.waiting.add(wake)
    })
  }
}

function isTrusted({ deps }: RegistryState, projectDir: string | null): boolean {
  if (projectDir === null) return false
  const projects = deps.projects?.() ?? deps.input().projects
  return projects.some((project) => project.dir === projectDir && project.trusted)
}

const NOWHERE: Omit<Place, 'agent'> = { tenant: null, environment: null }

function rulesOf(state: RegistryState, projectDir: string | null, agent: string | null): ViewRules {
  const { deps } = state
  const pin = deps.pinOf?.(projectDir)
  const off = deps.offReason?.(projectDir, agent)
  const blocked = deps.blocked?.()
  const chosen = pin || off ? (deps.chosen?.() ?? null) : new Set<string>()
  const ask = (question: ((name: string) => string | null) | undefined) => (name: string) =>
    question && (!chosen || chosen.has(name)) ? question(name) : null
  return {
    projectOverPersonal: deps.projectOverPersonal(),
    trusted: isTrusted(state, projectDir),
    place: deps.placeOf?.(projectDir, agent) ?? { ...NOWHERE, agent },
    pin: ask(pin),
    off: ask(off),
    ...(blocked && { blocked }),
    chosen,
  }
}

/** As the rules are now. */
function viewOf(state: RegistryState, projectDir: string | null, agent: string | null = null): View {
  const { deps, decided, views } = state
  const of = `${decided} ${deps.projectOverPersonal()} ${isTrusted(state, projectDir)}`
  const id = viewId(projectDir, agent)
  const known = views.get(id)
  if (known?.of === of) return known.view
  const rules = rulesOf(state, projectDir, agent)
  const view = known?.view ?? newView(state, projectDir, { agent, rules })
  if (known) view.follow(rules)
  views.set(id, { view, rules, of })
  return view
}

/** The view of nobody in particular from no project is the one that all others are made from. */
function newView(
  state: RegistryState,
  projectDir: string | null,
  { agent, rules }: { agent: string | null; rules: ViewRules },
): View {
  if (projectDir === null && agent === null) return createView(state.copies, null, { rules, base: null })
  const view = viewOf(state, null)
  const base = { view, rules: state.views.get(viewId(null, null))!.rules }
  return createView(state.copies, projectDir, { rules, base })
}

function viewId(projectDir: string | null, agent: string | null): string {
  return JSON.stringify([projectDir, agent])
}

function getEntry(
  state: RegistryState,
  { projectDir, agent }: { projectDir: string | null; agent: string | null },
  key: string,
): SkillEntry | null {
  const record = state.copies.get(key)
  if (!record) return null
  const group = viewOf(state, projectDir, agent).named(foldName(record.name))
  return group.find((entry) => entry.record === record) ?? null
}

function totals(state: RegistryState, projectDir: string | null): SkillTotals {
  return {
    ...totalsOf(viewOf(state, projectDir).entries()),
    roots: rootViews(state.copies, projectDir, isTrusted(state, projectDir)),
    scanMs: state.scanMs,
  }
}

function watch(
  state: RegistryState,
  projectDir: string | null,
  signal: AbortSignal,
): AsyncIterable<SkillChanges> {
  return createChangeStream({
    view: () => viewOf(state, projectDir),
    totals: () => (state.listed ? totals(state, projectDir) : null),
    version: () => state.version,
    changed: (version) => waitUntil(state, () => state.version !== version || signal.aborted),
    wake: () => touched(state),
    closed: () => state.closed,
    signal,
  })
}

async function readFacts(
  { copies, deps }: RegistryState,
  key: string,
  typed?: TypedFile,
): Promise<FullFacts> {
  const record = copies.get(key)
  if (!record) {
    throw new AppError(
      'not_found',
      'This skill is not there any more. Its folder was moved, renamed or deleted.',
    )
  }
  if (record.unread) return unreadFull(record)
  const { skillMd, rootDir, folder, root, scope } = record
  const { env, programs } = deps.input()
  const allowHardLinks = scope === 'bundled'
  return readFull(
    { skillMd, realDir: rootDir, folder: root.mountedAs ?? folder, allowHardLinks },
    createCheckEnvironment(env, programs),
    typed,
  )
}
