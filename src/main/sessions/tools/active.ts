import type { ActiveSkill } from '@shared/domain/session'
import { foldName } from '@shared/skill-md/skill-name'
import type { SessionRow } from '../../db/session-rows'
import type { Agent } from '../agent/agent'
import type { SessionDeps } from '../deps'
import { failed } from '../turn/envelope'
import type { ToolOutcome } from './tool'

/** The active skill of that name, or the one loaded last when no name is given. */
export function activeSkill(session: SessionRow, name: string | undefined): ActiveSkill | undefined {
  if (name === undefined) return session.activeSkills.at(-1)
  return session.activeSkills.find((active) => isMeant(active, name))
}

/** True for a skill of a project that is no longer trusted: it stays in the chat and does nothing (F6). */
export function isInert(
  { registry }: Pick<SessionDeps, 'registry'>,
  session: SessionRow,
  key: string,
): boolean {
  return registry.get(session.projectDir, key)?.status === 'not-trusted'
}

/** Why a skill stays as it is. */
export function alwaysUsed({ label }: Pick<Agent, 'label'>, { name }: Pick<ActiveSkill, 'name'>): string {
  return `The agent ${label} always uses "${name}".`
}

/** True when the name means this active skill: without case, alone or with its scope ("name@scope"). */
export function isMeant(active: ActiveSkill, name: string): boolean {
  const own = foldName(active.name)
  const wanted = foldName(name)
  return wanted === own || wanted === `${own}@${active.scope}`
}

/** What to answer when there is none. */
export function noActiveSkill(session: SessionRow, name: string | undefined): ToolOutcome {
  const active = session.activeSkills.map((skill) => skill.name).join(', ')
  const error =
    name === undefined || active === ''
      ? 'No skill is active. Call skills_load with a name from <available_skills> first.'
      : `"${name}" is not active. Active: ${active}. Call skills_load first.`
  return { kind: 'result', envelope: failed('no_active_skill', error) }
}
