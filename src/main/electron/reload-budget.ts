const MAX_RELOADS = 3
const WINDOW_MS = 60_000

/** Counts crashes: true while the page may be loaded again, at most three times a minute. */
export function reloadBudget(now: () => number): () => boolean {
  let times: number[] = []
  return () => {
    const since = now() - WINDOW_MS
    times = times.filter((time) => time > since)
    if (times.length >= MAX_RELOADS) return false
    times.push(now())
    return true
  }
}
