import { z } from 'zod'
import type { PreparedEnvironment } from '@shared/domain/environment'
import { readJson } from './json-column'
import type { Connection } from './open'
import { prepared } from './prepared'

/** As it is stored: where its folder lies is known by its name. */
export type EnvironmentRow = Omit<PreparedEnvironment, 'folder'>

const Row = z
  .object({
    folder: z.string(),
    key: z.string(),
    kind: z.enum(['python', 'node']),
    skill_key: z.string(),
    skill_name: z.string(),
    tree_digest: z.string(),
    packages: z.string(),
    digest: z.string(),
    bytes: z.number(),
    at: z.number(),
    used_at: z.number(),
  })
  .transform(({ folder, packages, ...row }): EnvironmentRow => {
    return {
      id: folder,
      key: row.key,
      kind: row.kind,
      skillKey: row.skill_key,
      skillName: row.skill_name,
      treeDigest: row.tree_digest,
      packages: readJson(z.array(z.string()), packages, []),
      digest: row.digest,
      bytes: row.bytes,
      at: row.at,
      usedAt: row.used_at,
    }
  })

/** The newest first. */
export function listEnvironments(sql: Connection): EnvironmentRow[] {
  return z.array(Row).parse(prepared(sql, 'SELECT * FROM environments ORDER BY at DESC, folder').all())
}

/** Those of one key, the newest first. */
export function environmentsOf(sql: Connection, key: string): EnvironmentRow[] {
  const rows = prepared(sql, 'SELECT * FROM environments WHERE key = ? ORDER BY at DESC, folder').all(key)
  return z.array(Row).parse(rows)
}

export function insertEnvironment(sql: Connection, row: EnvironmentRow): void {
  prepared(
    sql,
    `INSERT INTO environments
       (folder, key, kind, skill_key, skill_name, tree_digest, packages, digest, bytes, at, used_at)
     VALUES (@id, @key, @kind, @skillKey, @skillName, @treeDigest, @packages, @digest, @bytes, @at, @usedAt)`,
  ).run({ ...row, packages: JSON.stringify(row.packages) })
}

export function touchEnvironment(sql: Connection, id: string, at: number): void {
  prepared(sql, 'UPDATE environments SET used_at = ? WHERE folder = ?').run(at, id)
}

export function deleteEnvironment(sql: Connection, id: string): void {
  prepared(sql, 'DELETE FROM environments WHERE folder = ?').run(id)
}
