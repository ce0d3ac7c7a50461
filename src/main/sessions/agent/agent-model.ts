import type { AgentProfile } from '@shared/domain/agent'
import type { ModelWish } from '@shared/domain/session'
import type { ModelRef } from '@shared/domain/settings'
import type { MessageRow } from '../../db/message-rows'
import { getSession, rootIdOf, type SessionRow } from '../../db/session-rows'
import type { LlmError } from '../../llm/types'
import { agentOf } from './agent'
import type { SessionDeps } from '../deps'
import { findModel, needsConsent, type FoundModel } from './find-model'
import { subagentsOf } from './subagents'

/**
 * What the agents want to work with that the chat's agent may hand tasks to, where that is not its model: used at once
 * where it is of the same provider and costs no more, else by the person's choice, as with skills (R11, R15).
 */
export function agentWishes(deps: SessionDeps, session: SessionRow): ModelWish[] {
  if (session.fork) return []
  const { entries } = subagentsOf(deps, session, agentOf(deps, session))
  const models = entries.some(({ agent }) => agent.model !== null) ? deps.llm.models() : []
  return entries.flatMap(({ agent }) => {
    const found = findModel(agent.model ?? '', session.model, models)
    if (found === null || found.ref === session.model) return []
    const wish = { of: 'agent' as const, name: agent.name, key: agent.name, wanted: agent.model ?? '' }
    return [{ ...wish, ...found, state: stateOf(deps, session, { name: agent.name, found }) }]
  })
}

/**
 * The model of an agent that a chat's agent hands a task to: its own or its fallback, where no consent is needed or the
 * person gave it in the chat in which all began; else the chat's. Nobody is asked while it works.
 */
export function modelForTask(
  deps: Pick<SessionDeps, 'db' | 'llm'>,
  session: SessionRow,
  { name, model, fallback }: Pick<AgentProfile, 'name' | 'model' | 'fallback'>,
): ModelRef {
  const models = deps.llm.models()
  const root = getSession(deps.db.sql, rootIdOf(session)) ?? session
  const wanted = [model, fallback].map((ref) => findModel(ref ?? '', session.model, models))
  const usable = wanted.find(
    (found) => found !== null && stateOf(deps, session, { name, found, root }) === 'used',
  )
  return usable?.ref ?? session.model
}

/**
 * The model of the next call: `base`, or the fallback of the agent where `base` is the agent's own model and could not
 * begin to answer in this turn (R15). Read from the rows, so that it is the same after a restart.
 */
export function withFallback(
  deps: SessionDeps,
  session: SessionRow,
  { base, messages }: { base: ModelRef; messages: readonly MessageRow[] },
): ModelRef {
  const begin = messages.findLastIndex(({ role }) => role === 'user')
  const answers = messages.slice(begin + 1).filter(({ role }) => role === 'assistant')
  const last = answers.at(-1)
  if (!last || !answers.some((answer) => couldNotBegin(answer, base))) return base
  const fallback = fallbackOf(deps, session, base)
  const goesOn = last.model === fallback && last.status === 'done'
  return fallback !== null && (goesOn || couldNotBegin(last, base)) ? fallback : base
}

/** Who answers in the place of a model that failed so before anything arrived; null: nobody does. */
export function insteadOf(
  deps: SessionDeps,
  session: SessionRow,
  { code }: Pick<LlmError, 'code'>,
): ModelRef | null {
  return LACKING.has(code) ? fallbackOf(deps, session, session.model) : null
}

/** The model, or the right to use it, is missing for now; another one may have both. */
const LACKING: ReadonlySet<string> = new Set(['not_found', 'no_key', 'billing', 'rate_limit', 'unavailable'])

/** Only for the model that the agent's file names: one that the person or a skill chose has no other in its place. */
function fallbackOf(deps: SessionDeps, session: SessionRow, failed: ModelRef): ModelRef | null {
  const { model, fallback } = agentOf(deps, session)
  if (fallback === null || model !== failed || fallback === failed) return null
  return deps.isModelReady(fallback) ? fallback : null
}

function couldNotBegin({ model, status, parts }: MessageRow, base: ModelRef): boolean {
  const [only, ...more] = parts
  return (
    model === base &&
    status === 'error' &&
    more.length === 0 &&
    only?.type === 'error' &&
    LACKING.has(only.code)
  )
}

function stateOf(
  { llm }: Pick<SessionDeps, 'llm'>,
  session: SessionRow,
  { name, found, root = session }: { name: string; found: FoundModel; root?: SessionRow },
): ModelWish['state'] {
  if (!needsConsent(llm, session.model, found)) return 'used'
  const said = root.agentModels.find((choice) => choice.agent === name)
  if (said?.choice === 'keep') return 'kept'
  return said?.model === found.ref ? 'used' : 'asks'
}
