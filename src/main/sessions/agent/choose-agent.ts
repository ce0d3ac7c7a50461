import type { ModelRef, Settings } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import type { AgentEntry } from '../../agents/precedence'
import type { Agents } from '../../agents/registry'
import { confirmAgent, keepAgentFile } from '../../db/agent-rows'
import { isEmptyChat } from '../../db/message-rows'
import { listSessions, updateSession, type SessionRow } from '../../db/session-rows'
import { agentOf, GENERAL } from './agent'
import type { SessionDeps } from '../deps'
import { need } from '../turn/turn'

type AgentColumns = Pick<SessionRow, 'agent' | 'agentScope' | 'agentDigest'>

/** Who a new chat is with, by the file of now; the person's default where no name is given. Throws `not_found`. */
export function agentForNew(
  { agents, db, settings }: Pick<SessionDeps, 'agents' | 'db' | 'settings'>,
  { projectDir, name }: { projectDir: string | null; name: string | null },
): { columns: AgentColumns; entry: AgentEntry | null } {
  const entry = name === null ? usualAgent(agents, projectDir, settings()) : agents.get(projectDir, name)
  if (!entry) return { columns: { agent: GENERAL, agentScope: 'bundled', agentDigest: '' }, entry: null }
  return { columns: columnsOf(db, entry), entry }
}

/** The person's default where it is there; what a project brings never takes its place. Else General; null: not even it. */
export function usualAgent(
  agents: Pick<Agents, 'find'>,
  projectDir: string | null,
  { defaultAgent }: Pick<Settings, 'defaultAgent'>,
): AgentEntry | null {
  const chosen = defaultAgent === GENERAL ? null : agents.find(projectDir, defaultAgent)
  return chosen && chosen.scope !== 'project' ? chosen : agents.find(projectDir, GENERAL)
}

/** The agent's own model where it is set up, else its fallback, else the person's default. */
export function modelFor(
  { isModelReady, settings }: Pick<SessionDeps, 'isModelReady' | 'settings'>,
  entry: AgentEntry | null,
): ModelRef {
  const { model = null, fallback = null } = entry?.agent ?? {}
  return [model, fallback].find((ref) => ref !== null && isModelReady(ref)) ?? settings().defaultModel
}

/** Another agent for a chat in which nothing was said yet. Throws `bad_input` for every other. */
export function setAgent(deps: SessionDeps, sessionId: string, name: string): void {
  const session = need(deps, sessionId)
  if (!isEmptyChat(deps.db.sql, sessionId)) {
    throw new AppError(
      'bad_input',
      'This chat has begun with its agent. Start a new chat to work with another one.',
    )
  }
  const entry = deps.agents.get(session.projectDir, name)
  deps.db.durable(() =>
    updateSession(deps.db.sql, sessionId, {
      ...columnsOf(deps.db, entry),
      model: modelFor(deps, entry),
    }),
  )
}

/** The file of now in the place of the one that the chat began with. Throws `not_found` when there is none. */
export function takeNewAgent(deps: SessionDeps, sessionId: string): void {
  const session = need(deps, sessionId)
  const entry = deps.agents.get(session.projectDir, session.agent)
  if (entry.digest === session.agentDigest && entry.scope === session.agentScope) return
  deps.db.durable(() => {
    updateSession(deps.db.sql, sessionId, columnsOf(deps.db, entry))
    const data = { before: session.agentDigest, digest: entry.digest, scope: entry.scope }
    deps.audit.append({ actor: 'person', action: 'agent.changed', sessionId, target: session.agent, data })
  })
}

/**
 * Chats in which nothing was said yet are with the files of now; but what a project brings takes no other's place in them
 * by itself: the person is told and decides.
 */
export function followAgents(deps: SessionDeps): void {
  for (const session of emptyChats(deps)) {
    const entry = deps.agents.find(session.projectDir, session.agent)
    if (!entry || (entry.digest === session.agentDigest && entry.scope === session.agentScope)) continue
    if (entry.scope === 'project' && session.agentScope !== 'project') continue
    deps.db.durable(() => updateSession(deps.db.sql, session.id, columnsOf(deps.db, entry)))
  }
}

/** Chats in which nothing was said yet. */
export function emptyChats({ db }: Pick<SessionDeps, 'db'>): SessionRow[] {
  return listSessions(db.sql).filter(({ id }) => isEmptyChat(db.sql, id))
}

/** From now on the tools that the file of the chat's project allows are used without asking, until the file changes. */
export function confirmTools(deps: SessionDeps, sessionId: string): void {
  const session = need(deps, sessionId)
  const { unconfirmed, digest, name } = agentOf(deps, session)
  const { projectDir } = session
  if (projectDir === null || unconfirmed.length === 0) return
  deps.db.durable(() => {
    confirmAgent(deps.db.sql, projectDir, digest)
    const data = { digest, projectDir, tools: [...unconfirmed] }
    deps.audit.append({ actor: 'person', action: 'agent.confirmed', sessionId, target: name, data })
  })
}

function columnsOf({ sql }: SessionDeps['db'], { agent, scope, digest, bytes }: AgentEntry): AgentColumns {
  keepAgentFile(sql, { digest, text: bytes.toString('utf8') })
  return { agent: agent.name, agentScope: scope, agentDigest: digest }
}
