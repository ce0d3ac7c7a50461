import { AppError } from '@shared/errors'
import { agentFolders, readFolder } from './folders'
import type { AgentFile, AgentFolder, AgentPlaces } from './folders'
import { resolveAgents } from './precedence'
import type { AgentEntry, AgentRules } from './precedence'

/** Every agent's file on disk, and which one is used where. */
export interface Agents {
  /** By name, the used one first, as seen from the project (null: none); `as` answers for another trust than that of now. */
  list(projectDir: string | null, as?: Pick<AgentRules, 'trusted'>): readonly AgentEntry[]
  /** The file that a name means. Throws `not_found` and says what to do. */
  get(projectDir: string | null, name: string): AgentEntry
  /** The same; null when no file of the name can be used. */
  find(projectDir: string | null, name: string): AgentEntry | null
  /** Folders that could not be used, and why. */
  notes(): readonly string[]
  /** Looks at the folders of now: after a project was opened or trusted. */
  refresh(): void
  close(): void
}

/** Wakes when something may have changed in a folder; the one of skills does. */
export interface FolderWatcher {
  set(dirs: Iterable<string>, roots: Iterable<string>): void
  renew(dir: string): void
  close(): void
}

export interface AgentsDeps {
  /** As of now; asked at every look. */
  places(): AgentPlaces
  /** Asked at every question. */
  rules(projectDir: string | null): AgentRules
  /** A file was added, changed or removed, or counts otherwise than before: its project was trusted. */
  onChange(): void
  /** Told after the first look and after each that found something else: every file there is. */
  seen?(files: readonly AgentFile[]): void
  /** Without one nothing is noticed by itself. */
  watcher?: (onEvent: (dir: string) => void) => FolderWatcher
  /** Milliseconds between two regular looks, for what no watch tells. */
  pollMs?: number
}

const DEBOUNCE_MS = 50
const POLL_MS = 5000

interface State {
  deps: AgentsDeps
  files: AgentFile[]
  notes: string[]
  /** Text that differs whenever a file does. */
  stamp: string
  watcher: FolderWatcher | null
  timers: { look?: NodeJS.Timeout; poll?: NodeJS.Timeout }
  closed: boolean
}

/** Looks at once, and again whenever something changed: a saved file is known within half a second. */
export function createAgents(deps: AgentsDeps): Agents {
  const state: State = {
    deps,
    files: [],
    notes: [],
    stamp: '',
    watcher: null,
    timers: {},
    closed: false,
  }
  look(state, false)
  if (deps.watcher) {
    state.watcher = deps.watcher((dir) => event(state, dir))
    watchFolders(state)
    state.timers.poll = setInterval(() => look(state, true), deps.pollMs ?? POLL_MS)
    state.timers.poll.unref()
  }
  return {
    list: (projectDir, as) => listOf(state, projectDir, as),
    get: (projectDir, name) => find(state, projectDir, name) ?? refuse(state, projectDir, name),
    find: (projectDir, name) => find(state, projectDir, name),
    notes: () => state.notes,
    refresh() {
      look(state, true)
      watchFolders(state)
    },
    close() {
      state.closed = true
      state.watcher?.close()
      clearTimeout(state.timers.look)
      clearInterval(state.timers.poll)
    },
  }
}

function look(state: State, tell: boolean): void {
  if (state.closed) return
  const read = folders(state).map((folder) => ({ folder, ...readFolder(folder) }))
  state.files = read.flatMap(({ files }) => files)
  state.notes = read.flatMap(({ folder, note }) => (note === null ? [] : [`${folder.label}: ${note}`]))
  const stamp = stampOf(state)
  const changed = stamp !== state.stamp
  state.stamp = stamp
  if (changed) state.deps.seen?.(state.files)
  if (changed && tell) state.deps.onChange()
}

/** Trust and the order of scopes change what a file is as much as its bytes do. */
function stampOf({ deps, files, notes }: State): string {
  const projects = new Set([null, ...files.map(({ projectDir }) => projectDir)])
  const rules = [...projects].map((dir) => [dir, deps.rules(dir)])
  return JSON.stringify([notes, files.map(({ path, digest }) => [path, digest]), rules])
}

function folders({ deps }: State): AgentFolder[] {
  return agentFolders(deps.places())
}

function watchFolders(state: State): void {
  state.watcher?.set(
    [],
    folders(state).map(({ dir }) => dir),
  )
}

/** A folder that another took the place of is watched anew, after every event above it. */
function event(state: State, dir: string): void {
  if (state.closed || state.timers.look) return
  state.timers.look = setTimeout(() => {
    delete state.timers.look
    const dirs = folders(state).map((folder) => folder.dir)
    if (!dirs.includes(dir)) for (const own of dirs) state.watcher?.renew(own)
    look(state, true)
    watchFolders(state)
  }, DEBOUNCE_MS)
  state.timers.look.unref()
}

function listOf(
  { deps, files }: State,
  projectDir: string | null,
  as?: Pick<AgentRules, 'trusted'>,
): AgentEntry[] {
  const visible = files.filter((file) => file.projectDir === null || file.projectDir === projectDir)
  return resolveAgents(visible, { ...deps.rules(projectDir), ...as })
}

/** Names of the agents that can be used as seen from a project. */
export function agentNames(agents: Pick<Agents, 'list'>, projectDir: string | null): string[] {
  const usable = agents.list(projectDir).filter(({ status }) => status === 'effective')
  return usable.map(({ agent }) => agent.name)
}

function find(state: State, projectDir: string | null, name: string): AgentEntry | null {
  const wanted = name.trim().toLowerCase()
  const found = listOf(state, projectDir).find(
    ({ agent, status }) => status === 'effective' && agent.name === wanted,
  )
  return found ?? null
}

function refuse(state: State, projectDir: string | null, name: string): never {
  const list = listOf(state, projectDir)
  const same = list.find(({ agent }) => agent.name === name.trim().toLowerCase())
  if (same) throw new AppError('not_found', `The agent "${name}" can't be used: ${same.statusReason}`)
  const names = list.filter(({ status }) => status === 'effective').map(({ agent }) => agent.name)
  throw new AppError('not_found', `There is no agent "${name}". There are: ${names.join(', ')}.`)
}
