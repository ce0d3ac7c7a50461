import type { Handlers } from '@shared/ipc/define'
import { verifyChain } from '../audit/chain'
import { allAudit, queryAudit } from '../db/audit-rows'
import { openReader } from '../db/open'
import type { Connection } from '../db/open'
import { isDamage, openSkillIndex, removeIndex } from './skill-index'
import type { SkillIndex } from './skill-index'
import type { WorkerContract, WorkerData } from './worker-contract'

/** Answers the worker's contract; connections are opened when they are first needed. */
export function createWorkerHandlers(deps: WorkerData & { readBody(skillMd: string): string }): {
  handlers: Handlers<WorkerContract>
  close(): void
} {
  const open: { index?: SkillIndex; reader?: Connection } = {}
  const index = () => (open.index ??= openSkillIndex({ file: deps.indexFile, readBody: deps.readBody }))
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
        return {}
      },
      'skills.search': ({ query, limit }) => {
        try {
          return { hits: index().search(query, limit), damaged: false }
        } catch (error) {
          if (!isDamage(error)) throw error
          remake()
          return { hits: [], damaged: true }
        }
      },
      'audit.query': (query) => queryAudit(reader(), query),
      'audit.verify': () => verifyChain(allAudit(reader())),
    },
    close() {
      open.index?.close()
      open.reader?.close()
    },
  }
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
