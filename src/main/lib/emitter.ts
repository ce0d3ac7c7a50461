export interface Emitter<T> {
  emit(value: T): void
  on(listener: (value: T) => void): () => void
  /**
   * Everything emitted from now on, until `signal` aborts. A reader that falls more than `limit` values behind is
   * ended: it must open again and start from a snapshot, so a frozen reader can't fill the memory.
   */
  stream(signal: AbortSignal, limit?: number): AsyncIterable<T>
}

/** Delivers values to listeners in the order of `emit`. A listener that throws doesn't stop the others. */
export function createEmitter<T>(onListenerError: (error: unknown) => void): Emitter<T> {
  const listeners = new Set<(value: T) => void>()
  const on = (listener: (value: T) => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return {
    emit(value) {
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          onListenerError(error)
        }
      }
    },
    on,
    stream: (signal, limit = 10_000) => subscribe(on, signal, limit),
  }
}

/** Tells nobody any more once `isOpen` says no. */
export function emitsWhile<T>(emitter: Emitter<T>, isOpen: () => boolean): Emitter<T> {
  const emit = (value: T): void => {
    if (isOpen()) emitter.emit(value)
  }
  return { ...emitter, emit }
}

/** Subscribes at once, not at the first read: nothing emitted in between is missed. */
function subscribe<T>(
  on: (listener: (value: T) => void) => () => void,
  signal: AbortSignal,
  limit: number,
): AsyncIterable<T> {
  const queue: T[] = []
  let wake: (() => void) | undefined
  const reader = { overflown: false }
  const off = on((value) => {
    if (queue.length >= limit) reader.overflown = true
    else queue.push(value)
    wake?.()
  })
  const onAbort = () => {
    off()
    wake?.()
  }
  signal.addEventListener('abort', onAbort)
  return (async function* () {
    try {
      while (!signal.aborted && !reader.overflown) {
        const value = queue.shift()
        if (value === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve
            if (queue.length > 0 || signal.aborted || reader.overflown) resolve()
          })
        } else yield value
      }
    } finally {
      off()
      signal.removeEventListener('abort', onAbort)
    }
  })()
}
