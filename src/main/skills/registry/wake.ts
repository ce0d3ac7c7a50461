/** When to look: after events, regularly, and soon again at what is in use. */
export interface Wake {
  /** Something may have changed in this folder. */
  event(dir: string): void
  /** What events told of since the last look. */
  take(): string[]
  /** A look at everything ended; `live` when every folder is watched. Sets the time of the next one. */
  looked(tookMs: number, live: boolean): void
  deepen(on: boolean): void
  close(): void
}

export interface WakeDeps {
  /** Milliseconds from the first event to the look. */
  debounceMs?: number | undefined
  /** Milliseconds between two regular looks. */
  pollMs?: number | undefined
  /** False: nothing happens by itself. */
  enabled: boolean
  onAll(): void
  /** The regular look. */
  onRound(): void
  onSome(dirs: readonly string[]): void
  onDeep(): void
}

const DEBOUNCE_MS = 25
const POLL_MS = 5000
/** Where every folder is watched, regular looks may take this part of a core, but come at least every 15 s. */
const IDLE_SHARE = 0.006
const MAX_POLL_MS = 15_000
/** After so many events some may have been lost (the system's queue is bounded): everything is looked at once more. */
const BURST = 100
const SETTLE_MS = 300
const DEEP_MS = 500

interface State {
  deps: WakeDeps
  dirs: Set<string>
  events: number
  timers: { look?: NodeJS.Timeout; settle?: NodeJS.Timeout; poll?: NodeJS.Timeout; deep?: NodeJS.Timeout }
  closed: boolean
}

export function createWake(deps: WakeDeps): Wake {
  const state: State = { deps, dirs: new Set(), events: 0, timers: {}, closed: false }
  return {
    event: (dir) => event(state, dir),
    take: () => take(state),
    looked(tookMs, live) {
      state.events = 0
      const rest = live ? Math.min(tookMs / IDLE_SHARE, MAX_POLL_MS) : 0
      const pause = deps.pollMs ?? Math.max(POLL_MS, rest)
      set(state, 'poll', pause, () => deps.onRound())
    },
    deepen(on) {
      if (!on) stop(state, 'deep')
      else if (!state.timers.deep) deepTick(state)
    },
    close() {
      state.closed = true
      for (const timer of Object.values(state.timers)) clearTimeout(timer)
    },
  }
}

function event(state: State, dir: string): void {
  const { deps, dirs, timers } = state
  dirs.add(dir)
  state.events += 1
  if (state.events >= BURST) {
    set(state, 'settle', SETTLE_MS, () => {
      state.events = 0
      deps.onAll()
    })
  }
  if (timers.look) return
  set(state, 'look', deps.debounceMs ?? DEBOUNCE_MS, () => {
    delete timers.look
    const changed = take(state)
    if (changed.length > 0) deps.onSome(changed)
  })
}

function take({ dirs }: State): string[] {
  const taken = [...dirs]
  dirs.clear()
  return taken
}

function deepTick(state: State): void {
  set(state, 'deep', DEEP_MS, () => {
    state.deps.onDeep()
    deepTick(state)
  })
}

/** Replaces the timer of this name. Timers never keep a process alive. */
function set(state: State, name: keyof State['timers'], ms: number, work: () => void): void {
  if (state.closed || !state.deps.enabled) return
  stop(state, name)
  state.timers[name] = setTimeout(work, ms)
  state.timers[name].unref()
}

function stop({ timers }: State, name: keyof State['timers']): void {
  clearTimeout(timers[name])
  delete timers[name]
}
