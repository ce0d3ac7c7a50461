import type { Connection } from './open'

/** Which bytes of a file a chat has seen last. */
export interface FileRead {
  /** Relative to the workspace, with /. */
  path: string
  sha256: string
}

export function setFileRead(sql: Connection, sessionId: string, { path, sha256 }: FileRead): void {
  sql
    .prepare(
      `INSERT INTO file_reads (session_id, path, sha256) VALUES (?, ?, ?)
       ON CONFLICT (session_id, path) DO UPDATE SET sha256 = excluded.sha256`,
    )
    .run(sessionId, path, sha256)
}

/** sha256 of what the chat has seen of this file; null: nothing. */
export function getFileRead(sql: Connection, sessionId: string, path: string): string | null {
  const row = sql
    .prepare('SELECT sha256 FROM file_reads WHERE session_id = ? AND path = ?')
    .get(sessionId, path) as { sha256: string } | undefined
  return row?.sha256 ?? null
}
