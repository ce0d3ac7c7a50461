import type { AgentModel } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { SessionPatch, SessionRow } from '../../db/session-rows'
import { agentWishes } from './agent-model'
import type { SessionDeps } from '../deps'
import { modelWishes } from './skill-model'

/** What a person says of a model that a skill or an agent prefers (R11). */
export interface ModelChoice {
  of: 'skill' | 'agent'
  /** Of the skill; the name of an agent. */
  key: string
  /** The one that they saw: no other is meant. */
  model: string
  choice: 'use' | 'keep'
}

/** What the chat's row becomes by it. Throws `stale` where another model would be meant by now. */
export function choiceOf(deps: SessionDeps, session: SessionRow, said: ModelChoice): SessionPatch {
  const wishes = said.of === 'skill' ? modelWishes(deps, session) : agentWishes(deps, session)
  if (!wishes.some(({ key, ref }) => key === said.key && ref === said.model)) {
    throw new AppError('stale', 'Another model would be used by now. Look at the question again.')
  }
  if (said.of === 'agent') return { agentModels: withChoice(session.agentModels, said) }
  const chosen = { modelChoice: said.choice, modelChosen: said.model }
  const activeSkills = session.activeSkills.map((active) =>
    active.key === said.key ? { ...active, ...chosen } : active,
  )
  return { activeSkills }
}

function withChoice(before: readonly AgentModel[], { key, model, choice }: ModelChoice): AgentModel[] {
  return [...before.filter(({ agent }) => agent !== key), { agent: key, model, choice }]
}
