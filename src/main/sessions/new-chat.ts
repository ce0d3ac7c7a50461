import type { SessionDetail } from '@shared/domain/session'
import { insertSession, listSessions, type SessionRow, type Trial } from '../db/session-rows'
import { newId } from '../lib/ids'
import { readSkillMd } from '../skills/scan/facts'
import { agentForNew, modelFor } from './agent/choose-agent'
import type { SessionDeps } from './deps'
import { toDetail } from './history/detail'

export interface NewChat {
  projectDir: string | null
  /** Left out: the agent's own, else the person's default. */
  model?: string | undefined
  /** Left out: General. */
  agent?: string | undefined
  /** Left out: an ordinary chat. */
  trial?: Trial | undefined
}

/** Throws `not_found` when there is no such agent here. */
export function createChat(deps: SessionDeps, input: NewChat): SessionDetail {
  const at = deps.now()
  const { projectDir } = input
  const { columns, entry } = agentForNew(deps, { projectDir, name: input.agent ?? null })
  const session: SessionRow = {
    id: newId('ses'),
    title: input.trial ? `Trial of ${input.trial.name}` : 'New chat',
    projectDir,
    model: input.model ?? modelFor(deps, entry),
    ...columns,
    state: 'idle',
    activeSkills: [],
    agentModels: [],
    ...(input.trial && { trial: input.trial }),
    draft: !input.trial && listSessions(deps.db.sql).length === 0 ? firstMessage(deps) : '',
    createdAt: at,
    updatedAt: at,
  }
  deps.db.durable(() => insertSession(deps.db.sql, session))
  deps.emit({ t: 'sessions.changed' })
  return toDetail(deps, session)
}

/** What stands in the box of the very first chat: the example of a bundled skill, ready to be sent or changed. */
function firstMessage(deps: SessionDeps): string {
  for (const { record, status } of deps.registry.list(null)) {
    if (record.scope !== 'bundled' || status !== 'effective') continue
    const example = readSkillMd(record.skillMd, record.folder).metadata['example-message']
    if (typeof example === 'string') return example.slice(0, 200)
  }
  return ''
}
