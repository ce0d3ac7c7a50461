import type { MessageRow } from '../db/message-rows'
import type { SessionRow } from '../db/session-rows'
import { agentOf, limitsOf } from './agent'
import type { SessionDeps } from './deps'

/**
 * Why the agent may make no further model call in this turn, for a notice; null when it may. A turn is everything since
 * the person's last message; `began` is when this stretch of it started, so that waiting for a person costs no minutes.
 */
export function limitReached(
  deps: SessionDeps,
  session: SessionRow,
  { messages, began }: { messages: readonly MessageRow[]; began: number },
): string | null {
  const { steps, minutes, tokens } = limitsOf(deps, agentOf(deps, session))
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const answers = since.filter(({ role }) => role === 'assistant')
  if (answers.length >= steps) return stopped(`made ${steps} steps in one turn`)
  if (minutes !== null && deps.now() - began >= minutes * 60_000) {
    return stopped(`worked for ${minutes} minutes in one turn`)
  }
  if (tokens !== null && spent(answers) >= tokens) return stopped(`used ${tokens} tokens in one turn`)
  return null
}

function stopped(what: string): string {
  return `The agent ${what} and was stopped. Send a message to let it go on.`
}

function spent(answers: readonly MessageRow[]): number {
  return answers.reduce((sum, { usage }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0), 0)
}
