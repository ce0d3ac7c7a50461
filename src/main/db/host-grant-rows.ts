import { z } from 'zod'
import type { HostGrant } from '@shared/domain/host-grant'
import type { Connection } from './open'
import { prepared } from './prepared'

const Row = z
  .object({
    host: z.string(),
    skill_key: z.string(),
    skill_name: z.string(),
    tree_digest: z.string(),
    at: z.number(),
  })
  .transform(({ host, at, ...row }): HostGrant => {
    return { host, at, skillKey: row.skill_key, skillName: row.skill_name, treeDigest: row.tree_digest }
  })

export function listHostGrants(sql: Connection): HostGrant[] {
  return z.array(Row).parse(prepared(sql, 'SELECT * FROM host_grants ORDER BY skill_name, host').all())
}

/** Inserts, or binds to the newer contents. */
export function putHostGrant(sql: Connection, grant: HostGrant): void {
  prepared(
    sql,
    `INSERT INTO host_grants (host, skill_key, skill_name, tree_digest, at)
     VALUES (@host, @skillKey, @skillName, @treeDigest, @at)
     ON CONFLICT (host, skill_key) DO UPDATE SET tree_digest = excluded.tree_digest, at = excluded.at`,
  ).run(grant)
}

export function deleteHostGrant(sql: Connection, host: string, skillKey: string): void {
  prepared(sql, 'DELETE FROM host_grants WHERE host = ? AND skill_key = ?').run(host, skillKey)
}
