import { createHash } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createAuditReader } from '../../src/main/audit/reader'
import { openDb } from '../../src/main/db/open'
import type { Connection } from '../../src/main/db/open'
import type { Task } from '../child'
import { makeRecord, type Part } from '../lib/made-record'

interface Args {
  file: string
  entries: number
  rounds: number
}

export const auditData: Task<Part & { file: string }> = async ({ file, ...part }) => {
  const started = performance.now()
  makeRecord(file, part)
  return { ms: performance.now() - started }
}

/** A page of the window. */
const PAGE = 100
const RARE = 'skill-17'

type Reader = ReturnType<typeof createAuditReader>

/** What a person does with the record, and the same rows by a bare statement: "bare" and the same name. */
export const audit: Task<Args> = async ({ file, entries, rounds }) => {
  const db = openDb(file)
  const dataDir = dirname(file)
  const reader = createAuditReader({ sql: () => db.sql, dataDir })
  const short = Object.entries({ ...questions(reader, entries), ...bareQuestions(db.sql, entries) })
  const long = Object.entries({ ...passes(reader, dataDir, entries), ...barePasses(db.sql, dataDir) })
  const series: Record<string, number[]> = Object.fromEntries([...short, ...long].map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const [name, ask] of short) series[name]!.push(await timed(ask))
  for (const [name, pass] of long) series[name]!.push(await timed(pass))
  const { total } = await reader['audit.summary']({ filter: {}, offsetMs: 0 })
  db.close()
  return { ms: 0, series, numbers: { total } }
}

function questions(reader: Reader, entries: number): Record<string, () => unknown> {
  const page = (filter: object, offset = 0) => reader['audit.query']({ filter, offset, limit: PAGE })
  const summary = (filter: object) => reader['audit.summary']({ filter, offsetMs: 0 })
  const both = async (filter: object) => [await page(filter), await summary(filter)]
  return {
    'first page': () => page({}),
    'page in the middle': () => page({}, Math.floor(entries / 2)),
    'last page': () => page({}, entries - PAGE),
    summary: () => summary({}),
    'filter: denied': () => both({ view: 'denied' }),
    'filter: skill': () => both({ skill: RARE }),
    'filter: 30 days': () => both({ since: Date.UTC(2026, 5, 1), until: Date.UTC(2026, 6, 1) }),
    'filter: word': () => both({ text: RARE }),
    'filter: failed runs': () => both({ result: 'failed' }),
  }
}

/** The rows alone, as one statement gives them. */
function bareQuestions(sql: Connection, entries: number): Record<string, () => unknown> {
  const rows = (where: string, offset = 0) => {
    const statement = sql.prepare(
      `SELECT * FROM audit WHERE ${where} ORDER BY seq DESC LIMIT ${PAGE} OFFSET ${offset}`,
    )
    return () => statement.all()
  }
  const counted = (where: string) => {
    const count = sql.prepare(`SELECT action, count(*) FROM audit WHERE ${where} GROUP BY action`)
    const page = rows(where)
    return () => [page(), count.all()]
  }
  return {
    'bare first page': rows('1'),
    'bare page in the middle': rows('1', Math.floor(entries / 2)),
    'bare last page': rows('1', entries - PAGE),
    'bare summary': counted('1'),
    'bare filter: denied': counted(`action = 'request.denied'`),
    'bare filter: skill': counted(`skill = '${RARE}'`),
    'bare filter: 30 days': counted(`at >= ${Date.UTC(2026, 5, 1)} AND at < ${Date.UTC(2026, 6, 1)}`),
    'bare filter: word': counted(`data LIKE '%${RARE}%'`),
    'bare filter: failed runs': counted(
      `action = 'run.finished' AND json_extract(data, '$.status') = 'failed'`,
    ),
  }
}

function passes(reader: Reader, dataDir: string, entries: number): Record<string, () => unknown> {
  const path = join(dataDir, 'export.jsonl')
  return {
    verify: async () => {
      const { firstBad } = await reader['audit.verify']({})
      if (firstBad !== null) throw new Error(`entry ${firstBad} does not verify`)
    },
    export: async () => {
      const { rows } = await reader['audit.export']({ filter: {}, upTo: entries, format: 'jsonl', path })
      rmSync(path)
      if (rows !== entries) throw new Error(`${rows} of ${entries} entries were exported`)
    },
  }
}

/** Reading every row and hashing its text; reading every row and writing it. */
function barePasses(sql: Connection, dataDir: string): Record<string, () => unknown> {
  const all = sql.prepare('SELECT * FROM audit ORDER BY seq')
  const path = join(dataDir, 'bare.jsonl')
  return {
    'bare verify': () => {
      for (const row of all.iterate() as Iterable<{ data: string }>)
        createHash('sha256').update(row.data).digest('hex')
    },
    'bare export': () => {
      const out = openSync(path, 'w')
      for (const row of all.iterate()) writeSync(out, `${JSON.stringify(row)}\n`)
      closeSync(out)
      rmSync(path)
    },
  }
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
