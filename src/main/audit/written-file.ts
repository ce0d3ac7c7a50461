import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
} from 'node:fs'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { AppError, isNoSpace } from '@shared/errors'
import { auditAfter, auditEntry, setWrittenUpTo, writtenUpTo } from '../db/audit-rows'
import type { Db } from '../db/open'
import { jsonLine, writeAll } from './export'

/** Entries that are written in one go; the file is on disk before the next. */
const BATCH = 500
/** The longest line that is looked for at the end of the file. */
const TAIL = 4 * 1024 * 1024

/**
 * Appends the entries that the file does not have yet, oldest first, at most `BATCH`; true: there are more. One
 * writer at a time, whatever program it is in: it holds the turn to write the database meanwhile. Where a line was
 * torn by a crash it is completed; a file that was moved away goes on after its last entry in a new one. Throws an
 * AppError when the file can't be used.
 */
export function writeThrough(db: Db, path: string): boolean {
  if (!isAbsolute(path)) throw refused(path, 'its path must begin at the root')
  return db.tx(() => {
    const file = openFile(path)
    try {
      return append(db, path, file)
    } catch (error) {
      if (isNoSpace(error)) throw refused(path, 'the disk is full')
      throw error
    } finally {
      closeSync(file)
    }
  })
}

function append(db: Db, path: string, file: number): boolean {
  const tail = readTail(file)
  const from = Math.max(writtenUpTo(db.sql, path), isOurs(db, tail) ? tail.seq : 0)
  const events = auditAfter(db.sql, from, BATCH)
  const last = events.at(-1)?.seq ?? from
  if (events.length > 0) {
    writeAll(file, completed(file, tail, Buffer.from(events.map(jsonLine).join(''))))
    fsyncSync(file)
  }
  if (last > 0) setWrittenUpTo(db.sql, path, last)
  return events.length === BATCH
}

/** Never through a link, never into anything but a file. */
function openFile(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  // Windows knows no O_NOFOLLOW.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw refused(path, 'it is a link')
  let file: number
  try {
    file = openSync(path, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refused(path, code === 'ELOOP' ? 'it is a link' : `of ${code ?? String(error)}`)
  }
  const stat = fstatSync(file)
  if (stat.isFile() && stat.nlink === 1) return file
  closeSync(file)
  throw refused(path, stat.isFile() ? 'it has a second name' : 'it is no file')
}

function refused(path: string, why: string): AppError {
  return new AppError(
    'bad_input',
    `The audit log can't be written to ${path}, because ${why}. The record itself is complete; the file catches up when it can be written.`,
  )
}

interface Tail {
  /** Of the last whole line; 0: there is none. */
  seq: number
  hash: string
  /** What follows it: the beginning of a line. */
  torn: Buffer
  size: number
}

const Line = z.object({ seq: z.number().int().positive(), hash: z.string() })
const NO_LINE = { seq: 0, hash: '' }

/** False for the end of another record: that of a database that was damaged and moved aside. */
function isOurs({ sql }: Db, { seq, hash }: Tail): boolean {
  return seq > 0 && auditEntry(sql, seq)?.hash === hash
}

function readTail(file: number): Tail {
  const { size } = fstatSync(file)
  const length = Math.min(size, TAIL)
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const read = readSync(file, bytes, at, length - at, size - length + at)
    if (read === 0) break
    at += read
  }
  const end = bytes.lastIndexOf(0x0a)
  const start = end <= 0 ? -1 : bytes.lastIndexOf(0x0a, end - 1)
  const line = bytes.toString('utf8', start + 1, Math.max(end, 0))
  return { ...pointOf(line), torn: bytes.subarray(end + 1), size }
}

function pointOf(line: string): { seq: number; hash: string } {
  try {
    return Line.parse(JSON.parse(line))
  } catch {
    return NO_LINE // no line of ours: what the database noted counts
  }
}

/** What must be appended: the rest of a torn line, which is always the same bytes; else that end is cut off. */
function completed(file: number, { torn, size }: Tail, bytes: Buffer): Buffer {
  if (bytes.subarray(0, torn.length).equals(torn)) return bytes.subarray(torn.length)
  ftruncateSync(file, size - torn.length)
  return bytes
}
