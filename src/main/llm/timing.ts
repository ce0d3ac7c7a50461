/** Time and chance as the transport sees them, so that tests can hold both. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 up to 1. */
  random(): number
  /** Runs once after `ms`, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void
  /** Longest silence between two pieces of an answer. */
  idleMs: number
  /** Longest wait for an answer to begin: a local server may have to load its model first. */
  responseMs: number
}

/** The real clock, 60 s between pieces (`security.md` 6) and 5 min before the first. */
export const realTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  idleMs: 60_000,
  responseMs: 300_000,
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
export function sleep(timing: Timing, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(asError(signal.reason))
      return
    }
    const onAbort = () => {
      cancel()
      reject(asError(signal?.reason))
    }
    const cancel = timing.after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('Stopped', 'AbortError')
}
