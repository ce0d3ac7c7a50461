import type { ActiveSkill } from '@shared/domain/session'
import { foldName } from '@shared/skill-md/skill-name'
import { estimateTokens } from '@shared/tokens'
import { getSession, updateSession, type SessionRow } from '../../db/session-rows'
import type { SkillRecord } from '../../skills/record'
import { agentOf, limitsOf, withoutPlace } from '../agent/agent'
import { agentSkills } from '../agent/agent-skills'
import type { SessionDeps } from '../deps'

/**
 * Brings the skills that the chat's agent always uses, before all others; what another agent brought goes. One that is
 * there stays as it was loaded, also when its folder is gone. Does nothing when all is as it should be.
 */
export async function bringAlwaysOn(deps: SessionDeps, sessionId: string): Promise<void> {
  const session = getSession(deps.db.sql, sessionId)
  // The fork of a skill has that skill and nothing else.
  if (!session || session.fork?.kind === 'skill') return
  const wanted = wantedSkills(deps, session)
  if (isSame(session.activeSkills, wanted)) return
  const always: ActiveSkill[] = []
  for (const one of wanted) always.push(...('key' in one ? [one] : await loadOne(deps, session, one.record)))
  deps.db.durable(() => put(deps, sessionId, always))
}

/** Loaded already, or to be loaded. */
type Wanted = ActiveSkill | { record: SkillRecord }

function wantedSkills(deps: SessionDeps, session: SessionRow): Wanted[] {
  const agent = agentOf(deps, session)
  const { activeSkills: max } = limitsOf(deps, agent)
  const { projectDir, activeSkills } = session
  const { records } = agentSkills(deps.registry, {
    projectDir,
    agent: agent.name,
    usesSkills: agent.usesSkills,
    max,
  })
  const found = agent.usesSkills.flatMap((name): Wanted[] => {
    const here = activeSkills.find(
      (active) => active.alwaysOn === true && foldName(active.name) === withoutPlace(name),
    )
    const record = records.find((other) => foldName(other.name) === withoutPlace(name))
    if (here) return [here]
    return record ? [{ record }] : []
  })
  return found.slice(0, max)
}

function isSame(active: readonly ActiveSkill[], wanted: readonly Wanted[]): boolean {
  const always = active.filter(({ alwaysOn }) => alwaysOn)
  return wanted.length === always.length && wanted.every((one, at) => one === always[at])
}

/** Nothing where the skill can't be had, or has a hook that must run before it: the chat starts without it. */
async function loadOne(deps: SessionDeps, session: SessionRow, record: SkillRecord): Promise<ActiveSkill[]> {
  try {
    const { digest } = await deps.store.snapshot(record)
    const { body, hooks, model } = await deps.bodies.get(digest, record.name)
    const tokens = estimateTokens(body)
    if (hooks.pre.length > 0 || tokens > deps.llm.contextWindow(session.model) / 2) return []
    const { name, key, scope } = record
    return [
      {
        name,
        key,
        scope,
        digest,
        tokens,
        step: 0,
        changedOnDisk: false,
        alwaysOn: true,
        ...(model === undefined ? {} : { model }),
        ...(hooks.post.length === 0 ? {} : { postHooks: hooks.post }),
      },
    ]
  } catch (error) {
    deps.log.warn('a skill that an agent always uses could not be loaded', { reason: String(error) })
    return []
  }
}

/** Looks at the chat anew: others may have been loaded meanwhile. Those over the limit go, the first loaded first. */
function put(deps: SessionDeps, sessionId: string, always: readonly ActiveSkill[]): void {
  const session = getSession(deps.db.sql, sessionId)
  if (!session) return
  const { activeSkills: max } = limitsOf(deps, agentOf(deps, session))
  const isAlways = ({ name }: ActiveSkill) => always.some((other) => foldName(other.name) === foldName(name))
  const others = session.activeSkills.filter((active) => active.alwaysOn !== true && !isAlways(active))
  const room = Math.max(0, max - always.length)
  const next = [...always, ...(room === 0 ? [] : others.slice(-room))]
  updateSession(deps.db.sql, sessionId, { activeSkills: next })
  const isIn = (list: readonly ActiveSkill[], { key, digest }: ActiveSkill) =>
    list.some((other) => other.key === key && other.digest === digest)
  for (const skill of session.activeSkills) {
    if (!isIn(next, skill)) note(deps, session, { action: 'skill.unloaded', skill })
  }
  for (const skill of always) {
    if (!isIn(session.activeSkills, skill)) note(deps, session, { action: 'skill.loaded', skill })
  }
}

function note(
  { audit }: SessionDeps,
  { id, agent }: SessionRow,
  { action, skill }: { action: 'skill.loaded' | 'skill.unloaded'; skill: ActiveSkill },
): void {
  const { key, digest, step, tokens } = skill
  const data = { key, digest, step, tokens, agent }
  audit.append({ actor: 'app', action, sessionId: id, target: skill.name, data })
}
