import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Connection } from './open'

export type ProgramKind = 'window' | 'command'

/** One running Satchel, the window app or the command, as others on the same data see it. */
export interface Program {
  id: string
  kind: ProgramKind
  pid: number
  /** When the process started, milliseconds since 1970. */
  startedAt: number
  /** False when that program has ended, however it did. */
  isAlive(id: string): boolean
  /** True when no other program has this data open. */
  isAlone(): boolean
  /** Ends it for the others too; a second call does nothing. */
  release(): void
}

/** Somebody may look at the file in this moment; a look takes less than a millisecond. */
const LOOK_MS = 2000

/**
 * Makes this program known in `folder`. It keeps a file of its own locked: the lock ends with the process however that
 * ends, also one that nobody waited for, and is seen from other containers, where process ids mean nothing. What dead
 * programs left is removed.
 */
export function registerProgram(folder: string, kind: ProgramKind): Program {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { id, lock } = lockNew(folder)
  const isAlive = (other: string) => other === id || isLocked(fileOf(folder, other))
  const others = () => livingPrograms(folder, id)
  others()
  return {
    id,
    kind,
    pid: process.pid,
    startedAt: Math.round(performance.timeOrigin),
    isAlive,
    isAlone: () => others().length === 0,
    release() {
      if (!lock.open) return
      rmSync(fileOf(folder, id), { force: true })
      lock.close()
    },
  }
}

/** Ids of the programs that live, except `own`. */
export function livingPrograms(folder: string, own?: string): string[] {
  return idsIn(folder).filter((id) => id !== own && isLocked(fileOf(folder, id)))
}

function lockNew(folder: string): { id: string; lock: Connection } {
  for (;;) {
    const id = randomUUID()
    const lock = new Database(fileOf(folder, id), { timeout: LOOK_MS })
    lock.pragma('journal_mode = MEMORY') // no journal file beside the lock
    lock.exec('BEGIN EXCLUSIVE')
    // Somebody who looked before the lock was there took it for the rest of a dead program.
    if (existsSync(fileOf(folder, id))) return { id, lock }
    lock.close()
  }
}

/** Removes a file that nobody holds. Shared, so that two who look at the same time don't see each other. */
function isLocked(file: string): boolean {
  if (!existsSync(file)) return false
  let look: Connection | undefined
  try {
    look = new Database(file, { timeout: 0, fileMustExist: true })
    look.exec('BEGIN')
    look.prepare('SELECT 1 FROM sqlite_schema').all()
    rmSync(file, { force: true })
    return false
  } catch {
    return existsSync(file) // locked, or not to be looked at: then it counts as living
  } finally {
    look?.close()
  }
}

function idsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => (name.endsWith('.lock') ? [name.slice(0, -5)] : []))
}

function fileOf(folder: string, id: string): string {
  return join(folder, `${id}.lock`)
}
