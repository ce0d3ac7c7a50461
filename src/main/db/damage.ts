import { existsSync, mkdirSync, renameSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError, isNoSpace } from '@shared/errors'
import { SCHEMA_VERSION } from './migrate'
import { openDb, type Db } from './open'
import { refuseNewer } from './version'

export interface OpenedDb {
  db: Db
  /** Folder to which a damaged database was moved, files unchanged; null when it was sound or new. */
  movedTo: string | null
}

/**
 * Opens the database, or a new one beside a damaged one, which is moved to `corrupt-<time>` and never written to
 * (`security.md` 6). Throws an AppError that says what to do when the file can't be used but may be sound: a
 * folder in its place, no right to write, another program that holds it, data of a newer Satchel. While `isAlone`
 * says that others use it, a damaged one stays where it is.
 */
export function openOrStartFresh(file: string, now: () => number, isAlone = () => true): OpenedDb {
  refuseNewer(file, SCHEMA_VERSION)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AppError(
      'bad_input',
      `${file} is a folder, but Satchel keeps its database there. Move the folder away, or name another data folder in SATCHEL_HOME. Nothing was changed.`,
    )
  }
  const fresh = () => (isAlone() ? startFresh(file, now()) : stillUsed(file))
  if (isDamaged(file)) return fresh()
  try {
    return { db: openDb(file), movedTo: null }
  } catch (error) {
    if (isDamage(error)) return fresh()
    throw explained(error, file)
  }
}

/** Its writes would go on in the file that was moved away, and be lost. */
function stillUsed(file: string): never {
  throw new AppError(
    'busy',
    `The database ${file} is damaged, and another Satchel still uses it. Close that one, then start this one again. Nothing was changed.`,
  )
}

function startFresh(file: string, at: number): OpenedDb {
  try {
    const movedTo = moveAside(file, at)
    return { db: openDb(file), movedTo }
  } catch (error) {
    throw explained(error, file)
  }
}

/** Read-only, so that looking changes nothing: a writing connection would merge the log into a file it can't trust. */
function isDamaged(file: string): boolean {
  if (!existsSync(file)) return false
  let sql: Database.Database | undefined
  try {
    sql = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    return sql.pragma('quick_check(1)', { simple: true }) !== 'ok'
  } catch (error) {
    if (isDamage(error)) return true
    if (isBusy(error)) throw explained(error, file)
    return false // whatever else it is: the real opening tells it
  } finally {
    sql?.close()
  }
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
}

/** The database and its log belong together: without the log the last commits are gone. */
function moveAside(file: string, at: number): string {
  const stamp = new Date(at).toISOString().replace(/:/g, '-')
  const folder = freeName(join(dirname(file), `corrupt-${stamp}`))
  mkdirSync(folder, { mode: 0o700 })
  // The log first: a crash in between must not leave it beside the new database.
  for (const path of [`${file}-shm`, `${file}-wal`, `${file}-journal`, file]) {
    if (existsSync(path)) renameSync(path, join(folder, basename(path)))
  }
  return folder
}

function freeName(path: string): string {
  for (let n = 2, name = path; ; n += 1) {
    if (!existsSync(name)) return name
    name = `${path}-${n}`
  }
}

/** Why the file can't be opened, in words; errors that explain themselves stay as they are. */
function explained(error: unknown, file: string): unknown {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  if (isNoSpace(error) || (code.startsWith('SQLITE_IOERR') && isDiskFull(file))) {
    return new AppError(
      'disk_full',
      `The disk with ${dirname(file)} is full, so Satchel can't open its data there. Free some space, then start it again. Nothing was lost.`,
    )
  }
  if (/^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS)/.test(code)) {
    return new AppError(
      'bad_input',
      `Satchel can't write its database ${file}. Make the file and its folder writable for you, or name another data folder in SATCHEL_HOME. Nothing was changed.`,
    )
  }
  if (isBusy(error)) {
    return new AppError(
      'busy',
      `Another program uses the database ${file}. End it, then start Satchel again. Nothing was changed.`,
    )
  }
  return error
}

/** Memory that SQLite shares between connections is a file too, and its failure is told as an input/output error. */
function isDiskFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize < 65_536
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
