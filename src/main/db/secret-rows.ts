import { z } from 'zod'
import { type SecretGrant, SecretView } from '@shared/domain/secret'
import type { Connection } from './open'
import { prepared } from './prepared'

const Row = z
  .object({
    name: z.string(),
    note: z.string(),
    source: SecretView.shape.source,
    variable: z.string().nullable(),
    sealed: z.instanceof(Buffer).nullable(),
    backend: z.string().nullable(),
    last4: z.string().nullable(),
    created_at: z.number(),
    last_used_at: z.number().nullable(),
  })
  .transform(({ created_at: createdAt, last_used_at: lastUsedAt, ...row }) => ({
    ...row,
    createdAt,
    lastUsedAt,
  }))
/** Made once: every call of a tool asks for them. */
const Rows = z.array(Row)
/** A secret as it is stored. */
export type SecretRow = z.infer<typeof Row>

const Grant = z
  .object({
    name: z.string(),
    skill_key: z.string(),
    skill_name: z.string(),
    tree_digest: z.string(),
    at: z.number(),
  })
  .transform(({ name, at, ...row }): SecretGrant & { name: string } => {
    return { name, at, skillKey: row.skill_key, skillName: row.skill_name, treeDigest: row.tree_digest }
  })

export function listSecrets(sql: Connection): SecretRow[] {
  return Rows.parse(prepared(sql, 'SELECT * FROM secrets ORDER BY name').all())
}

export function getSecret(sql: Connection, name: string): SecretRow | null {
  const raw = prepared(sql, 'SELECT * FROM secrets WHERE name = ?').get(name)
  return raw === undefined ? null : Row.parse(raw)
}

/** Inserts or replaces; when it was made and used stays. */
export function putSecret(sql: Connection, row: SecretRow): void {
  prepared(
    sql,
    `INSERT INTO secrets (name, note, source, variable, sealed, backend, last4, created_at, last_used_at)
     VALUES (@name, @note, @source, @variable, @sealed, @backend, @last4, @createdAt, @lastUsedAt)
     ON CONFLICT (name) DO UPDATE SET note = excluded.note, source = excluded.source, variable = excluded.variable,
       sealed = excluded.sealed, backend = excluded.backend, last4 = excluded.last4`,
  ).run(row)
}

export function deleteSecret(sql: Connection, name: string): void {
  prepared(sql, 'DELETE FROM secrets WHERE name = ?').run(name)
}

export function secretUsed(sql: Connection, name: string, at: number): void {
  prepared(sql, 'UPDATE secrets SET last_used_at = ? WHERE name = ?').run(at, name)
}

export function listGrants(sql: Connection): (SecretGrant & { name: string })[] {
  return z.array(Grant).parse(prepared(sql, 'SELECT * FROM secret_grants ORDER BY name, skill_name').all())
}

export function putGrant(sql: Connection, grant: SecretGrant & { name: string }): void {
  prepared(
    sql,
    `INSERT INTO secret_grants (name, skill_key, skill_name, tree_digest, at)
     VALUES (@name, @skillKey, @skillName, @treeDigest, @at)
     ON CONFLICT (name, skill_key) DO UPDATE SET tree_digest = excluded.tree_digest, at = excluded.at`,
  ).run(grant)
}

export function deleteGrant(sql: Connection, name: string, skillKey: string): void {
  prepared(sql, 'DELETE FROM secret_grants WHERE name = ? AND skill_key = ?').run(name, skillKey)
}
