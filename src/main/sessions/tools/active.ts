import type { ActiveSkill } from '@shared/domain/session'
import type { SessionRow } from '../../db/session-rows'
import { failed } from '../envelope'
import type { ToolOutcome } from './tool'

/** The active skill of that name, or the one loaded last when no name is given. */
export function activeSkill(session: SessionRow, name: string | undefined): ActiveSkill | undefined {
  if (name === undefined) return session.activeSkills.at(-1)
  const wanted = name.toLowerCase().split('@')[0]
  return session.activeSkills.find((active) => active.name.toLowerCase() === wanted)
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
