/** Runs a function once, soon: a frame when the window is visible, a timer when frames are paused. */
export type Schedule = (run: () => void) => void

const HIDDEN_MS = 100

export const onNextFrame: Schedule = (run) => {
  if (document.hidden) setTimeout(run, HIDDEN_MS)
  else requestAnimationFrame(run)
}

/**
 * Collects items and hands them over together, once per frame: however fast tokens arrive, the page draws once.
 * `add` resolves when its item was handed over, which is what gives the sender its credit back.
 */
export function createFrameQueue<T>(deliver: (items: T[]) => void, schedule: Schedule) {
  let items: T[] = []
  let wake: (() => void)[] = []
  return { add }

  function add(item: T): Promise<void> {
    items.push(item)
    if (items.length === 1) schedule(flush)
    return new Promise((resolve) => wake.push(resolve))
  }

  function flush(): void {
    const [ready, waiting] = [items, wake]
    items = []
    wake = []
    try {
      deliver(ready)
    } finally {
      for (const resolve of waiting) resolve()
    }
  }
}
