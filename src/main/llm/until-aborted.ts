/**
 * The values of `source` until it ends or `signal` aborts; then it ends at once, whatever the source is waiting for.
 * An error of the source is thrown, unless the abort came first.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal.aborted) resolve('aborted')
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next === 'aborted' || next.done) return
      yield next.value
    }
  } finally {
    // Not waited for: a source that hangs would hold the stop up.
    Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
