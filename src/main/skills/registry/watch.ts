import { existsSync, statfsSync, watch as fsWatch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errorCode } from '../store/safe-read'

/** Watches folders only to be woken: what changed is found by looking (`performance.md` 4). One watch per folder. */
export interface Watcher {
  /**
   * Watches exactly these folders from now on. Those of `roots` may be missing: that is noticed when one, or a folder
   * above it, appears.
   */
  set(dirs: Iterable<string>, roots: Iterable<string>): void
  /** Watches these places besides, from now on. True when they, or folders that are watched, are others than before. */
  near(places: NearPlaces): boolean
  /** The folder at this path may be another one by now: it is watched anew. */
  renew(dir: string): void
  /** True when the system's limit of watches was reached: regular looks are all there is for some folders. */
  limited(): boolean
  close(): void
}

/** Paths that are watched in the nearest folder above them that exists, for their names alone. */
export interface NearPlaces {
  /** All of them. */
  always: readonly string[]
  /** As many as `MAX_NEAR` folders hold, the most important first: what is beyond waits for the regular look. */
  names: readonly string[]
  /** Folders of which every entry counts. */
  folders: readonly string[]
}

export interface WatcherDeps {
  /** Something may have changed in this folder: one of `set`, or one above a missing one; or at a path of `near`. */
  onEvent(path: string): void
  /** For tests. */
  watch?: typeof fsWatch | undefined
}

interface State {
  deps: WatcherDeps
  handles: Map<string, FSWatcher>
  /** Folders that are watched for their own sake. */
  own: Set<string>
  /** By folder above roots: the only names in it that matter. */
  above: Map<string, Set<string>>
  /** By folder above what is watched for its name: those names; null: all. */
  near: Map<string, Set<string> | null>
  /** Watched folders that went away or were moved: at their path may be another one by now, of which nothing is told. */
  lost: Set<string>
  /** A lost one is watched anew since `near` was asked: what came in between made no event. */
  found: boolean
  limited: boolean
  closed: boolean
}

/** Beside those for skills and roots (G4.3). */
const MAX_NEAR = 10

export function createWatcher(deps: WatcherDeps): Watcher {
  const state: State = {
    deps,
    handles: new Map(),
    own: new Set(),
    above: new Map(),
    near: new Map(),
    lost: new Set(),
    found: false,
    limited: false,
    closed: false,
  }
  return {
    set: (dirs, roots) => setDirs(state, dirs, roots),
    near: (places) => setNear(state, places),
    renew(dir) {
      if (state.closed || !state.handles.has(dir)) return
      stop(state, dir)
      start(state, dir)
    },
    limited: () => state.limited,
    close() {
      state.closed = true
      for (const dir of state.handles.keys()) stop(state, dir)
    },
  }
}

const NETWORK_TYPES = new Set([
  0x6969, // nfs
  0x517b, // smb
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x01021997, // 9p
  0x65735546, // fuse
  0x786f4256, // vboxsf
  0x7c7c6673, // prl_fs
])

/** True where the system tells of no changes that others make, because the folder lies on another machine. */
export function isRemote(dir: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return NETWORK_TYPES.has(statfsSync(dir).type >>> 0)
  } catch {
    return false // a missing folder is on no file system
  }
}

function setDirs(state: State, dirs: Iterable<string>, roots: Iterable<string>): void {
  if (state.closed) return
  state.own = new Set(dirs)
  state.above.clear()
  for (const dir of roots) {
    if (existsSync(dir)) state.own.add(dir)
    watchAbove(state, dir)
  }
  state.limited = false
  follow(state)
}

function setNear(state: State, places: NearPlaces): boolean {
  if (state.closed) return false
  const near = nearestOf(places)
  const isSame = isDeepStrictEqual(near, state.near)
  state.near = near
  if (!isSame || state.lost.size > 0) follow(state)
  const isOther = !isSame || state.found
  state.found = false
  return isOther
}

/** By folder: the names in it that are a place, or on the way to one; null: all. */
function nearestOf({ always, names, folders }: NearPlaces): State['near'] {
  const known = new Map<string, boolean>()
  const exists = (dir: string) => {
    if (!known.has(dir)) known.set(dir, existsSync(dir))
    return known.get(dir)!
  }
  const near: State['near'] = new Map()
  const add = (path: string, most: number) => {
    let at = path
    while (!exists(dirname(at)) && dirname(at) !== at) at = dirname(at)
    const [parent, name] = [dirname(at), basename(at)]
    if (near.has(parent)) near.get(parent)?.add(name)
    else if (near.size < most) near.set(parent, new Set([name]))
  }
  for (const path of always) add(path, Infinity)
  const most = near.size + MAX_NEAR
  for (const dir of folders) if (exists(dir)) near.set(dir, null)
  for (const path of [...folders.filter((dir) => !exists(dir)), ...names]) add(path, most)
  return near
}

/** Ends the watches that nothing needs any more and starts those that are missing. */
function follow(state: State): void {
  const { own, above, near, handles } = state
  for (const dir of state.lost) {
    if (!handles.has(dir)) continue
    stop(state, dir)
    state.found = true
  }
  state.lost.clear()
  for (const dir of handles.keys()) {
    if (!own.has(dir) && !above.has(dir) && !near.has(dir)) stop(state, dir)
  }
  for (const wanted of [above.keys(), own, near.keys()]) {
    for (const dir of wanted) {
      if (!state.limited && !handles.has(dir)) start(state, dir)
    }
  }
}

/** The two nearest folders above that exist: one of them tells when the folder appears, or is moved with what it is in. */
function watchAbove({ above }: State, dir: string): void {
  let found = 0
  for (let at = dir; found < 2 && dirname(at) !== at; at = dirname(at)) {
    const parent = dirname(at)
    if (!existsSync(parent)) continue
    const names = above.get(parent) ?? new Set()
    above.set(parent, names.add(basename(at)))
    found += 1
  }
}

function start(state: State, dir: string): void {
  const watch = state.deps.watch ?? fsWatch
  try {
    const handle = watch(dir, { persistent: false }, (_event, name) => {
      if (state.closed) return
      if (isOfItself(dir, name)) state.lost.add(dir)
      if (matters(state, dir, name)) state.deps.onEvent(dir)
      if (isNear(state, dir, name)) state.deps.onEvent(join(dir, name ?? ''))
    })
    handle.on('error', () => {
      stop(state, dir)
      if (!state.closed) state.deps.onEvent(dir)
    })
    state.handles.set(dir, handle)
  } catch (error) {
    if (['EMFILE', 'ENOSPC', 'ENFILE'].includes(errorCode(error))) state.limited = true
    // A folder that is gone by now is watched again when it is back.
  }
}

/** A folder that is deleted or moved tells so by its own name, or, seldom, holds something of that name. */
function isOfItself(dir: string, name: string | null): boolean {
  return name === basename(dir)
}

/** Above a root, where it may be as busy as in a home folder, only its own name counts. */
function matters({ own, above, near }: State, dir: string, name: string | null): boolean {
  if (name === null || own.has(dir) || isOfItself(dir, name)) return true
  return above.get(dir)?.has(name) ?? (!above.has(dir) && !near.has(dir))
}

function isNear({ near }: State, dir: string, name: string | null): boolean {
  const names = near.get(dir)
  return names !== undefined && name !== null && (names === null || names.has(name))
}

function stop(state: State, dir: string): void {
  state.handles.get(dir)?.close()
  state.handles.delete(dir)
}
