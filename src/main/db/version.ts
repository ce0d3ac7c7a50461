import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { AppError } from '@shared/errors'

/** Where a database file, and each copy of its first page in the log, keeps the number of its schema. */
const VERSION_AT = 60
const MAGIC = 'SQLite format 3\0'
/** A log grows beyond this only while somebody reads for very long; its first part is enough then. */
const MAX_LOG = 64 * 1024 * 1024

/**
 * Throws `newer_data` when a newer Satchel wrote the database. Reads bytes only: opening it with SQLite, even for
 * reading, would make files beside it. Says nothing about a file that is missing, damaged or may not be read.
 */
export function refuseNewer(file: string, newest: number): void {
  if (storedVersion(file) > newest) throw newerData()
}

/** What is said about data of a newer version. */
export function newerData(): AppError {
  return new AppError(
    'newer_data',
    'This data was written by a newer Satchel. Install the newer version, or start with another data folder (SATCHEL_HOME). Nothing was changed.',
  )
}

/** Version of the schema on disk, what is only in the log included; 0 when it can't be told. */
export function storedVersion(file: string): number {
  try {
    // The log first: whatever moves from it into the file meanwhile is seen there. Versions only grow.
    const inLog = versionInLog(readStart(`${file}-wal`, MAX_LOG))
    const head = readStart(file, 100)
    const inFile = head.toString('latin1', 0, 16) === MAGIC ? head.readUInt32BE(VERSION_AT) : 0
    return Math.max(inLog, inFile)
  } catch {
    return 0 // no right to read it: the real opening tells
  }
}

function readStart(file: string, max: number): Buffer {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) return Buffer.alloc(0)
  if (size <= max) return readFileSync(file)
  const bytes = Buffer.alloc(max)
  const fd = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, max, 0))
  } finally {
    closeSync(fd)
  }
}

/** Of the last first page that a whole transaction in the log wrote (SQLite file format, section 4); 0: none. */
function versionInLog(log: Buffer): number {
  if (log.length < 32) return 0
  const isBigEndian = (log.readUInt32BE(0) & 1) === 1
  const pageSize = log.readUInt32BE(8)
  let sum = checksum(log.subarray(0, 24), isBigEndian, [0, 0])
  if (!isSum(log, 24, sum)) return 0
  let [written, committed] = [0, 0]
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize) {
    const page = log.subarray(at + 24, at + 24 + pageSize)
    sum = checksum(page, isBigEndian, checksum(log.subarray(at, at + 8), isBigEndian, sum))
    // What follows belongs to an earlier round of the log, or was torn by a crash.
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0 || !isSum(log, at + 16, sum)) break
    if (log.readUInt32BE(at) === 1) written = page.readUInt32BE(VERSION_AT)
    if (log.readUInt32BE(at + 4) !== 0) committed = written
  }
  return committed
}

type Sum = readonly [number, number]

function checksum(bytes: Buffer, isBigEndian: boolean, from: Sum): Sum {
  let [first, second] = from
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0
    second = (second + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0
  }
  return [first, second]
}

function isSum(log: Buffer, at: number, [first, second]: Sum): boolean {
  return log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second
}
