import { setImmediate } from 'node:timers/promises'

/** Work that can be put aside after each step, so that the main thread is never busy for long (`performance.md` G2.9). */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does all of it now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Does all of it, letting other work in after each step. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
