import { listUsage, type UsageRow } from '../../db/usage-rows'
import { rootIdOf, type SessionRow } from '../../db/session-rows'
import { costOf, priceOf } from '../../llm/cost'
import { mayCall, startOfDay } from '../../llm/spending'
import type { LlmError } from '../../llm/types'
import type { SessionDeps } from '../deps'

/**
 * Why a chat may make no further call, or null when it may. Counts what calls with a known price have cost; a call
 * whose price is not known, such as one to a server on this computer, is never stopped.
 */
export function overLimit(
  deps: Pick<SessionDeps, 'db' | 'settings' | 'now'>,
  session: Pick<SessionRow, 'id' | 'model' | 'fork'>,
): LlmError | null {
  const { spendingLimitChat: chat, spendingLimitDay: day } = deps.settings()
  if (priceOf(session.model) === null) return null
  const { sql } = deps.db
  return mayCall({
    spentChat: chat === null ? 0 : total(listUsage(sql, { sessionId: rootIdOf(session) })),
    spentDay: day === null ? 0 : total(listUsage(sql, { since: startOfDay(deps.now()) })),
    limits: { chat, day },
  })
}

function total(rows: readonly UsageRow[]): number {
  return rows.reduce((sum, { usage, model }) => sum + (costOf(usage, model) ?? 0), 0)
}
