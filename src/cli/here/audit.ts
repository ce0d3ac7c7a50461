import { join } from 'node:path'
import { AuditFilter } from '@shared/domain/audit'
import { AppError } from '@shared/errors'
import { readAnchor } from '../../main/audit/anchor'
import type { Connection } from '../../main/db/open'
import { wrongUse } from '../grammar/command'
import type { Given } from '../grammar/command'
import { readKnownState } from './known-state'
import type { World } from '../world'

/** The record in the data folder. */
export interface AuditHere {
  sql: Connection
  dataDir: string
  /** The database. */
  file: string
}

/** Opens the record and looks at it; nothing of it is changed. Throws `not_found` and `not_ready`. */
export async function withAudit<T>(world: World, work: (here: AuditHere) => Promise<T> | T): Promise<T> {
  const state = await readKnownState(world)
  try {
    const { sql, dataDir, note } = state
    if (!sql || dataDir === null) {
      throw new AppError('not_found', note || whyNothing(dataDir))
    }
    if (!isNewest(sql)) {
      throw new AppError('not_ready', 'The data is of an older version. Start Satchel once, then try again.')
    }
    return await work({ sql, dataDir, file: join(dataDir, 'satchel.db') })
  } finally {
    state.close()
  }
}

/** A record that is gone while its end is noted was taken away. */
function whyNothing(dataDir: string | null): string {
  const noted = dataDir === null ? 'missing' : readAnchor(dataDir)
  if (noted === 'missing') return 'Nothing was recorded yet: there is no data folder.'
  const known =
    noted === 'broken' ? 'a note of its end' : `a note of ${noted.seq.toLocaleString('en-US')} entries`
  return `The record is gone: there is ${known} (audit-head.json), but no database.`
}

function isNewest(sql: Connection): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_head'").get() !== undefined
}

/** What the options and words ask for. Throws `wrongUse`. */
export function auditFilter(given: Given, now: number): AuditFilter {
  const { values, words } = given
  const known = {
    view: values.get('view'),
    text: words.join(' ') || undefined,
    actions: values.has('event') ? [values.get('event')] : undefined,
    since: timeOf(given, 'since', now),
    until: timeOf(given, 'until', now),
    skill: values.get('skill'),
    agent: values.get('agent'),
    project: values.get('project'),
    sessionId: values.get('chat'),
    person: values.get('person'),
    decision: values.get('decision'),
    result: values.get('result'),
    hash: values.get('hash'),
  }
  return AuditFilter.parse(
    Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  )
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function timeOf({ values }: Given, name: 'since' | 'until', now: number): number | undefined {
  const text = values.get(name)
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
  // A day alone is meant as a day here, not in Greenwich.
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
  if (!Number.isNaN(at)) return at
  throw wrongUse(
    `--${name} can't be "${text}". It is a day, a time, or how long ago.`,
    `satchel audit list --${name} 7d`,
  )
}
