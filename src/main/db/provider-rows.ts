import type { KeySource, ProviderKind } from '@shared/domain/settings'
import type { Db } from './open'

/** A configured provider as it is stored. A key is only ever here sealed. */
export interface ProviderRow {
  id: string
  kind: Exclude<ProviderKind, 'practice'>
  label: string
  /** Null means the provider's own address. */
  baseUrl: string | null
  models: string[]
  keySource: KeySource
  /** Name of the environment variable, with `keySource` `env`. */
  keyEnv: string | null
  keySealed: Buffer | null
  /** Which store sealed it. */
  keyBackend: string | null
  keyLast4: string | null
  createdAt: number
}

export interface ProviderRows {
  /** In the order in which they were added. */
  list(): ProviderRow[]
  get(id: string): ProviderRow | null
  /** Inserts or replaces; the time of the first save stays. */
  put(row: ProviderRow): void
  remove(id: string): void
}

interface Stored {
  id: string
  kind: ProviderRow['kind']
  label: string
  base_url: string | null
  models: string
  key_source: KeySource
  key_env: string | null
  key_sealed: Buffer | null
  key_backend: string | null
  key_last4: string | null
  created_at: number
}

const PUT = `
  INSERT INTO providers
    (id, kind, label, base_url, models, key_source, key_env, key_sealed, key_backend, key_last4, created_at)
  VALUES
    (@id, @kind, @label, @base_url, @models, @key_source, @key_env, @key_sealed, @key_backend, @key_last4,
     @created_at)
  ON CONFLICT (id) DO UPDATE SET
    kind = excluded.kind, label = excluded.label, base_url = excluded.base_url, models = excluded.models,
    key_source = excluded.key_source, key_env = excluded.key_env, key_sealed = excluded.key_sealed,
    key_backend = excluded.key_backend, key_last4 = excluded.key_last4`

/** Queries of the table `providers`. */
export function createProviderRows(db: Db): ProviderRows {
  const all = db.sql.prepare<[], Stored>('SELECT * FROM providers ORDER BY created_at, id')
  const one = db.sql.prepare<[string], Stored>('SELECT * FROM providers WHERE id = ?')
  const put = db.sql.prepare<[Stored]>(PUT)
  const remove = db.sql.prepare<[string]>('DELETE FROM providers WHERE id = ?')
  return {
    list: () => all.all().map(fromStored),
    get(id) {
      const row = one.get(id)
      return row ? fromStored(row) : null
    },
    put(row) {
      db.tx(() => put.run(toStored(row)))
    },
    remove(id) {
      db.tx(() => remove.run(id))
    },
  }
}

function fromStored(row: Stored): ProviderRow {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    baseUrl: row.base_url,
    models: JSON.parse(row.models) as string[],
    keySource: row.key_source,
    keyEnv: row.key_env,
    keySealed: row.key_sealed,
    keyBackend: row.key_backend,
    keyLast4: row.key_last4,
    createdAt: row.created_at,
  }
}

function toStored(row: ProviderRow): Stored {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    base_url: row.baseUrl,
    models: JSON.stringify(row.models),
    key_source: row.keySource,
    key_env: row.keyEnv,
    key_sealed: row.keySealed,
    key_backend: row.keyBackend,
    key_last4: row.keyLast4,
    created_at: row.createdAt,
  }
}
