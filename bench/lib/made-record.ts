import { entryHash, START } from '../../src/main/audit/chain'
import { auditHead, insertAudit } from '../../src/main/db/audit-rows'
import { openDb } from '../../src/main/db/open'
import { seeded, type Seeded } from './seeded'

/** The entries are spread over so long. */
const YEAR_MS = 365 * 86_400_000
const START_AT = Date.UTC(2026, 0, 1)
const BATCH = 20_000

/** Kinds in the shares of work with agents: mostly reads and loads, some runs with their requests, few denials. */
const KINDS = [
  ...Array.from({ length: 8 }, () => 'file.read'),
  ...Array.from({ length: 4 }, () => 'skill.read'),
  ...Array.from({ length: 3 }, () => 'skill.loaded'),
  'request.created',
  'request.allowed',
  'run.started',
  'run.finished',
]

export interface Part {
  /** Of the whole record. */
  entries: number
  seed: number
  /** Numbers of the first and the last entry that are made. */
  from: number
  to: number
}

/** A part of a record, chained as the app chains it; what is before it is there. */
export function makeRecord(file: string, { entries, seed, from: first, to }: Part): void {
  const db = openDb(file)
  const random = seeded(seed + first)
  db.sql.pragma('cache_size = -400000')
  db.sql.pragma('synchronous = OFF')
  const insert = db.sql.prepare(
    `INSERT INTO audit (seq, at, actor, action, session_id, target, data, prev_hash, hash)
     VALUES (@seq, @at, @actor, @action, @sessionId, @target, @data, @prevHash, @hash)`,
  )
  let before = auditHead(db.sql) ?? START
  for (let from = first; from <= to; from += BATCH) {
    db.tx(() => {
      for (let seq = from; seq < from + BATCH && seq <= to; seq += 1) {
        const at = START_AT + Math.floor((seq / entries) * YEAR_MS)
        const entry = { ...entryOf(random, seq), seq, at, prevHash: before.hash }
        before = { seq, hash: entryHash(entry) }
        const event = { ...entry, hash: before.hash }
        // The last also notes the end.
        if (seq === to) insertAudit(db.sql, event)
        else insert.run({ ...event, data: JSON.stringify(event.data) })
      }
    })
  }
  db.close()
}

function entryOf({ below: of }: Seeded, seq: number) {
  const action = of(500) === 0 ? 'request.denied' : KINDS[of(KINDS.length)]!
  const isDecision = action === 'request.allowed' || action === 'request.denied'
  const skill = `skill-${of(200)}`
  const context = {
    person: 'person',
    program: 'app_bench',
    mono: seq * 7,
    agent: `agent-${of(12)}`,
    model: 'practice/scripted',
    project: `/home/person/projects/project-${of(30)}`,
    step: of(400),
    skill,
  }
  const digest = seq.toString(16).padStart(64, 'a')
  const data = {
    digest,
    context,
    ...(isDecision && { waitedMs: of(60_000) }),
    ...(action === 'run.finished' && { status: of(10) === 0 ? 'failed' : 'succeeded', durationMs: of(5000) }),
  }
  const actor = isDecision ? 'person' : 'agent'
  return { actor, action, sessionId: `ses_${of(2000)}`, target: `scripts/${skill}.py`, data }
}
