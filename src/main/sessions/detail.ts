import { basename } from 'node:path'
import type { SessionDetail, SessionSummary } from '@shared/domain/session'
import { readTree } from '../db/branch-rows'
import { listCalls } from '../db/call-rows'
import { listMessages, publicMessage } from '../db/message-rows'
import { lastCallNumber } from '../db/model-call-rows'
import { getSession, listForks, type SessionRow } from '../db/session-rows'
import { branchesOf } from './branch-tree'
import { catalogueOf } from './compose'
import { chatRows } from './compose-call'
import type { SessionDeps } from './deps'
import { agentOf, limitsOf } from './agent'
import { chatAgent } from './chat-agent'
import type { Snapshot } from './live'
import { meterOf, spentIn } from './meter'
import { agentWishes } from './agent-model'
import { modelWishes } from './skill-model'

export function toSummary(deps: SessionDeps, session: SessionRow): SessionSummary {
  return {
    id: session.id,
    title: session.title,
    projectDir: session.projectDir,
    projectName: session.projectDir ? basename(session.projectDir) : null,
    state: stateNow(deps, session),
    waiting: familyOf(deps, session.id).reduce((sum, id) => sum + deps.broker.pending(id).length, 0),
    model: session.model,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
  }
}

/** A chat and those that its skills began. */
export function familyOf({ db }: Pick<SessionDeps, 'db'>, sessionId: string): string[] {
  return [sessionId, ...listForks(db.sql, sessionId).map(({ id }) => id)]
}

/** A chat that still says so but runs nowhere was broken off. */
function stateNow({ inTurn, owner }: SessionDeps, { id, state }: SessionRow): SessionRow['state'] {
  return state === 'running' && !inTurn.has(id) && !owner.isElsewhere(id) ? 'interrupted' : state
}

export function toDetail(deps: SessionDeps, session: SessionRow): SessionDetail {
  const catalogue = catalogueOf(deps, session)
  return {
    ...toSummary(deps, session),
    activeSkills: session.activeSkills.map((active) => {
      const current = deps.currentDigest(active.key)
      return { ...active, changedOnDisk: current !== null && current !== active.digest }
    }),
    modelWishes: [...modelWishes(deps, session), ...agentWishes(deps, session)],
    agent: chatAgent(deps, session),
    maxActiveSkills: limitsOf(deps, agentOf(deps, session)).activeSkills,
    draft: session.draft,
    projectTrusted: session.projectDir === null || deps.isTrusted(session.projectDir),
    catalogue: { entries: catalogue.entries, omitted: catalogue.omitted, tokens: catalogue.tokens },
    branches: branchesOf(readTree(deps.db.sql, session.id)),
    context: meterOf(deps, session, { ...chatRows(deps, session.id), catalogue }),
    modelCalls: lastCallNumber(deps.db.sql, session.id),
    spent: spentIn(deps, session.id),
  }
}

/** Everything the page needs to draw a chat from nothing. */
export function snapshotOf(deps: SessionDeps, session: SessionRow): Snapshot {
  return {
    session: toDetail(deps, session),
    messages: listMessages(deps.db.sql, session.id).map(
      (message) => deps.live.arriving.get(message.id) ?? publicMessage(message),
    ),
    calls: listCalls(deps.db.sql, session.id).map((call) => deps.live.unsaved.get(call.id) ?? call),
  }
}

/** Nothing is gathered for a chat that nobody watches. */
export function emitSession(deps: SessionDeps, sessionId: string): void {
  if (!deps.live.watched().includes(sessionId)) return
  const session = getSession(deps.db.sql, sessionId)
  if (session) deps.live.emit(sessionId, { t: 'session', session: toDetail(deps, session) })
}
