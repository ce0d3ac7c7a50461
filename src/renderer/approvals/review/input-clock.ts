/** What the person's hands did last, on the clock of `performance.now()`. */
export interface InputClock {
  /** The last key press that was not only a modifier. */
  lastKeyAt: number | undefined
  /** The one before: a handler of a key press asks for this. */
  keyBeforeAt: number | undefined
  focusAt: number | undefined
  closedAt: number | undefined
  composing: boolean
}

export interface InputClockStore {
  read(): InputClock
  /** Calls back after every change. */
  subscribe(listener: () => void): () => void
  /** A review or dock closed: what lay under it is inert for a while. */
  noteClosed(): void
  stop(): void
}

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn'])

/** Watches keys, focus and input methods of one window. */
export function createInputClock(
  target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
  now: () => number,
): InputClockStore {
  let state: InputClock = {
    lastKeyAt: undefined,
    keyBeforeAt: undefined,
    focusAt: undefined,
    closedAt: undefined,
    composing: false,
  }
  const listeners = new Set<() => void>()
  const change = (part: Partial<InputClock>): void => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const handlers: Record<string, (event: Event) => void> = {
    keydown: (event) => {
      if (MODIFIERS.has((event as KeyboardEvent).key)) return
      change({ keyBeforeAt: state.lastKeyAt, lastKeyAt: now() })
    },
    focus: (event) => event.target === target && change({ focusAt: now() }),
    compositionstart: () => change({ composing: true }),
    compositionend: () => change({ composing: false }),
  }
  for (const [name, handler] of Object.entries(handlers))
    target.addEventListener(name, handler, { capture: true })
  return {
    read: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noteClosed: () => change({ closedAt: now() }),
    stop: () => {
      for (const [name, handler] of Object.entries(handlers))
        target.removeEventListener(name, handler, { capture: true })
    },
  }
}

let shared: InputClockStore | undefined

/** The window's one clock, made on first use. */
export function inputClock(): InputClockStore {
  shared ??= createInputClock(window, () => performance.now())
  return shared
}
