import { isDeepStrictEqual } from 'node:util'
import { openSkillCache } from '../../db/skill-cache'
import { createCheckEnvironment } from '../registry/check-environment'
import { mayMoveRoots } from '../roots/kept-roots'
import { goRound, lookAtAll, lookAtSome } from './look'
import { createMounts } from '../sources/mounts'
import type { ScanInput } from '../roots/roots'
import type { Scanner } from './scan-contract'
import { createScanIndex } from './scan-index'
import type { ScannerDeps, ScanState } from './scanner-state'
import { createTold } from '../registry/told'
import { createWake } from '../registry/wake'
import { createWatcher } from '../registry/watch'

/**
 * Finds, reads and watches skills: names and descriptions at once, the rest after it, both in slices. Plain Node: the
 * worker thread runs it, tests and the command run it where they are. Nothing is looked at before `configure`.
 */
export function createScanner(deps: ScannerDeps): Scanner {
  const state: ScanState = {
    deps,
    input: null,
    roots: new Map(),
    index: createScanIndex(openSkillCache(deps.indexFile)),
    mounts: createMounts(),
    environment: createCheckEnvironment({}),
    told: createTold(deps.onDelta),
    rootsKept: null,
    rootsMoved: 0,
    watcher: createWatcher({ onEvent: (dir) => event(state, dir), watch: deps.fsWatch }),
    wake: createWake({
      debounceMs: deps.debounceMs,
      pollMs: deps.pollMs,
      enabled: deps.watch,
      onAll: () => void enqueue(state),
      onRound: () => void regular(state),
      onSome: (dirs) => void some(state, dirs),
      onDeep: () => void some(state, []),
    }),
    look: 0,
    byDir: new Map(),
    deep: new Set(),
    moved: false,
    thorough: false,
    round: 0,
    running: Promise.resolve(),
    queued: null,
    closed: false,
  }
  return {
    configure(input) {
      configure(state, input)
      void enqueue(state)
    },
    refresh() {
      state.rootsMoved += 1
      state.thorough = true
      return enqueue(state)
    },
    deepen(keys) {
      state.deep = new Set(keys.slice(0, 64))
      state.wake.deepen(state.deep.size > 0)
    },
    close() {
      state.closed = true
      state.wake.close()
      state.watcher.close()
      void state.running.finally(() => state.index.close())
    },
  }
}

function configure(state: ScanState, input: ScanInput): void {
  if (!isDeepStrictEqual(input, state.input)) state.rootsMoved += 1
  state.input = input
  state.environment = createCheckEnvironment(input.env, input.programs)
}

function event(state: ScanState, dir: string): void {
  mayMoveRoots(state, dir)
  state.wake.event(dir)
}

/** A look at everything that starts after this call; calls before its start share it. */
function enqueue(state: ScanState): Promise<void> {
  state.queued ??= oneAfterAnother(state, () => {
    state.queued = null
    return lookAtAll(state)
  })
  return state.queued
}

async function regular(state: ScanState): Promise<void> {
  state.rootsMoved += 1
  await enqueue(state)
  await oneAfterAnother(state, () => goRound(state))
}

/** A look at some skills; what it can't explain asks for a look at everything. */
function some(state: ScanState, dirs: readonly string[]): Promise<void> {
  return oneAfterAnother(state, async () => {
    if (!(await lookAtSome(state, dirs))) void enqueue(state)
  })
}

function oneAfterAnother(state: ScanState, work: () => Promise<void>): Promise<void> {
  const next = state.running.then(() => (state.closed ? undefined : work()))
  state.running = next.catch((error: unknown) => {
    state.deps.log.error('skills could not be looked at', error)
  })
  return state.running
}
