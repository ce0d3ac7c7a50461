import type { ActiveSkill } from '@shared/domain/session'
import { estimateTokens } from '@shared/tokens'
import type { SessionRow } from '../../main/db/session-rows'
import { agentSkills } from '../../main/sessions/agent/agent-skills'
import { loadedBody, type LoadedBody, type SkillBodies } from '../../main/sessions/instructions/skill-bodies'
import { readSkillMd } from '../../main/skills/scan/facts'
import type { SkillRecord } from '../../main/skills/record'
import type { AgentsHere } from './agents'
import { treeStateOf } from './tree-state'

/** A chat that was not made, as it would begin here. */
export interface NewChatHere {
  session: SessionRow
  /** Bodies of the skills that its agent always uses, from disk: no snapshot is made. */
  bodies: SkillBodies
}

/** Throws `not_found` when there is no such agent, or one of its skills can't be read. */
export async function newChatHere(here: AgentsHere, name: string): Promise<NewChatHere> {
  const { projectDir, registry, state } = here.skills
  const entry = here.agents.get(projectDir, name)
  const { usesSkills, limits, model } = entry.agent
  const max = limits.activeSkills ?? state.settings.maxActiveSkills
  const { records } = agentSkills(registry, { projectDir, agent: entry.agent.name, usesSkills, max })
  const loaded = await Promise.all(records.map(loadOne))
  const known = new Map(loaded.map(({ active, body }) => [active.digest, body]))
  const session: SessionRow = {
    id: '',
    title: '',
    projectDir,
    model: model ?? state.settings.defaultModel,
    state: 'idle',
    activeSkills: loaded.map(({ active }) => active),
    draft: '',
    createdAt: 0,
    updatedAt: 0,
    agent: entry.agent.name,
    agentScope: entry.scope,
    agentDigest: entry.digest,
    agentModels: [],
  }
  return { session, bodies: { get: async (digest) => known.get(digest)! } }
}

async function loadOne(record: SkillRecord): Promise<{ active: ActiveSkill; body: LoadedBody }> {
  const { name, key, scope, rootDir, folder, skillMd } = record
  const body = loadedBody(readSkillMd(skillMd, folder))
  const { digest } = await treeStateOf({ dir: rootDir, name, told: rootDir, folder, skillMd, entry: null })
  const tokens = estimateTokens(body.body)
  return {
    active: { name, key, scope, digest, tokens, step: 0, changedOnDisk: false, alwaysOn: true },
    body,
  }
}
