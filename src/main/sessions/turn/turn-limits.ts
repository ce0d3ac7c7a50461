import { listCalls } from '../../db/call-rows'
import { listMessages, type MessageRow } from '../../db/message-rows'
import type { Connection } from '../../db/open'
import { getSession, listForks, type SessionRow } from '../../db/session-rows'
import { agentOf, limitsOf } from '../agent/agent'
import type { SessionDeps } from '../deps'

/**
 * Which limit keeps the agent from a further model call in this turn, in words after its name; null: none. A turn is
 * everything since the person's last message; `began` is when this stretch of it started, so that waiting for a person
 * costs no minutes.
 */
export function limitReached(
  deps: SessionDeps,
  session: SessionRow,
  { messages, began }: { messages: readonly MessageRow[]; began: number },
): string | null {
  const { steps, minutes } = limitsOf(deps, agentOf(deps, session))
  const answers = inTurn(messages)
  if (answers.length >= steps) return `made ${steps} steps in one turn`
  if (minutes !== null && deps.now() - began >= minutes * 60_000) {
    return `worked for ${minutes} minutes in one turn`
  }
  const over = tokenLimitReached(deps, session, messages)
  return over === null ? null : `used ${over} tokens in one turn`
}

/** The limit that is reached: its own, or one of the chats that it works for. */
function tokenLimitReached(
  deps: SessionDeps,
  session: SessionRow,
  messages: readonly MessageRow[],
): number | null {
  const { sql } = deps.db
  const { tokens } = limitsOf(deps, agentOf(deps, session))
  if (tokens !== null && spentInTurn(sql, session.id, messages) >= tokens) return tokens
  const parent = session.fork ? getSession(sql, session.fork.parentId) : null
  return parent && tokenLimitReached(deps, parent, listMessages(sql, parent.id))
}

/** What its answers used since the person's last message, and what the chats that they began used. */
function spentInTurn(sql: Connection, sessionId: string, messages: readonly MessageRow[]): number {
  const answers = inTurn(messages)
  const ids = new Set(answers.map(({ id }) => id))
  const begun = listCalls(sql, sessionId).flatMap(({ messageId, childId }) =>
    childId !== undefined && ids.has(messageId) ? [childId] : [],
  )
  const all = begun.flatMap((id) => [id, ...listForks(sql, id).map((fork) => fork.id)])
  return spent(answers) + spent(all.flatMap((id) => listMessages(sql, id)))
}

function inTurn(messages: readonly MessageRow[]): MessageRow[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  return since.filter(({ role }) => role === 'assistant')
}

function spent(answers: readonly MessageRow[]): number {
  return answers.reduce((sum, { usage }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0), 0)
}
