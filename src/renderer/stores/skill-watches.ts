import type { SkillChanges, SkillList } from '@shared/domain/skill'
import { emptyRows, takePart } from './skill-rows'

/** What a watch needs of the page; tests put their own in place. */
export interface WatchDeps {
  /** Opens `skills.watch`; the returned function closes it. */
  open(
    projectDir: string | null,
    on: { event(part: SkillChanges): void; end(error?: Error): void },
  ): () => void
  /** A complete list, or undefined when nobody looks at it any more. */
  publish(projectDir: string | null, list: SkillList | undefined): void
  /** Why there is no list, or it is not kept up to date; empty when all is well again. */
  fail(error: Error | null): void
  /** Runs later, in milliseconds; the returned function takes it back. */
  later(run: () => void, ms: number): () => void
}

/** One stream for each project view that somebody looks at. */
export interface SkillWatches {
  /** Opens the stream, unless it is open; the returned function gives it back. */
  use(projectDir: string | null): () => void
}

/** A view that nobody looks at stays this long: going to a chat and back opens nothing anew. */
const LINGER_MS = 60_000
const REOPEN_MS = 250
const MAX_REOPEN_MS = 5000

interface Watch {
  projectDir: string | null
  users: number
  ended: boolean
  /** Tries in a row without a part. */
  failures: number
  close(): void
  stopTimer(): void
}

/** A stream that ends (the app was started again) is opened again; until the new list is complete the old one stays. */
export function createSkillWatches(deps: WatchDeps): SkillWatches {
  const watches = new Map<string | null, Watch>()
  return {
    use(projectDir) {
      const watch = watches.get(projectDir) ?? start(deps, projectDir)
      watches.set(projectDir, watch)
      watch.users += 1
      return () => {
        watch.users -= 1
        deps.later(() => {
          if (watch.users > 0 || watches.get(projectDir) !== watch) return
          watches.delete(projectDir)
          end(watch)
          deps.publish(projectDir, undefined)
        }, LINGER_MS)
      }
    },
  }
}

function start(deps: WatchDeps, projectDir: string | null): Watch {
  const watch: Watch = {
    projectDir,
    users: 0,
    ended: false,
    failures: 0,
    close: () => undefined,
    stopTimer: () => undefined,
  }
  open(deps, watch)
  return watch
}

/** Each opening starts from nothing: the stream tells every row again. */
function open(deps: WatchDeps, watch: Watch): void {
  const rows = emptyRows()
  watch.close = deps.open(watch.projectDir, {
    event(part) {
      if (watch.ended) return
      const list = takePart(rows, part)
      if (!list) return
      if (watch.failures > 1) deps.fail(null)
      watch.failures = 0
      deps.publish(watch.projectDir, list)
    },
    end(error) {
      if (watch.ended) return
      watch.failures += 1
      // The first end may be a restart: only what lasts is said.
      if (error && watch.failures > 1) deps.fail(error)
      const wait = Math.min(MAX_REOPEN_MS, REOPEN_MS * 2 ** (watch.failures - 1))
      watch.stopTimer = deps.later(() => open(deps, watch), wait)
    },
  })
}

function end(watch: Watch): void {
  watch.ended = true
  watch.stopTimer()
  watch.close()
}
