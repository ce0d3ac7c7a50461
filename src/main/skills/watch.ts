import { existsSync, statSync, watch as fsWatch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { errorCode } from './safe-read'

/** Watches folders only to be woken: what changed is found by looking again (`performance.md` 4). */
export interface Watcher {
  /** Watches exactly these folders from now on. A missing one is noticed when it, or a folder above it, appears. */
  set(dirs: Iterable<string>): void
  /** True when the system's limit of watches was reached: the caller's regular look is all there is for some folders. */
  limited(): boolean
  close(): void
}

export interface WatcherDeps {
  /** Called at most once in every `debounceMs`, after something may have changed. */
  onWake(): void
  debounceMs?: number
  /** For tests. */
  watch?: typeof fsWatch
}

interface Watch {
  handle: FSWatcher
  ino: number
}

interface State {
  deps: WatcherDeps
  watches: Map<string, Watch>
  limited: boolean
  timer: NodeJS.Timeout | undefined
  closed: boolean
}

/** One watch per folder. Folders that were replaced are watched anew at the next `set`. */
export function createWatcher(deps: WatcherDeps): Watcher {
  const state: State = { deps, watches: new Map(), limited: false, timer: undefined, closed: false }
  return {
    set: (dirs) => setDirs(state, dirs),
    limited: () => state.limited,
    close() {
      state.closed = true
      clearTimeout(state.timer)
      for (const id of state.watches.keys()) stop(state, id)
    },
  }
}

/** A watched folder, and the only name in it that matters (null: every name). */
interface Target {
  dir: string
  only: string | null
}

function setDirs(state: State, dirs: Iterable<string>): void {
  if (state.closed) return
  const wanted = new Map(
    [...dirs].map(targetFor).map((target) => [`${target.dir}\0${target.only ?? ''}`, target]),
  )
  state.limited = false
  let added = false
  for (const [id, watch] of state.watches) {
    const target = wanted.get(id)
    if (!target || inode(target.dir) !== watch.ino) stop(state, id)
  }
  for (const [id, target] of wanted) {
    if (!state.limited && !state.watches.has(id) && start(state, id, target)) added = true
  }
  // What happened between the look and the new watch would be missed.
  if (added) wake(state)
}

/** The folder itself, or the nearest one above it that exists, with the name that must appear there. */
function targetFor(dir: string): Target {
  let at = dir
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  return { dir: at, only: at === dir ? null : relative(at, dir).split(sep)[0]! }
}

function start(state: State, id: string, { dir, only }: Target): boolean {
  const watch = state.deps.watch ?? fsWatch
  try {
    const handle = watch(dir, { persistent: false }, (_event, name) => {
      if (only === null || name === null || name === only) wake(state)
    })
    handle.on('error', () => {
      stop(state, id)
      wake(state)
    })
    state.watches.set(id, { handle, ino: inode(dir) })
    return true
  } catch (error) {
    if (['EMFILE', 'ENOSPC', 'ENFILE'].includes(errorCode(error))) state.limited = true
    return false // a folder that is gone by now is watched again when it is back
  }
}

function stop(state: State, id: string): void {
  state.watches.get(id)?.handle.close()
  state.watches.delete(id)
}

function wake(state: State): void {
  if (state.timer || state.closed) return
  state.timer = setTimeout(() => {
    state.timer = undefined
    state.deps.onWake()
  }, state.deps.debounceMs ?? 50)
  state.timer.unref()
}

function inode(dir: string): number {
  return statSync(dir, { throwIfNoEntry: false })?.ino ?? -1
}
