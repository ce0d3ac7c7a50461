import type { Connection } from './open'

export interface ProjectRow {
  /** Real path. */
  dir: string
  name: string
  trusted: boolean
  openedAt: number
}

interface Raw {
  dir: string
  name: string
  trusted: number
  opened_at: number
}

/** Opening a known project again keeps its trust. */
export function upsertProject(sql: Connection, row: Omit<ProjectRow, 'trusted'>): void {
  sql
    .prepare(
      `INSERT INTO projects (dir, name, opened_at) VALUES (@dir, @name, @openedAt)
       ON CONFLICT (dir) DO UPDATE SET opened_at = excluded.opened_at`,
    )
    .run(row)
}

export function setTrust(sql: Connection, dir: string, trusted: boolean): void {
  sql.prepare('UPDATE projects SET trusted = ? WHERE dir = ?').run(trusted ? 1 : 0, dir)
}

export function getProject(sql: Connection, dir: string): ProjectRow | null {
  const raw = sql.prepare('SELECT * FROM projects WHERE dir = ?').get(dir) as Raw | undefined
  return raw ? toRow(raw) : null
}

export function listProjects(sql: Connection): ProjectRow[] {
  return (sql.prepare('SELECT * FROM projects ORDER BY opened_at DESC').all() as Raw[]).map(toRow)
}

function toRow(raw: Raw): ProjectRow {
  return { dir: raw.dir, name: raw.name, trusted: raw.trusted === 1, openedAt: raw.opened_at }
}
