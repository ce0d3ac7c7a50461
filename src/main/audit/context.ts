import type { AuditContext, AuditEvent } from '@shared/domain/audit'
import type { Connection } from '../db/open'

/** Which run of Satchel writes, for whom, and its clock that is never set, in milliseconds. */
export interface Writer {
  person: string
  program: string
  monotonic(): number
}

type About = Pick<AuditEvent, 'action' | 'sessionId' | 'target' | 'data'>

/** The circumstances of an entry, as the database knows them at this moment. */
export function contextOf(sql: Connection, event: About, writer: Writer | undefined): AuditContext {
  const context: Record<string, unknown> = {
    ...(writer && {
      person: writer.person,
      program: writer.program,
      mono: Math.round(writer.monotonic()),
    }),
    ...(event.sessionId !== null && chatOf(sql, event.sessionId)),
    step: stepOf(sql, event.data),
    typed: isTyped(sql, event),
    skill: skillOf(sql, event),
  }
  const known = Object.entries(context).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(known)
}

function chatOf(sql: Connection, sessionId: string): object {
  const row = sql
    .prepare(
      `SELECT agent, agent_digest AS agentDigest, model, project_dir AS project, (
         SELECT iif(json_valid(root.trial), json_extract(root.trial, '$.name'), NULL) FROM sessions root
         WHERE root.id = coalesce(iif(json_valid(chat.fork), json_extract(chat.fork, '$.rootId'), NULL), chat.id)
       ) AS unsaved FROM sessions chat WHERE id = ?`,
    )
    .get(sessionId)
  return row ?? {}
}

function stepOf(sql: Connection, data: About['data']): unknown {
  if (typeof data['step'] === 'number') return data['step']
  const { callId, requestId, runId } = data
  const row = sql
    .prepare(
      `SELECT step FROM calls WHERE id = coalesce(@callId, (SELECT call_id FROM requests WHERE id = @requestId),
         (SELECT call_id FROM runs WHERE id = @runId))`,
    )
    .get({ callId: textOf(callId), requestId: textOf(requestId), runId: textOf(runId) })
  return (row as { step: number } | undefined)?.step
}

/** A person, and no agent, asked for this script: its call came from nobody's model. */
function isTyped(sql: Connection, { action, data }: About): true | undefined {
  if (!/^(request|run)\./.test(action)) return undefined
  const row = sql
    .prepare(
      `SELECT 1 FROM calls WHERE provider_call_id = '' AND name = 'skills_run_script' AND id =
         coalesce(@callId, (SELECT call_id FROM requests WHERE id = @requestId),
           (SELECT call_id FROM runs WHERE id = @runId))`,
    )
    .get({
      callId: textOf(data['callId']),
      requestId: textOf(data['requestId']),
      runId: textOf(data['runId']),
    })
  return row === undefined ? undefined : true
}

/** By the entry's own words where it is about a skill; else the skill whose script it is about. */
function skillOf(sql: Connection, { action, target, data }: About): unknown {
  if (typeof data['skill'] === 'string') return data['skill']
  if (/^(skill|proposal)\./.test(action)) return target.split('/')[0]
  if (typeof data['runId'] === 'string') return skillOfRun(sql, data['runId'])
  const requestId = textOf(data['requestId'])
  if (requestId === null) return undefined
  const row = sql.prepare(`SELECT skill_key FROM requests WHERE id = ?`).get(requestId)
  const key = (row as { skill_key: string | null } | undefined)?.skill_key
  // A script of a skill is called "skill/path".
  return key ? target.split('/')[0] : undefined
}

function skillOfRun(sql: Connection, runId: string): string | undefined {
  const row = sql.prepare('SELECT skill_name FROM runs WHERE id = ?').get(runId)
  return (row as { skill_name: string } | undefined)?.skill_name || undefined
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
