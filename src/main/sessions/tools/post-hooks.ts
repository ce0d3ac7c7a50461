import { z } from 'zod'
import { getSession, updateSession } from '../../db/session-rows'
import { failed, succeeded } from '../turn/envelope'
import { isPersons } from '../turn/person-call'
import { postHooks, prepareHookAgain, runHooks } from './hooks'
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool'

export const POST_HOOKS = 'skills_post_hooks'

const Input = z.object({ key: z.string().max(5000), name: z.string().max(200) })

/** The end of a turn calls it for each skill that the turn loaded; no model is offered it, nor can call it. */
export const postHooksTool: Tool = {
  ...defineTool({ name: POST_HOOKS, description: 'Runs the post-hooks of a skill.', input: Input }, run),
  prepare: prepareHookAgain,
}

async function run(context: ToolContext, { key, name }: z.output<typeof Input>): Promise<ToolOutcome> {
  const { deps, session, call } = context
  if (!isPersons(call)) {
    return { kind: 'result', envelope: failed('not_found', `There is no tool "${POST_HOOKS}".`) }
  }
  const active = session.activeSkills.find((skill) => skill.key === key)
  const went = await runHooks(context, active ? postHooks(active) : [])
  if (went.kind === 'waiting') return went
  return {
    kind: 'result',
    envelope: went.failure === null ? succeeded({ skill: name }) : failed('hook_failed', went.failure),
    // Once for each load, however it went.
    record: () => {
      const now = getSession(deps.db.sql, session.id)?.activeSkills ?? []
      const done = now.map((skill) => (skill.key === key ? withoutPostHooks(skill) : skill))
      updateSession(deps.db.sql, session.id, { activeSkills: done })
    },
  }
}

function withoutPostHooks<S extends { postHooks?: string[] | undefined }>({ postHooks: _run, ...skill }: S) {
  return skill
}
