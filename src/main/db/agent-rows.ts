import type { Connection } from './open'

/** Keeps the text of an agent's file for the chats that began with it. */
export function keepAgentFile(sql: Connection, { digest, text }: { digest: string; text: string }): void {
  sql.prepare('INSERT OR IGNORE INTO agent_files (digest, text) VALUES (?, ?)').run(digest, text)
}

export function agentFile(sql: Connection, digest: string): string | null {
  const row = sql.prepare('SELECT text FROM agent_files WHERE digest = ?').get(digest) as
    | { text: string }
    | undefined
  return row?.text ?? null
}

/** Files that no chat has any more. */
export function dropUnusedAgentFiles(sql: Connection): void {
  sql.prepare('DELETE FROM agent_files WHERE digest NOT IN (SELECT agent_digest FROM sessions)').run()
}

export function isAgentConfirmed(sql: Connection, projectDir: string, digest: string): boolean {
  const row = sql
    .prepare('SELECT 1 FROM agent_confirmations WHERE project_dir = ? AND digest = ?')
    .get(projectDir, digest)
  return row !== undefined
}

export function confirmAgent(sql: Connection, projectDir: string, digest: string): void {
  sql
    .prepare('INSERT OR IGNORE INTO agent_confirmations (project_dir, digest) VALUES (?, ?)')
    .run(projectDir, digest)
}
