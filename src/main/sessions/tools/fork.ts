import type { ActiveSkill, CallState } from '@shared/domain/session'
import type { ModelRef } from '@shared/domain/settings'
import type { AgentEntry } from '../../agents/precedence'
import { keepAgentFile } from '../../db/agent-rows'
import { getCall, updateCall } from '../../db/call-rows'
import { insertMessage } from '../../db/message-rows'
import {
  getSession,
  insertSession,
  rootIdOf,
  takeSeq,
  type Fork,
  type SessionRow,
} from '../../db/session-rows'
import { newId } from '../../lib/ids'
import { agentOf } from '../agent/agent'
import { failed } from '../turn/envelope'
import { QUITTING } from '../turn/quitting'
import { forkResult } from './fork-result'
import { missingAgentWords } from './load-words'
import type { ToolContext, ToolOutcome } from './tool'

/** What a fork begins with. Nothing else crosses: no message of the parent, and no answer that was given in it. */
export interface ForkStart extends Pick<Fork, 'kind' | 'chain'> {
  /** Its first message. */
  text: string
  activeSkills: ActiveSkill[]
  model: ModelRef
  /** Who works there; null: the chat's agent. */
  agent: AgentEntry | null
  /** The agent that is named and not there. */
  missingAgent?: string | undefined
  /** What the record says of it, besides step and fork. */
  noted: Record<string, unknown>
}

/** Runs a skill or an agent in a chat of its own (R12, R15). In a turn only: elsewhere the step is left to one. */
export async function runFork(context: ToolContext, start: ForkStart): Promise<ToolOutcome> {
  if (!context.deps.runChild) return { kind: 'waiting' }
  return goOnWithFork(context, openChild(context, start).id)
}

/** The chat that a call has begun already; undefined: none. */
export function begunFork({ deps, call }: ToolContext): string | undefined {
  return getCall(deps.db.sql, call.id)?.childId
}

/**
 * As far as it goes: the child's rows are its only state, so that a wait, a stop and a restart are those of every chat.
 * The call ends with what the child said last.
 */
export async function goOnWithFork(context: ToolContext, childId: string): Promise<ToolOutcome> {
  const { deps, session, call, signal } = context
  if (!deps.runChild) return { kind: 'waiting' }
  setState(context, 'ready')
  await deps.runChild(childId, signal)
  if (signal.aborted && signal.reason === QUITTING) return { kind: 'waiting' }
  if (signal.aborted) return cancelled()
  const child = getSession(deps.db.sql, childId)
  if (child?.state === 'awaiting_approval') {
    setState(context, 'awaiting_approval')
    return { kind: 'waiting' }
  }
  if (!child?.fork) return { kind: 'result', envelope: failed('internal', 'Its chat is gone. Call again.') }
  const { kind, chain } = child.fork
  const { key = '', name = '' } = chain.at(-1) ?? {}
  return {
    kind: 'result',
    envelope: forkResult(deps, child, { kind, name }),
    record: () =>
      deps.audit.append({
        actor: 'agent',
        action: kind === 'agent' ? 'agent.ended' : 'skill.unloaded',
        sessionId: session.id,
        target: name,
        data: { key, step: call.step, fork: childId },
      }),
  }
}

/** The child's rows, its record and the call's link to it, in one durable transaction: a crash leaves all or nothing. */
function openChild(context: ToolContext, start: ForkStart): SessionRow {
  const { deps, session, call } = context
  const { kind, chain, agent: named, text, activeSkills, model, noted, missingAgent } = start
  const at = deps.now()
  const name = chain.at(-1)?.name ?? ''
  const child: SessionRow = {
    id: newId('ses'),
    title: name,
    projectDir: session.projectDir,
    model,
    state: 'idle',
    activeSkills,
    draft: '',
    createdAt: at,
    updatedAt: at,
    agentModels: [],
    ...agentColumns(session, named),
    fork: {
      parentId: session.id,
      kind,
      rootId: rootIdOf(session),
      callId: call.id,
      chain,
      agent: named?.agent.name ?? null,
      ...(missingAgent === undefined ? {} : { missingAgent }),
    },
  }
  deps.db.durable(() => {
    if (named) keepAgentFile(deps.db.sql, { digest: named.digest, text: named.bytes.toString('utf8') })
    insertSession(deps.db.sql, child)
    insertMessage(deps.db.sql, {
      id: newId('msg'),
      sessionId: child.id,
      seq: takeSeq(deps.db.sql, child.id),
      role: 'user',
      status: 'done',
      parts: [{ type: 'text', text }],
      usage: null,
      model: null,
      createdAt: at,
      providerMessages: null,
    })
    updateCall(deps.db.sql, { ...call, childId: child.id })
    deps.audit.append({
      actor: 'agent',
      action: kind === 'agent' ? 'agent.began' : 'skill.loaded',
      sessionId: session.id,
      target: name,
      data: { ...noted, step: call.step, fork: child.id },
    })
  })
  if (missingAgent !== undefined) tellMissing(context, { skill: name, agent: missingAgent })
  return child
}

/** It is no mistake of the chat: the work is done, by the agent that the person chose. */
function tellMissing({ deps, session }: ToolContext, named: Parameters<typeof missingAgentWords>[0]): void {
  const message = missingAgentWords(named, agentOf(deps, session).label)
  deps.emit({ t: 'notice', level: 'warning', message, sessionId: session.id })
}

/** The named agent, else that of the chat. */
function agentColumns({ agent, agentScope, agentDigest }: SessionRow, named: AgentEntry | null) {
  if (!named) return { agent, agentScope, agentDigest }
  return { agent: named.agent.name, agentScope: named.scope, agentDigest: named.digest }
}

function setState({ deps, call }: ToolContext, state: CallState): void {
  const known = getCall(deps.db.sql, call.id) ?? call
  const row = { ...known, state, startedAt: known.startedAt ?? call.startedAt }
  deps.db.tx(() => updateCall(deps.db.sql, row))
  deps.live.emit(call.sessionId, { t: 'call', call: row })
}

function cancelled(): ToolOutcome {
  const envelope = failed('cancelled', 'The person stopped this turn before it had ended.')
  return { kind: 'result', state: 'cancelled', envelope }
}
