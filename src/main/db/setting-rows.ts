import type { z } from 'zod'
import { readJson } from './json-column'
import type { Connection } from './open'
import { prepared } from './prepared'

/** A stored value, or the fallback when it is missing or damaged. */
export function readSetting<T extends z.ZodType>(
  sql: Connection,
  key: string,
  schema: T,
  fallback: z.output<T>,
): z.output<T> {
  return readJson(schema, settingText(sql, key), fallback)
}

/** As it is stored, or null. */
export function settingText(sql: Connection, key: string): string | null {
  const row = prepared(sql, 'SELECT value FROM settings WHERE key = ?').get(key)
  return (row as { value: string } | undefined)?.value ?? null
}

export function writeSetting(sql: Connection, key: string, value: unknown): void {
  sql
    .prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, JSON.stringify(value))
}
