import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunPlan } from '@shared/domain/approval'
import { verifyChain } from '../../src/main/audit/chain'
import { allAudit } from '../../src/main/db/audit-rows'
import { openDb, type Connection } from '../../src/main/db/open'
import { sha256 } from '../../src/main/lib/hash'

/** The file that the agent changes: a line more for each change that a person allowed. */
export const SHELF = { path: 'projects/kitchen/shelf.txt', start: 'SHELF\n', line: 'jar\n', end: 'END\n' }

/** What a killed app had told its person. */
export interface Promises {
  chats: string[]
  /** Text by the id of a message that was acknowledged as saved. */
  said: Map<string, string>
  /** Plan hashes by the id of a request that a person was about to allow. */
  allowed: Map<string, Set<string>>
  denied: Set<string>
  /** Text by the id of a message that stood whole in the window. */
  shown: Map<string, string>
  /** State by the id of a call that had ended in the window. */
  ended: Map<string, string>
}

interface RunWithRequest {
  id: string
  request_id: string
  run_hash: string
  plan_hash: string
  status: string
  used_at: number | null
  plan: string
}

/** Ids of all runs in the data of this home. */
export function runIds(home: string): string[] {
  return (
    withDb(home, (sql) =>
      (sql.prepare('SELECT id FROM runs').all() as { id: string }[]).map(({ id }) => id),
    ) ?? []
  )
}

/** What breaks a promise: I1 to I4 and I8 of the reliability rules, each in words. */
export function faultsOf(home: string, promises: Promises, scriptOf: (version: number) => string): string[] {
  return (
    withDb(home, (sql) => [
      ...integrityFaults(sql),
      ...messageFaults(sql, promises),
      ...shownFaults(sql, promises),
      ...runFaults(sql, promises),
      ...ledgerFaults(sql, join(home, 'projects/kitchen/ledger.txt'), scriptOf),
      ...shelfFaults(sql, join(home, SHELF.path)),
    ]) ?? (promises.said.size > 0 ? ['the database is gone'] : [])
  )
}

function withDb<T>(home: string, work: (sql: Connection) => T): T | null {
  const file = join(home, 'data', 'satchel.db')
  if (!existsSync(file)) return null
  const db = openDb(file)
  try {
    return work(db.sql)
  } finally {
    db.close()
  }
}

function integrityFaults(sql: Connection): string[] {
  const integrity = sql.pragma('integrity_check', { simple: true })
  const foreign = sql.pragma('foreign_key_check') as unknown[]
  const { firstBad } = verifyChain(allAudit(sql))
  return [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`]),
    ...(foreign.length === 0 ? [] : [`${foreign.length} rows point to nothing`]),
    ...(firstBad === null ? [] : [`the audit chain breaks at ${firstBad}`]),
  ]
}

function messageFaults(sql: Connection, { said }: Promises): string[] {
  const find = sql.prepare('SELECT parts FROM messages WHERE id = ?')
  return [...said].flatMap(([id, text]) => {
    const row = find.get(id) as { parts: string } | undefined
    return row?.parts.includes(JSON.stringify(text)) ? [] : [`the message "${text}" is lost`]
  })
}

function shownFaults(sql: Connection, { shown, ended }: Promises): string[] {
  const message = sql.prepare('SELECT status, parts FROM messages WHERE id = ?')
  const call = sql.prepare('SELECT state FROM calls WHERE id = ?')
  return [
    ...[...shown].flatMap(([id, text]) => {
      const row = message.get(id) as { status: string; parts: string } | undefined
      const parts = JSON.parse(row?.parts ?? '[]') as { type: string; text?: string }[]
      const kept = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      return row?.status === 'done' && kept === text ? [] : [`"${text}" was shown and is ${row?.status} now`]
    }),
    ...[...ended].flatMap(([id, state]) => {
      const row = call.get(id) as { state: string } | undefined
      return row?.state === state ? [] : [`the call ${id} was shown as ${state} and is ${row?.state} now`]
    }),
  ]
}

/** The file is whole, has a line for every change that is told as made, and none that no approval was used for. */
function shelfFaults(sql: Connection, file: string): string[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  const lines = text.split(SHELF.line).length - 1
  if (text !== SHELF.start + SHELF.line.repeat(lines) + SHELF.end) return [`the shelf holds "${text}"`]
  const count = (query: string) => (sql.prepare(query).get() as { n: number }).n
  const made = count("SELECT count(*) AS n FROM calls WHERE name = 'Edit' AND state = 'done'")
  const used = count(
    `SELECT count(*) AS n FROM requests WHERE used_at IS NOT NULL AND json_extract(plan, '$.kind') = 'file_edit'`,
  )
  return made <= lines && lines <= used
    ? []
    : [`${lines} lines on the shelf, ${made} changes told as made, ${used} approvals used`]
}

/** No run without an approval of the same plan that was used, and none of a request that a person did not allow. */
function runFaults(sql: Connection, { allowed, denied }: Promises): string[] {
  const rows = sql
    .prepare(
      `SELECT runs.id, runs.request_id, runs.plan_hash AS run_hash, requests.plan_hash, requests.status,
         requests.used_at, requests.plan
       FROM runs LEFT JOIN requests ON requests.id = runs.request_id`,
    )
    .all() as RunWithRequest[]
  return rows.flatMap((run) => [
    ...(run.status === 'approved' && run.used_at !== null ? [] : [`${run.id} has no used approval`]),
    ...(run.run_hash === run.plan_hash ? [] : [`${run.id} ran another plan than the approved`]),
    ...(allowed.get(run.request_id)?.has(run.plan_hash) ? [] : [`${run.id} was allowed by nobody`]),
    ...(denied.has(run.request_id) ? [`${run.id} was denied`] : []),
  ])
}

/** What scripts wrote: each run at most once, and with the bytes that its plan names. */
function ledgerFaults(sql: Connection, file: string, scriptOf: (version: number) => string): string[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const find = sql.prepare(
    'SELECT requests.plan FROM runs JOIN requests ON requests.id = runs.request_id WHERE runs.id = ?',
  )
  const ids = lines.map((line) => line.split(' ')[0] ?? '')
  return lines.flatMap((line, at) => {
    const [id = '', version = ''] = line.split(' ')
    const row = find.get(id) as { plan: string } | undefined
    if (!row) return [`"${line}" was written without a run`]
    const plan = JSON.parse(row.plan) as RunPlan
    return [
      ...(ids.indexOf(id) === at ? [] : [`${id} was executed twice`]),
      ...(plan.script?.sha256 === sha256(scriptOf(Number(version))) ? [] : [`${id} ran other bytes`]),
    ]
  })
}
