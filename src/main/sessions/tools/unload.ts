import { z } from 'zod'
import type { ActiveSkill } from '@shared/domain/session'
import { getSession, updateSession } from '../../db/session-rows'
import { agentOf } from '../agent/agent'
import { failed, succeeded } from '../turn/envelope'
import { isPersons } from '../turn/person-call'
import { alwaysUsed, isMeant } from './active'
import { postHooks, prepareHookAgain, runHooks } from './hooks'
import { propertiesOf, receiptsOf } from './receipt'
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool'

const Input = z.object({
  names: z.array(z.string().min(1).max(200)).max(20).default([]).describe('Names of active skills.'),
  all: z.boolean().default(false).describe('Unload every active skill.'),
})

const unloading = defineTool(
  {
    name: 'skills_unload',
    description:
      'Unloads active skills: their instructions are no longer sent. Earlier messages stay as they are.',
    input: Input,
  },
  unload,
)
export const unloadTool: Tool = { ...unloading, prepare: prepareHookAgain }

/** Also what a person's "Unload" does. */
async function unload(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const { deps, session, call } = context
  const { activeSkills } = session
  if (!input.all && input.names.length === 0) {
    return {
      kind: 'result',
      envelope: failed('bad_input', 'Say which: names of active skills, or all: true.'),
    }
  }
  const unknown = input.names.filter((name) => !activeSkills.some((active) => isMeant(active, name)))
  if (unknown.length > 0) {
    const names = activeSkills.map(({ name }) => name).join(', ') || 'none'
    const error = `Not active: ${unknown.join(', ')}. Active now: ${names}.`
    return {
      kind: 'result',
      envelope: failed(activeSkills.length === 0 ? 'no_active_skill' : 'not_found', error),
    }
  }
  const named = (active: ActiveSkill) => input.names.some((name) => isMeant(active, name))
  const always = activeSkills.find((active) => active.alwaysOn && named(active))
  if (always) {
    const error = `${alwaysUsed(agentOf(deps, session), always)} It can't be unloaded.`
    return { kind: 'result', envelope: failed('bad_input', error) }
  }
  const goes = (active: ActiveSkill) => !active.alwaysOn && (input.all || named(active))
  const ended = await runHooks(context, activeSkills.filter(goes).flatMap(postHooks))
  if (ended.kind === 'waiting') return ended
  const properties = await propertiesOf(deps, activeSkills)
  // Anew: a hook takes its time, and so does its answer.
  const now = getSession(deps.db.sql, session.id)?.activeSkills ?? []
  const unloaded = now.filter(goes)
  const next = now.filter((active) => !goes(active))
  return {
    kind: 'result',
    envelope: succeeded({
      active_skills: receiptsOf(deps, { projectDir: session.projectDir, active: next }, properties),
      unloaded: unloaded.map(({ name }) => name),
      ...(ended.failure === null ? {} : { warnings: [ended.failure] }),
    }),
    record: () => {
      updateSession(deps.db.sql, session.id, { activeSkills: next })
      for (const skill of unloaded) {
        deps.audit.append({
          actor: isPersons(call) ? 'person' : 'agent',
          action: 'skill.unloaded',
          sessionId: session.id,
          target: skill.name,
          data: { key: skill.key, digest: skill.digest, step: call.step },
        })
      }
    },
  }
}
