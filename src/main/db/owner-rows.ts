import type { Connection } from './open'
import { prepared } from './prepared'
import type { Program, ProgramKind } from './programs'

/** The program that works on a chat. */
export interface OwnerRow {
  sessionId: string
  /** `Program.id`. */
  owner: string
  kind: ProgramKind
  pid: number
  startedAt: number
  takenAt: number
}

const COLUMNS = `session_id AS sessionId, owner, kind, pid, started_at AS startedAt, taken_at AS takenAt`

export function getOwner(sql: Connection, sessionId: string): OwnerRow | null {
  const row = prepared(sql, `SELECT ${COLUMNS} FROM chat_owners WHERE session_id = ?`).get(sessionId)
  return (row as OwnerRow | undefined) ?? null
}

export function listOwners(sql: Connection): OwnerRow[] {
  return prepared(sql, `SELECT ${COLUMNS} FROM chat_owners`).all() as OwnerRow[]
}

/** Does nothing for a chat that doesn't exist. */
export function setOwner(sql: Connection, sessionId: string, program: Program, takenAt: number): void {
  prepared(
    sql,
    `INSERT OR REPLACE INTO chat_owners (session_id, owner, kind, pid, started_at, taken_at)
       SELECT id, ?, ?, ?, ?, ? FROM sessions WHERE id = ?`,
  ).run(program.id, program.kind, program.pid, program.startedAt, takenAt, sessionId)
}

/** Only the row of this owner: another may have the chat by now. */
export function removeOwner(sql: Connection, sessionId: string, owner: string): void {
  prepared(sql, 'DELETE FROM chat_owners WHERE session_id = ? AND owner = ?').run(sessionId, owner)
}
