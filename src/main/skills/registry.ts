import { existsSync } from 'node:fs'
import type { SkillRoot } from '@shared/domain/skill'
import { openSkillCache } from '../db/skill-cache'
import type { SkillCache } from '../db/skill-cache'
import type { Db } from '../db/open'
import type { Log } from '../lib/log'
import { isScriptFile, SkillFacts } from './facts'
import { resolvePrecedence } from './precedence'
import type { SkillEntry, SkillRecord } from './record'
import { resolveName } from './resolve'
import type { Resolved } from './resolve'
import { rootSpecs } from './roots'
import type { ProjectFolder } from './roots'
import { scanRoot } from './scan'
import type { RootScan } from './scan'
import { createWatcher } from './watch'
import type { Watcher, WatcherDeps } from './watch'

/** Every skill on disk, and which copy is used where. */
export interface Registry {
  /** Looks at all roots; reads only what changed. Calls during a look share one that starts after it. */
  refresh(): Promise<void>
  /** Every copy of every root, each folder and scope once. */
  all(): SkillRecord[]
  /** Every copy as seen from this project (null: none), in catalogue order: by name, the used copy first. */
  list(projectDir: string | null): SkillEntry[]
  roots(projectDir: string | null): SkillRoot[]
  /** The copy that a name means: `name`, or `name@scope`. Without case. */
  resolve(projectDir: string | null, name: string): Resolved
  /** One copy by its key; null when it is not (or no longer) there. */
  get(projectDir: string | null, key: string): SkillEntry | null
  /** Milliseconds of the last look. */
  scanMs(): number
  close(): void
}

export interface RegistryDeps {
  db: Db
  /** Personal skills are under it. */
  homeDir: string
  /** Holds `skills/`, the bundled ones. */
  resourcesDir: string
  projects(): readonly ProjectFolder[]
  projectOverPersonal(): boolean
  now(): number
  log: Log
  /** A skill was added, changed or removed, or a root or a project folder came or went. */
  onChange(): void
  /** Milliseconds between regular looks; for tests. */
  pollMs?: number
  /** For tests. */
  watch?: WatcherDeps['watch']
}

interface State {
  deps: RegistryDeps
  cache: SkillCache<SkillFacts>
  watcher: Watcher
  scans: RootScan[]
  /** Text that differs whenever anything did. */
  seen: string
  version: number
  views: Map<string, { of: string; entries: SkillEntry[] }>
  scanMs: number
  running: Promise<void>
  queued: Promise<void> | null
  timer: NodeJS.Timeout | undefined
  closed: boolean
}

const POLL_MS = 5000

/** Nothing is read before the first `refresh`; from then on changes on disk are noticed by themselves. */
export function createRegistry(deps: RegistryDeps): Registry {
  const state: State = {
    deps,
    cache: openSkillCache(deps.db, SkillFacts),
    watcher: createWatcher({
      onWake: () => void refresh(state),
      ...(deps.watch ? { watch: deps.watch } : {}),
    }),
    scans: [],
    seen: '',
    version: 0,
    views: new Map(),
    scanMs: 0,
    running: Promise.resolve(),
    queued: null,
    timer: undefined,
    closed: false,
  }
  return {
    refresh: () => refresh(state),
    all: () => allRecords(state),
    list: (projectDir) => view(state, projectDir),
    roots: (projectDir) => rootViews(state, projectDir),
    resolve: (projectDir, name) => resolveName(view(state, projectDir), name),
    get: (projectDir, key) => view(state, projectDir).find(({ record }) => record.key === key) ?? null,
    scanMs: () => state.scanMs,
    close() {
      state.closed = true
      clearTimeout(state.timer)
      state.watcher.close()
    },
  }
}

function refresh(state: State): Promise<void> {
  state.queued ??= lookNext(state)
  return state.queued
}

async function lookNext(state: State): Promise<void> {
  await state.running
  state.queued = null
  state.running = look(state).catch((error: unknown) => {
    state.deps.log.error('skills could not be looked at', error)
  })
  await state.running
}

async function look(state: State): Promise<void> {
  if (state.closed) return
  clearTimeout(state.timer)
  const { homeDir, resourcesDir, projects } = state.deps
  const started = performance.now()
  const scans: RootScan[] = []
  for (const spec of rootSpecs({ homeDir, resourcesDir, projects: projects() })) {
    scans.push(await scanRoot(spec, state.cache, isScriptFile))
  }
  if (state.closed) return
  state.scans = scans
  state.scanMs = performance.now() - started
  saveCache(state)
  state.watcher.set(scans.flatMap(({ spec, watch }) => [spec.dir, ...watch]))
  state.timer = setTimeout(() => void refresh(state), state.deps.pollMs ?? POLL_MS)
  state.timer.unref()
  announce(state)
}

function announce(state: State): void {
  const seen = state.scans.map(fingerprint).join('\n')
  if (seen === state.seen) return
  state.seen = seen
  state.version += 1
  state.deps.onChange()
}

function fingerprint({ spec, state, note, records }: RootScan): string {
  const copies = records.map(({ key, stamp, skillMd }) => `${key}\0${stamp}\0${skillMd}`)
  // A project without skills that is deleted changes nothing else.
  const exists = spec.projectDir === null || existsSync(spec.projectDir)
  return [spec.scope, spec.dir, state, note, String(exists), ...copies].join('\0')
}

/** Rows of roots that are not looked at now stay: their project may be opened again. */
function saveCache({ cache, scans, deps }: State): void {
  const put = scans.flatMap(({ fresh }) => fresh)
  const there = new Set(scans.flatMap(({ records }) => records.map(({ skillMd }) => skillMd)))
  const looked = scans.filter(({ state }) => state !== 'unreadable').map(({ spec }) => spec.dir)
  const remove = cache
    .paths()
    .filter((path) => !there.has(path) && looked.some((dir) => path.startsWith(dir)))
  if (put.length === 0 && remove.length === 0) return
  try {
    cache.save({ put, remove })
  } catch (error) {
    deps.log.warn('the skill cache could not be written', { reason: String(error) })
  }
}

function allRecords({ scans }: State): SkillRecord[] {
  const records = scans.flatMap((scan) => scan.records)
  return [...new Map(records.toReversed().map((record) => [record.key, record])).values()].reverse()
}

/** Kept until something changes that it depends on. */
function view(state: State, projectDir: string | null): SkillEntry[] {
  const { deps, scans, version, views } = state
  const trusted = deps.projects().some((project) => project.dir === projectDir && project.trusted)
  const projectOverPersonal = deps.projectOverPersonal()
  const of = `${version} ${trusted} ${projectOverPersonal}`
  const known = views.get(projectDir ?? '')
  if (known?.of === of) return known.entries
  const records = scans
    .filter(({ spec }) => spec.projectDir === null || spec.projectDir === projectDir)
    .flatMap((scan) => scan.records)
  const entries = resolvePrecedence(records, {
    projectOverPersonal,
    trusted: (record) => record.projectDir === null || trusted,
  })
  views.set(projectDir ?? '', { of, entries })
  return entries
}

const LIMITED =
  'Live updates are off for some folders, because the system allows no more of them. Changes are seen within 5 seconds.'

function rootViews({ deps, scans, watcher }: State, projectDir: string | null): SkillRoot[] {
  const trusted = deps.projects().some((project) => project.dir === projectDir && project.trusted)
  const notes = watcher.limited() ? [LIMITED] : []
  return scans
    .filter(({ spec }) => spec.projectDir === null || spec.projectDir === projectDir)
    .map(({ spec, state, note, records }) => {
      const all = [...(note ? [note] : []), ...notes].join(' ')
      const inert = spec.projectDir !== null && !trusted && state === 'found'
      return {
        scope: spec.scope,
        location: spec.label,
        state: inert ? 'not-trusted' : state,
        skills: records.length,
        ...(all === '' ? {} : { note: all }),
      }
    })
}
