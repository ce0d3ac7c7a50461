import type { z } from 'zod'
import { readJson } from './json-column'
import type { Connection } from './open'

/** A stored value, or the fallback when it is missing or damaged. */
export function readSetting<T extends z.ZodType>(
  sql: Connection,
  key: string,
  schema: T,
  fallback: z.output<T>,
): z.output<T> {
  const row = sql.prepare('SELECT value FROM settings WHERE key = ?').get(key) as
    | { value: string }
    | undefined
  return readJson(schema, row?.value ?? null, fallback)
}

export function writeSetting(sql: Connection, key: string, value: unknown): void {
  sql
    .prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, JSON.stringify(value))
}
