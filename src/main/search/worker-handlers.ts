import { dirname } from 'node:path'
import type { Handlers } from '@shared/ipc/define'
import { createAuditReader } from '../audit/reader'
import { openReader } from '../db/open'
import type { Connection } from '../db/open'
import { isDamage, removeIndex } from './index-file'
import type { SkillReaders } from './index-write'
import { openSkillIndex } from './skill-index'
import type { SkillIndex } from './skill-index'
import type { WorkerContract, WorkerData } from './worker-contract'

/** Answers the worker's contract; connections are opened when they are first needed. */
export function createWorkerHandlers(
  deps: WorkerData &
    SkillReaders & {
      /** The index was damaged, or there was none, and is empty now. */
      onRemade?(): void
    },
): {
  handlers: Handlers<WorkerContract>
  close(): void
} {
  const open: Open = {}
  const index = () => {
    if (open.index) return open.index
    open.index = openSkillIndex({ ...deps, file: deps.indexFile })
    if (open.index.fresh) deps.onRemade?.()
    return open.index
  }
  const reader = () => (open.reader ??= openReader(deps.dbFile))
  const remake = () => {
    open.index?.close()
    delete open.index
    removeIndex(deps.indexFile)
  }
  return {
    handlers: {
      'skills.stamps': () => healing(remake, () => index().stamps()),
      'skills.index': (changes) => {
        healing(remake, () => index().index(changes))
        warmLater(open)
        return {}
      },
      'skills.search': ({ query, limit }) => {
        const hits = healing(remake, () => index().search(query, limit))
        warmSoon(open)
        return hits
      },
      ...createAuditReader({ sql: reader, dataDir: dirname(deps.dbFile) }),
    },
    close() {
      clearTimeout(open.quiet)
      open.index?.close()
      delete open.index
      open.reader?.close()
    },
  }
}

interface Open {
  index?: SkillIndex
  reader?: Connection
  /** `warm` is about to be called. */
  warming?: boolean
  /** Ends when the index was not written for a while. */
  quiet?: NodeJS.Timeout
}

/** Without a change for so many milliseconds the words are made ready and kept, for the first search after a start. */
const QUIET_MS = 2000

function warmLater(open: Open): void {
  clearTimeout(open.quiet)
  open.quiet = setTimeout(() => warmSoon(open), QUIET_MS).unref()
}

/** After an answer, before the next letter is typed; a question that comes meanwhile is answered between two steps. */
function warmSoon(open: Open): void {
  if (open.warming) return
  open.warming = true
  setImmediate(() => {
    open.warming = false
    try {
      if (open.index?.warm() === false) warmSoon(open)
    } catch {
      // The next search meets the same, and says it or heals it.
    }
  })
}

/** Once more with a new index where the old one is damaged. */
function healing<T>(remake: () => void, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isDamage(error)) throw error
    remake()
    return work()
  }
}
