import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { contextOf } from '@shared/audit-words'
import type { AuditEvent, AuditFilter, AuditFormat } from '@shared/domain/audit'
import { auditSlice } from '../db/audit-query'
import type { Connection } from '../db/open'

/** One entry as a line of JSON, with everything that its hash covers. The same in every export and file. */
export function jsonLine({
  seq,
  at,
  actor,
  action,
  sessionId,
  target,
  data,
  prevHash,
  hash,
}: AuditEvent): string {
  return `${JSON.stringify({ seq, at, actor, action, sessionId, target, data, prevHash, hash })}\n`
}

const COLUMNS: [title: string, value: (event: AuditEvent) => string | number | null | undefined][] = [
  ['entry', ({ seq }) => seq],
  ['time', ({ at }) => new Date(at).toISOString()],
  ['event', ({ action }) => action],
  ['what', ({ target }) => target],
  ['by', ({ actor }) => actor],
  ['person', (event) => contextOf(event).person],
  ['agent', (event) => contextOf(event).agent],
  ['project', (event) => contextOf(event).project],
  ['chat', ({ sessionId }) => sessionId],
  ['step', (event) => contextOf(event).step],
  ['skill', (event) => contextOf(event).skill],
  ['data', ({ data: { context: _context, ...data } }) => JSON.stringify(data)],
  ['previous', ({ prevHash }) => prevHash],
  ['hash', ({ hash }) => hash],
]

export const CSV_HEAD = `${COLUMNS.map(([title]) => title).join(',')}\r\n`

/** One entry as a row (RFC 4180). A cell that a spreadsheet would calculate gets an apostrophe before it. */
export function csvLine(event: AuditEvent): string {
  return `${COLUMNS.map(([, value]) => csvCell(value(event))).join(',')}\r\n`
}

function csvCell(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const harmless = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const SLICE = 500

/** The entries that fit as text, oldest first, a slice at a time. */
export function* exported(
  sql: Connection,
  { filter, upTo, format }: { filter: AuditFilter; upTo: number; format: AuditFormat },
): Generator<{ text: string; rows: number }> {
  const line = format === 'csv' ? csvLine : jsonLine
  if (format === 'csv') yield { text: CSV_HEAD, rows: 0 }
  for (let after = 0; ;) {
    const events = auditSlice(sql, { filter, after, upTo, limit: SLICE })
    if (events.length > 0) yield { text: events.map(line).join(''), rows: events.length }
    after = events.at(-1)?.seq ?? after
    if (events.length < SLICE) return
  }
}

/** Writes what is exported into a file, whole or not at all. Gives the number of entries. */
export async function exportTo(
  path: string,
  parts: Iterable<{ text: string; rows: number }>,
  pause: () => Promise<void>,
): Promise<number> {
  const beside = `${path}.${process.pid}.part`
  const file = openSync(beside, 'wx', 0o600)
  let rows = 0
  try {
    for (const part of parts) {
      writeAll(file, Buffer.from(part.text))
      rows += part.rows
      await pause()
    }
    fsyncSync(file)
    closeSync(file)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  return rows
}

export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
