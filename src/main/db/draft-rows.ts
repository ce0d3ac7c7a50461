import type { Connection } from './open'

/** Text of one file that was typed and not saved. */
export interface DraftRow {
  key: string
  path: string
  text: string
  /** sha256 of the file that it was typed over; null: there was none. */
  before: string | null
  /** Milliseconds since 1970. */
  keptAt: number
}

const COLUMNS = 'skill_key AS key, path, text, before, kept_at AS keptAt'

export function listDrafts(sql: Connection): Pick<DraftRow, 'key' | 'path' | 'keptAt'>[] {
  return sql
    .prepare('SELECT skill_key AS key, path, kept_at AS keptAt FROM drafts ORDER BY kept_at DESC')
    .all() as Pick<DraftRow, 'key' | 'path' | 'keptAt'>[]
}

export function getDraft(sql: Connection, key: string, path: string): DraftRow | null {
  const row = sql.prepare(`SELECT ${COLUMNS} FROM drafts WHERE skill_key = ? AND path = ?`).get(key, path)
  return (row as DraftRow | undefined) ?? null
}

export function putDraft(sql: Connection, draft: DraftRow): void {
  sql
    .prepare(
      `INSERT INTO drafts (skill_key, path, text, before, kept_at) VALUES (@key, @path, @text, @before, @keptAt)
       ON CONFLICT (skill_key, path) DO UPDATE SET text = @text, before = @before, kept_at = @keptAt`,
    )
    .run(draft)
}

export function deleteDraft(sql: Connection, key: string, path: string): boolean {
  return sql.prepare('DELETE FROM drafts WHERE skill_key = ? AND path = ?').run(key, path).changes > 0
}

/** All drafts of one skill get another key; one that has the same path there is replaced. */
export function rekeyDrafts(sql: Connection, from: string, to: string): void {
  sql.prepare('UPDATE OR REPLACE drafts SET skill_key = ? WHERE skill_key = ?').run(to, from)
}

export function deleteDraftsOf(sql: Connection, key: string): void {
  sql.prepare('DELETE FROM drafts WHERE skill_key = ?').run(key)
}

/** The drafts of a file, or of all files of a folder, get its new path. */
export function moveDrafts(sql: Connection, key: string, from: string, to: string): void {
  for (const { path } of listDrafts(sql).filter((draft) => draft.key === key)) {
    if (path !== from && !path.startsWith(`${from}/`)) continue
    sql
      .prepare('UPDATE OR REPLACE drafts SET path = ? WHERE skill_key = ? AND path = ?')
      .run(to + path.slice(from.length), key, path)
  }
}
