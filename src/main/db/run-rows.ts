import { z } from 'zod'
import { RunStatus } from '@shared/domain/run'
import type { Run } from '@shared/domain/run'
import type { Db } from './open'

/** What is known when a run begins. */
export interface NewRun {
  id: string
  requestId: string
  sessionId: string
  callId: string
  skillKey: string | null
  skillName: string
  script: string
  treeDigest: string
  planHash: string
  argv: string[]
  cwd: string
  backend: string
  capabilities: Record<string, boolean>
  interactive: boolean
  startedAt: number
}

export interface RunEnd {
  status: RunStatus
  exitCode: number | null
  signal: string | null
  outputBytes: number
  truncated: boolean
  endedAt: number
}

/** A run that an earlier process left behind. */
export interface LeftRun {
  id: string
  sessionId: string
  skillName: string
  script: string
  pid: number | null
  pidStart: string | null
}

/** The table `runs`. Transactions are the caller's. */
export interface RunRows {
  /** Throws when the request has a run already, or doesn't exist: the schema refuses an unapproved run. */
  insert(run: NewRun): void
  setProcess(id: string, pid: number, pidStart: string | null): void
  finish(id: string, end: RunEnd): void
  get(id: string): Run | null
  stillRunning(): LeftRun[]
  /** Names of the secrets that its plan gave it. */
  secretsOf(id: string): string[]
}

const Row = z.object({
  id: z.string(),
  request_id: z.string(),
  session_id: z.string(),
  call_id: z.string(),
  skill_name: z.string(),
  script: z.string(),
  tree_digest: z.string(),
  argv: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  cwd: z.string(),
  status: RunStatus,
  backend: z.string(),
  exit_code: z.number().nullable(),
  signal: z.string().nullable(),
  output_bytes: z.number(),
  truncated: z.number(),
  interactive: z.number(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
})

const LeftRow = z.object({
  id: z.string(),
  session_id: z.string(),
  skill_name: z.string(),
  script: z.string(),
  pid: z.number().nullable(),
  pid_start: z.string().nullable(),
})

const SecretNames = z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text)))

export function createRunRows(db: Db): RunRows {
  const { sql } = db
  const insert = sql.prepare(
    `INSERT INTO runs (id, request_id, session_id, call_id, skill_key, skill_name, script, tree_digest, plan_hash,
       argv, cwd, status, backend, capabilities, interactive, started_at)
     VALUES (@id, @requestId, @sessionId, @callId, @skillKey, @skillName, @script, @treeDigest, @planHash,
       @argv, @cwd, 'running', @backend, @capabilities, @interactive, @startedAt)`,
  )
  const setProcess = sql.prepare('UPDATE runs SET pid = ?, pid_start = ? WHERE id = ?')
  const finish = sql.prepare(
    `UPDATE runs SET status = @status, exit_code = @exitCode, signal = @signal, output_bytes = @outputBytes,
       truncated = @truncated, ended_at = @endedAt WHERE id = @id`,
  )
  const get = sql.prepare('SELECT * FROM runs WHERE id = ?')
  const left = sql.prepare(`SELECT * FROM runs WHERE status = 'running' ORDER BY started_at, id`)
  const secrets = sql
    .prepare(
      `SELECT json_extract(plan, '$.secrets') FROM requests
       WHERE id = (SELECT request_id FROM runs WHERE id = ?) AND json_valid(plan)`,
    )
    .pluck()
  return {
    insert(run) {
      insert.run({
        ...run,
        argv: JSON.stringify(run.argv),
        capabilities: JSON.stringify(run.capabilities),
        interactive: run.interactive ? 1 : 0,
      })
    },
    setProcess(id, pid, pidStart) {
      setProcess.run(pid, pidStart, id)
    },
    finish(id, end) {
      finish.run({ ...end, id, truncated: end.truncated ? 1 : 0 })
    },
    get(id) {
      const row = get.get(id)
      return row === undefined ? null : toRun(Row.parse(row))
    },
    stillRunning: () => z.array(LeftRow).parse(left.all()).map(toLeftRun),
    secretsOf: (id) => SecretNames.parse(secrets.get(id) ?? '[]'),
  }
}

function toRun(row: z.infer<typeof Row>): Run {
  return {
    id: row.id,
    requestId: row.request_id,
    sessionId: row.session_id,
    callId: row.call_id,
    skillName: row.skill_name,
    script: row.script,
    treeDigest: row.tree_digest,
    argv: row.argv,
    cwd: row.cwd,
    status: row.status,
    backend: row.backend,
    exitCode: row.exit_code,
    signal: row.signal,
    outputBytes: row.output_bytes,
    truncated: row.truncated === 1,
    interactive: row.interactive === 1,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

function toLeftRun(row: z.infer<typeof LeftRow>): LeftRun {
  return {
    id: row.id,
    sessionId: row.session_id,
    skillName: row.skill_name,
    script: row.script,
    pid: row.pid,
    pidStart: row.pid_start,
  }
}
