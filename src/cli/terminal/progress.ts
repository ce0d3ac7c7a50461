import type { World } from '../world'

/** Says on stderr that work goes on, only on a terminal and only once it took half a second. */
export interface Progress {
  /** Called often while work goes on. */
  tick(done?: number): void
  /** Takes the line away. */
  end(): void
}

/** Milliseconds before the first word, and between two. */
const FIRST = 500
const NEXT = 100
const CLEAR = '\r\u001b[K'

/** `clock` gives milliseconds. */
export function startProgress(
  { stderr }: Pick<World, 'stderr'>,
  what: string,
  clock: () => number = () => performance.now(),
): Progress {
  const began = clock()
  let said = -Infinity
  return {
    tick(done) {
      const at = clock()
      if (!stderr.isTTY || at - began < FIRST || at - said < NEXT) return
      said = at
      const count = done === undefined ? '' : ` ${done.toLocaleString('en-US')}`
      stderr.write(`${CLEAR}${what}…${count}`)
    },
    end() {
      if (said !== -Infinity) stderr.write(CLEAR)
    },
  }
}
