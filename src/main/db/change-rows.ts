import { z } from 'zod'
import { ChangeKind, Coverage } from '@shared/domain/run-changes'
import { prepared } from './prepared'
import type { Connection } from './open'

export interface ChangeSetRow {
  id: string
  kind: 'run' | 'undo'
  runId: string
  ofId: string | null
  root: string
  state: 'done' | 'open'
  coverage: Coverage
  /** Changes that are not rows. */
  more: number
  /** Of git's own files. */
  git: number
  /** Another run worked in the folder at the same time. */
  shared: boolean
  /** Looked at only at a later start. */
  late: boolean
  /** Contents were given up. */
  expired: boolean
  createdAt: number
}

/** `before` and `after` are JSON of the undo part. */
export interface ChangeRow {
  n: number
  path: Buffer
  kind: ChangeKind
  before: string | null
  after: string | null
}

const flag = z.number().transform((value) => value === 1)
const SetRow = z
  .object({
    id: z.string(),
    kind: z.enum(['run', 'undo']),
    run_id: z.string(),
    of_id: z.string().nullable(),
    root: z.string(),
    state: z.enum(['done', 'open']),
    coverage: z.string().transform((text) => Coverage.parse(JSON.parse(text))),
    more: z.number(),
    git: z.number(),
    shared: flag,
    late: flag,
    expired: flag,
    created_at: z.number(),
  })
  .transform(({ run_id: runId, of_id: ofId, created_at: createdAt, ...row }): ChangeSetRow => {
    return { ...row, runId, ofId, createdAt }
  })
const Row = z.object({
  n: z.number(),
  path: z.instanceof(Buffer),
  kind: ChangeKind,
  before: z.string().nullable(),
  after: z.string().nullable(),
})

export function insertChangeSet(sql: Connection, row: ChangeSetRow, changes: readonly ChangeRow[]): void {
  prepared(
    sql,
    `INSERT INTO change_sets (id, kind, run_id, of_id, root, state, coverage, more, git, shared, late, expired, created_at)
     VALUES (@id, @kind, @runId, @ofId, @root, @state, @coverage, @more, @git, @shared, @late, @expired, @createdAt)`,
  ).run({
    ...row,
    coverage: JSON.stringify(row.coverage),
    shared: Number(row.shared),
    late: Number(row.late),
    expired: Number(row.expired),
  })
  const insert = prepared(
    sql,
    `INSERT INTO run_changes (set_id, n, path, kind, before, after)
     VALUES (@setId, @n, @path, @kind, @before, @after)`,
  )
  for (const change of changes) insert.run({ ...change, setId: row.id })
}

/** Of an undo that has ended: these were left alone after all. One without a change is no undo. */
export function endChangeSet(sql: Connection, id: string, left: readonly number[]): void {
  const drop = prepared(sql, 'DELETE FROM run_changes WHERE set_id = ? AND n = ?')
  for (const n of left) drop.run(id, n)
  prepared(sql, `UPDATE change_sets SET state = 'done' WHERE id = ?`).run(id)
  prepared(
    sql,
    `DELETE FROM change_sets WHERE id = ? AND NOT EXISTS (SELECT 1 FROM run_changes WHERE set_id = change_sets.id)`,
  ).run(id)
}

export function expireChangeSet(sql: Connection, id: string): void {
  prepared(sql, 'UPDATE change_sets SET expired = 1 WHERE id = ?').run(id)
}

export function getChangeSet(sql: Connection, id: string): ChangeSetRow | null {
  const raw = prepared(sql, 'SELECT * FROM change_sets WHERE id = ?').get(id)
  return raw === undefined ? null : SetRow.parse(raw)
}

/** Of one run, the oldest first: its own, then each undo. */
export function changeSetsOf(sql: Connection, runId: string): ChangeSetRow[] {
  const raw = prepared(
    sql,
    `SELECT * FROM change_sets WHERE run_id = ? ORDER BY kind = 'undo', created_at, rowid`,
  ).all(runId)
  return z.array(SetRow).parse(raw)
}

/** Those whose contents are kept, the newest first. */
export function keptChangeSets(sql: Connection): ChangeSetRow[] {
  const raw = prepared(
    sql,
    'SELECT * FROM change_sets WHERE expired = 0 ORDER BY created_at DESC, rowid DESC',
  ).all()
  return z.array(SetRow).parse(raw)
}

export function changesOf(sql: Connection, setId: string, limit = -1): ChangeRow[] {
  const raw = prepared(
    sql,
    'SELECT n, path, kind, before, after FROM run_changes WHERE set_id = ? ORDER BY n LIMIT ?',
  )
  return z.array(Row).parse(raw.all(setId, limit))
}

export function countChanges(sql: Connection, setId: string): number {
  const raw = prepared(sql, 'SELECT count(*) AS n FROM run_changes WHERE set_id = ?').get(setId)
  return z.object({ n: z.number() }).parse(raw).n
}

const Overlap = z.object({
  id: z.string(),
  request_id: z.string(),
  cwd: z.string(),
  ended_at: z.number().nullable(),
})

/** Runs that were under way at some time since then, with the folder that they began in. */
export function runsSince(sql: Connection, from: number) {
  const raw = prepared(
    sql,
    'SELECT id, request_id, cwd, ended_at FROM runs WHERE ended_at IS NULL OR ended_at >= ?',
  ).all(from)
  return z
    .array(Overlap)
    .parse(raw)
    .map(({ ended_at: endedAt, request_id: requestId, ...run }) => {
      return { ...run, requestId, endedAt }
    })
}

/** The run of a request; null: it never began. */
export function runOfRequest(sql: Connection, requestId: string) {
  const raw = prepared(
    sql,
    'SELECT id, status, session_id AS sessionId, script, started_at AS startedAt FROM runs WHERE request_id = ?',
  ).get(requestId)
  const RunOf = z.object({
    id: z.string(),
    status: z.string(),
    sessionId: z.string(),
    script: z.string(),
    startedAt: z.number(),
  })
  return raw === undefined ? null : RunOf.parse(raw)
}
