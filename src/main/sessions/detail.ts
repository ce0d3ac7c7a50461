import { basename } from 'node:path'
import type { SessionDetail, SessionSummary } from '@shared/domain/session'
import { readTree } from '../db/branch-rows'
import { listCalls } from '../db/call-rows'
import { listMessages, publicMessage } from '../db/message-rows'
import { getSession, type SessionRow } from '../db/session-rows'
import { estimateTokens } from '@shared/tokens'
import { branchesOf } from './branch-tree'
import type { Catalogue } from './catalogue'
import { catalogueOf } from './compose'
import type { SessionDeps } from './deps'
import { textOf } from './history'
import { composeRules, GENERAL_ROLE } from './prompt'
import type { Snapshot } from './live'

export function toSummary(deps: SessionDeps, session: SessionRow): SessionSummary {
  return {
    id: session.id,
    title: session.title,
    projectDir: session.projectDir,
    projectName: session.projectDir ? basename(session.projectDir) : null,
    state: stateNow(deps, session),
    waiting: deps.broker.pending(session.id).length,
    model: session.model,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
  }
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
    maxActiveSkills: deps.settings().maxActiveSkills,
    draft: session.draft,
    projectTrusted: session.projectDir === null || deps.isTrusted(session.projectDir),
    catalogue: { entries: catalogue.entries, omitted: catalogue.omitted, tokens: catalogue.tokens },
    context: contextOf(deps, session, catalogue),
    branches: branchesOf(readTree(deps.db.sql, session.id)),
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

export function emitSession(deps: SessionDeps, sessionId: string): void {
  const session = getSession(deps.db.sql, sessionId)
  if (session) deps.live.emit(sessionId, { t: 'session', session: toDetail(deps, session) })
}

/** Estimated tokens of the next call by part. What skills_read brought is told apart from the conversation. */
function contextOf(deps: SessionDeps, session: SessionRow, catalogue: Catalogue): SessionDetail['context'] {
  const calls = listCalls(deps.db.sql, session.id)
  const sizeOf = (value: unknown) => estimateTokens(JSON.stringify(value) ?? '')
  const read = calls.filter((call) => call.name === 'skills_read')
  const others = calls.filter((call) => call.name !== 'skills_read')
  const said = listMessages(deps.db.sql, session.id).map(textOf)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0)
  return {
    rules: estimateTokens(composeRules(GENERAL_ROLE, true)),
    catalogue: catalogue.tokens,
    activeSkills: sum(session.activeSkills.map(({ tokens }) => tokens)),
    filesRead: sum(read.map((call) => sizeOf(call.envelope))),
    conversation:
      sum(said.map(estimateTokens)) + sum(others.map((call) => sizeOf(call.envelope) + sizeOf(call.input))),
    window: deps.llm.contextWindow(session.model),
  }
}
