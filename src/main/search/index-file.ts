import { rmSync } from 'node:fs'
import { openRebuildable } from '../db/open'
import type { Connection } from '../db/open'

/** Raised when the tables change: those of another version are made anew. */
const VERSION = 5

const SETTINGS = 'PRAGMA cache_size = -2000;'

/** Tables of this and of earlier versions; others in the same file are left alone. */
const TABLES = ['docs', 'docs_text', 'files_text', 'search_state', 'kept_words'] as const

/**
 * `docs` holds what is kept in memory, so that a start reads little. `rowid` of `files_text` is `docs.id` * 1024 + the
 * number of the file; `name` is the handle and the name as written; `skill` is the same, so that a word of it may stand beside words of the file. Weights of bm25:
 * name, tags, description, files, body (`rank` is set once, as FTS5 then sorts by itself and makes nothing of the rows
 * that are cut off). Sixteen segments of a level are merged at once, not four: making the index of 10,000 skills takes a
 * fifth less, and queries as long as before. `kept_words` is what `kept-words.ts` makes of `docs`: one row, or none.
 */
const SCHEMA = `
CREATE TABLE docs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE search_state (version INTEGER NOT NULL, generation INTEGER NOT NULL) STRICT;
INSERT INTO search_state VALUES (${VERSION}, 0);
CREATE TABLE kept_words (
  generation INTEGER NOT NULL,
  ids BLOB NOT NULL,
  text TEXT NOT NULL,
  starts BLOB NOT NULL,
  ends BLOB NOT NULL,
  rows BLOB NOT NULL
) STRICT;
CREATE VIRTUAL TABLE docs_text USING fts5 (
  name, tags, description, files, body,
  tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO docs_text (docs_text, rank) VALUES ('rank', 'bm25(16, 8, 4, 2, 1)'), ('automerge', 16);
CREATE VIRTUAL TABLE files_text USING fts5 (
  path, text, skill,
  tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO files_text (files_text, rank) VALUES ('rank', 'bm25(2, 1, 1)'), ('automerge', 16);
`

export interface IndexFile {
  sql: Connection
  /** The tables were made just now: there is nothing in them. */
  fresh: boolean
}

/** Opens the file of the index; one that is damaged is deleted first, tables of another version are, without a word. */
export function openIndexFile(file: string): IndexFile {
  try {
    return openReady(file)
  } catch {
    // Damaged, or a folder in the way: made anew, and if that fails too, the caller sees it.
    removeIndex(file)
    return openReady(file)
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

function openReady(file: string): IndexFile {
  const sql = openRebuildable(file, SETTINGS)
  try {
    const fresh = versionOf(sql) !== VERSION && sql.transaction(() => remake(sql)).immediate()
    return { sql, fresh }
  } catch (error) {
    sql.close()
    throw error
  }
}

/** Looked at again inside the transaction: another process may have been first, then false. */
function remake(sql: Connection): boolean {
  if (versionOf(sql) === VERSION) return false
  for (const table of TABLES) sql.exec(`DROP TABLE IF EXISTS ${table}`)
  sql.exec(SCHEMA)
  return true
}

/** 0 for none, and for tables from before there was a version. */
function versionOf(sql: Connection): number {
  try {
    return (sql.prepare('SELECT version FROM search_state').pluck().get() as number | undefined) ?? 0
  } catch (error) {
    if (/^no such (?:table|column)/.test((error as Error).message)) return 0
    throw error
  }
}
