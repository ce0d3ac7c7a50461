import { existsSync, rmSync } from 'node:fs'
import { openRebuildable } from './open'

/** What an earlier look found of one SKILL.md, so that a start only reads what changed. */
export interface ScanRow {
  /** Path of SKILL.md as it was found. */
  path: string
  /** JSON of one list: what it holds is the reader's business. */
  facts: string
}

/** Kept in a file that can be thrown away at any time. Nothing here throws: a failure only costs time. */
export interface SkillCache {
  /** All rows, each as path and facts. */
  load(): [path: string, facts: string][]
  /** In one transaction. */
  save(changes: { put: readonly ScanRow[]; remove: readonly string[] }): void
  close(): void
}

/** Raised when what is kept changes its shape or meaning. */
const VERSION = 3

const SCHEMA = `
PRAGMA cache_size = -2000;
CREATE TABLE IF NOT EXISTS scan (
  path TEXT PRIMARY KEY,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/** Opens the file; one that is damaged or of another version is deleted first, without a word. Null: keeps nothing. */
export function openSkillCache(file: string | null): SkillCache {
  let opened: Sql | null | undefined
  const sql = () => (opened ??= file === null ? null : (openChecked(file) ?? remake(file)))
  const attempt = (work: () => void) => {
    try {
      work()
    } catch {
      // A full disk, a locked or damaged file: everything is read from the skills again.
    }
  }
  return {
    load() {
      let rows: [string, string][] = []
      // At the very first start it is made when there is something to keep: nobody waits for it.
      if (file === null || !existsSync(file)) return rows
      attempt(() => {
        rows = (sql()?.prepare('SELECT path, facts FROM scan').raw().all() ?? []) as [string, string][]
      })
      return rows
    },
    save({ put, remove }) {
      attempt(() => {
        if (put.length + remove.length === 0) return
        const cache = sql()
        if (!cache) return
        const add = cache.prepare('INSERT OR REPLACE INTO scan (path, facts) VALUES (?, ?)')
        const forget = cache.prepare('DELETE FROM scan WHERE path = ?')
        cache.transaction(() => {
          for (const { path, facts } of put) add.run(path, facts)
          for (const path of remove) forget.run(path)
        })()
      })
    },
    close: () => attempt(() => opened?.close()),
  }
}

type Sql = ReturnType<typeof openRebuildable>

function remake(file: string): Sql | null {
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  } catch {
    return null // a folder in the way, or no right to write here
  }
  return openChecked(file)
}

/** Null for a file that can't be used as it is. */
function openChecked(file: string): Sql | null {
  let sql: Sql | null = null
  try {
    sql = openRebuildable(file, SCHEMA)
    sql.pragma('busy_timeout = 1000')
    const version = sql.pragma('user_version', { simple: true }) as number
    if (version === 0) sql.pragma(`user_version = ${VERSION}`)
    if (version === 0 || version === VERSION) return sql
  } catch {
    // Damaged, or not writable: made anew, or done without.
  }
  sql?.close()
  return null
}
