import { z } from 'zod'
import { Usage, type ActiveSkill, type CallState, type Message } from '@shared/domain/session'
import type { AgentEntry } from '../../agents/precedence'
import { keepAgentFile } from '../../db/agent-rows'
import { getCall, listCalls, updateCall, type CallRow } from '../../db/call-rows'
import { insertMessage, listMessages } from '../../db/message-rows'
import {
  getSession,
  insertSession,
  listForks,
  rootIdOf,
  takeSeq,
  type SessionRow,
} from '../../db/session-rows'
import { newId } from '../../lib/ids'
import { cutText } from '../../lib/well-formed'
import type { Chain } from '../chain'
import { failed, succeeded } from '../envelope'
import { plainLine } from '../escape'
import { textOf } from '../history'
import { QUITTING } from '../quitting'
import type { ToolContext, ToolOutcome } from './tool'

/** What a fork begins with. Nothing else crosses: no message of the parent, and no answer that was given in it. */
export interface ForkStart {
  active: ActiveSkill
  args: string | undefined
  chain: Chain
  agent: string | null
}

const MAX_OUTPUT = 16_000

/** Runs a skill in a chat of its own (R12). In a turn only: elsewhere the step is left to one. */
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
  const skill = child?.fork?.chain.at(-1)?.name ?? ''
  return {
    kind: 'result',
    ...resultOf(context, childId, skill),
    record: () =>
      deps.audit.append({
        actor: 'agent',
        action: 'skill.unloaded',
        sessionId: session.id,
        target: skill,
        data: { key: child?.fork?.chain.at(-1)?.key ?? '', step: call.step, fork: childId },
      }),
  }
}

/** The child's rows, its record and the call's link to it, in one durable transaction: a crash leaves all or nothing. */
function openChild(context: ToolContext, { active, args, chain, agent }: ForkStart): SessionRow {
  const { deps, session, call } = context
  const at = deps.now()
  const named = agent === null ? null : deps.agents.find(session.projectDir, agent)
  const child: SessionRow = {
    id: newId('ses'),
    title: active.name,
    projectDir: session.projectDir,
    model: session.model,
    state: 'idle',
    // Its text stands in the child's instructions, whatever the style.
    activeSkills: [{ ...active, step: 0 }],
    draft: '',
    createdAt: at,
    updatedAt: at,
    ...agentColumns(session, named),
    fork: { parentId: session.id, rootId: rootIdOf(session), callId: call.id, chain, agent },
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
      parts: [{ type: 'text', text: args?.trim() || `Do what the skill "${plainLine(active.name)}" says.` }],
      usage: null,
      model: null,
      createdAt: at,
      providerMessages: null,
    })
    updateCall(deps.db.sql, { ...call, childId: child.id })
    deps.audit.append({
      actor: 'agent',
      action: 'skill.loaded',
      sessionId: session.id,
      target: active.name,
      data: { key: active.key, digest: active.digest, step: call.step, fork: child.id },
    })
  })
  return child
}

/** The agent that the skill names, else that of the chat. */
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
  const envelope = failed('cancelled', 'The person stopped this turn before the skill had ended.')
  return { kind: 'result', state: 'cancelled', envelope }
}

/** Only this crosses back. */
function resultOf({ deps }: ToolContext, childId: string, skill: string) {
  const messages = listMessages(deps.db.sql, childId)
  const last = messages.findLast(({ role }) => role === 'assistant')
  const text = last ? textOf(last) : ''
  const failures = listCalls(deps.db.sql, childId).filter(
    ({ name, envelope }) => name === 'skills_post_hooks' && envelope?.success === false,
  )
  const result = {
    skill,
    session_id: childId,
    output: text.length > MAX_OUTPUT ? `${cutText(text, MAX_OUTPUT)}\n… (cut at 16 kB)` : text,
    files_changed: filesChanged(listCalls(deps.db.sql, childId)),
    usage: usageOf(
      [childId, ...listForks(deps.db.sql, childId).map(({ id }) => id)].flatMap((id) =>
        listMessages(deps.db.sql, id),
      ),
    ),
    ...(failures.length > 0 ? { warnings: failures.map(({ envelope }) => envelope?.error ?? '') } : {}),
  }
  const error = last?.parts.find((part) => part.type === 'error')
  if (last?.status === 'error' && error?.type === 'error') {
    return { envelope: failed('provider', `"${skill}" broke off: ${error.message} ${error.action}`, result) }
  }
  if (last?.status === 'done' && !last.parts.some(({ type }) => type === 'tool'))
    return { envelope: succeeded(result) }
  return { envelope: failed('limit', `"${skill}" made too many steps without coming to an end.`, result) }
}

const Changed = z.object({
  files_changed: z.array(z.unknown()).catch([]),
  path: z.string().optional().catch(undefined),
})

/** What runs and edits of the child say that they changed, each once. */
function filesChanged(calls: readonly CallRow[]): unknown[] {
  const all = calls.flatMap(({ name, envelope }) => {
    const { files_changed: files, path } = Changed.catch({ files_changed: [] }).parse(envelope?.result ?? {})
    return (name === 'Write' || name === 'Edit') && path !== undefined ? [path] : files
  })
  return [...new Map(all.map((file) => [JSON.stringify(file), file])).values()]
}

function usageOf(messages: readonly Message[]): { input_tokens: number; output_tokens: number } {
  const usages = messages.flatMap(({ usage }) => Usage.safeParse(usage).data ?? [])
  return {
    input_tokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output_tokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }
}
