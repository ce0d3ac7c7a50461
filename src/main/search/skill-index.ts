import { rmSync } from 'node:fs'
import { openRebuildable } from '../db/open'
import type { Connection } from '../db/open'
import type { IndexedSkill, SkillHit } from './worker-contract'

/** Full text of names, descriptions and bodies. A file that can be rebuilt at any time. */
export interface SkillIndex {
  stamps(): { key: string; stamp: string }[]
  /** In one transaction. */
  index(changes: { upsert: readonly IndexedSkill[]; remove: readonly string[] }): void
  /** Words in any order, each as the start of a word; all of them, or any where none has all. Best first. */
  search(query: string, limit: number): SkillHit[]
  close(): void
}

export interface SkillIndexDeps {
  file: string
  /** Body of a SKILL.md; empty when it can't be read. */
  readBody(skillMd: string): string
}

/** Raised when the tables change: an index of another version is made anew. */
const VERSION = 1
const MAX_WORDS = 16

const SCHEMA = `
PRAGMA cache_size = -2000;
CREATE TABLE IF NOT EXISTS docs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS docs_text USING fts5 (
  name, description, body,
  tokenize = "unicode61 remove_diacritics 2",
  prefix = '2 3'
);
`

/** Opens the index; one that is damaged or of another version is deleted first, without a word. */
export function openSkillIndex(deps: SkillIndexDeps): SkillIndex {
  const sql = openOrRemake(deps.file)
  return {
    stamps: () => sql.prepare('SELECT key, stamp FROM docs').all() as { key: string; stamp: string }[],
    index: (changes) => sql.transaction(() => apply(sql, deps, changes)).immediate(),
    search: (query, limit) => search(sql, query, limit),
    close: () => void sql.close(),
  }
}

/** True for an error that only a new index cures. */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^SQLITE_(?:CORRUPT|NOTADB)/.test(code)
}

/** Deletes the files of an index; it must be closed. */
export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

function openOrRemake(file: string): Connection {
  const sql = attempt(() => openChecked(file))
  if (sql) return sql
  removeIndex(file)
  return openChecked(file) ?? fail(file)
}

/** Null for an index of another version. */
function openChecked(file: string): Connection | null {
  const sql = openRebuildable(file, SCHEMA)
  const version = sql.pragma('user_version', { simple: true }) as number
  if (version === 0) sql.pragma(`user_version = ${VERSION}`)
  if (version === 0 || version === VERSION) return sql
  sql.close()
  return null
}

function fail(file: string): never {
  throw new Error(`the index ${file} can not be made`)
}

function attempt<T>(open: () => T): T | null {
  try {
    return open()
  } catch {
    return null // damaged, or a folder in the way: made anew, and if that fails too, the caller sees it
  }
}

function apply(
  sql: Connection,
  deps: SkillIndexDeps,
  changes: { upsert: readonly IndexedSkill[]; remove: readonly string[] },
): void {
  const forget = sql.prepare('DELETE FROM docs WHERE key = ? RETURNING id').pluck()
  const forgetText = sql.prepare('DELETE FROM docs_text WHERE rowid = ?')
  const add = sql.prepare('INSERT INTO docs (key, stamp) VALUES (?, ?)')
  const addText = sql.prepare('INSERT INTO docs_text (rowid, name, description, body) VALUES (?, ?, ?, ?)')
  for (const key of [...changes.remove, ...changes.upsert.map((skill) => skill.key)]) {
    const id = forget.get(key)
    if (id !== undefined) forgetText.run(id)
  }
  for (const { key, stamp, name, description, skillMd } of changes.upsert) {
    const { lastInsertRowid } = add.run(key, stamp)
    addText.run(lastInsertRowid, name, description, deps.readBody(skillMd))
  }
}

function search(sql: Connection, query: string, limit: number): SkillHit[] {
  const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS).map((word) => `"${word}"*`)
  if (words.length === 0) return []
  const all = match(sql, words.join(' AND '), limit)
  return all.length > 0 || words.length === 1 ? all : match(sql, words.join(' OR '), limit)
}

/** A match in the name counts most, then the description. */
function match(sql: Connection, expression: string, limit: number): SkillHit[] {
  return sql
    .prepare(
      `SELECT docs.key AS key, snippet(docs_text, -1, '', '', '…', 16) AS snippet
       FROM docs_text JOIN docs ON docs.id = docs_text.rowid
       WHERE docs_text MATCH ? ORDER BY bm25(docs_text, 10, 4, 1), docs.key LIMIT ?`,
    )
    .all(expression, limit) as SkillHit[]
}
