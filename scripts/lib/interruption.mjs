/**
 * Calls back when this script is to end: on Ctrl-C and its like, and when the npm that runs it is gone (npm hands a
 * SIGTERM only to the shell between us, and some shells die of it without a word to us).
 * @param {(signal: NodeJS.Signals) => void} callback may be called more than once
 */
export function onInterruption(callback) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, callback)
  if (!process.env['npm_lifecycle_event']) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback('SIGTERM')
  }, 500)
  timer.unref()
}
