import type { CallRow } from '../db/call-rows'
import type { SessionRow } from '../db/session-rows'
import { agentOf, toolSetting } from './agent'
import type { SessionDeps } from './deps'
import { forbiddenBy, isExempt, refusalText, type Restriction } from './gate'
import { coreCallOf } from './styles/styled-call'

/**
 * Why the chat's agent or an active skill forbids this call; null when none does. Looked at before anything else (R10): a restriction holds
 * from the load on, also for later calls of the same answer. Runs of scripts are judged once their interpreter is known.
 */
export async function refusalOf(
  deps: SessionDeps,
  session: SessionRow,
  call: Pick<CallRow, 'name' | 'input'>,
): Promise<string | null> {
  const asked = coreCallOf({ deps, session }, call)
  const agent = agentOf(deps, session)
  const names = [call.name, ...(asked ? [asked.tool] : [])]
  if (names.some((name) => toolSetting(agent, name) === 'never')) {
    return `The agent ${agent.label} may not use ${call.name}. Go on without it, or tell the person what is needed.`
  }
  if (isExempt(call.name) || asked?.tool === 'skills_run_script') return null
  const text = call.input['command']
  const skill = forbiddenBy(await restrictionsOf(deps, session), {
    tool: call.name,
    text: typeof text === 'string' ? text : undefined,
  })
  return skill === null ? null : refusalText(call.name, skill)
}

/** The lists of the active skills, as they were loaded. */
export async function restrictionsOf(deps: SessionDeps, session: SessionRow): Promise<Restriction[]> {
  const lists = await Promise.all(
    session.activeSkills.map(async ({ name, digest }) => {
      const { allowedTools } = await deps.bodies.get(digest, name)
      return allowedTools === null ? [] : [{ skill: name, allowedTools }]
    }),
  )
  return lists.flat()
}
