import type { Message, ToolCall } from '@shared/domain/session'
import { safeJson } from '../terminal/json'
import type { World } from '../world'
import type { Teller } from './teller'

/** One event per line on stdout; `t` says which. The last line of the command has none: it is its envelope. */
export function jsonLines({ stdout }: Pick<World, 'stdout'>): Teller {
  const tell = (t: string, event: Record<string, unknown>) => stdout.write(`${safeJson({ t, ...event })}\n`)
  return {
    chat: ({ id, title, agent, model, projectDir, projectTrusted }) =>
      tell('chat', {
        session: id,
        title,
        agent: agent.name,
        model,
        project: projectDir,
        trusted: projectTrusted,
      }),
    notice: (message) => tell('notice', { message }),
    text: (kind, piece) => tell(kind, { text: piece }),
    step: (call, of) => tell('step', { ...stepEvent(call), ...(of ? { of } : {}) }),
    request: ({ id, plan, planHash, findings, askReason }, answer, why) =>
      tell('request', {
        id,
        kind: plan.kind,
        plan,
        plan_hash: planHash,
        findings,
        reason: askReason,
        answer,
        why,
      }),
    message: (message) => tell('message', messageEvent(message)),
  }
}

function stepEvent({ id, step, name, input, state, envelope, requestId }: ToolCall): Record<string, unknown> {
  return { id, step, name, input, state, request: requestId, envelope }
}

function messageEvent({ id, role, status, model, usage, parts }: Message): Record<string, unknown> {
  return { id, role, status, model, usage, parts }
}
