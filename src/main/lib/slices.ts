import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which other work is let in. */
const SLICE_MS = 4

/** To be awaited after each piece of a long work: lets other work in when enough time has passed. */
export function slices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await setImmediate()
    since = performance.now()
  }
}
