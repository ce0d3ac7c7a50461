/** What is under way, as `App.running()` tells it. */
export interface Running {
  runs: number
  sessions: number
}

export interface QuitDeps {
  running(): Running
  /** Asks the person; true for yes. */
  ask(question: string): Promise<boolean>
  /** Stops everything and saves. */
  close(): Promise<void>
  /** Ends the process. */
  exit(code: number): void
  onError(message: string, error?: unknown): void
}

const CLOSE_LIMIT_MS = 3000

/** The question before quitting, or null when nothing would be lost. */
export function quitQuestion({ runs }: Running): string | null {
  if (runs === 0) return null
  return `Stop ${runs} running ${runs === 1 ? 'script' : 'scripts'} and quit?`
}

/**
 * The one way out of the app: asks if scripts are running, closes the app, ends the process; after 3 s of closing
 * at the latest. Calls while it is under way do nothing.
 */
export function createQuit(deps: QuitDeps): () => Promise<void> {
  let isUnderWay = false
  return async () => {
    if (isUnderWay) return
    isUnderWay = true
    const question = quitQuestion(deps.running())
    if (question && !(await deps.ask(question))) {
      isUnderWay = false
      return
    }
    await closeInTime(deps)
    deps.exit(0)
  }
}

async function closeInTime(deps: QuitDeps): Promise<void> {
  let limit: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>((resolve) => {
    limit = setTimeout(() => {
      deps.onError(`Closing took longer than ${CLOSE_LIMIT_MS} ms`)
      resolve()
    }, CLOSE_LIMIT_MS)
  })
  const closed = Promise.resolve()
    .then(() => deps.close())
    .catch((error: unknown) => deps.onError('Closing failed', error))
  await Promise.race([closed, tooLate])
  clearTimeout(limit)
}
