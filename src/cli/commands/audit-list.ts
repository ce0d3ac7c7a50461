import { auditWords, contextOf } from '@shared/audit-words'
import type { AuditEvent } from '@shared/domain/audit'
import { auditPage, auditSummary } from '../../main/db/audit-query'
import { auditFilter, withAudit } from '../here/audit'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import { table } from '../terminal/table'
import type { Cell, Column } from '../terminal/table'
import type { World } from '../world'

const DEFAULT_LIMIT = 50

/** `satchel audit list`: the newest entries that fit. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const filter = auditFilter(given, world.now())
  const limit = limitOf(given)
  const { entries, total } = await withAudit(world, ({ sql }) => ({
    entries: auditPage(sql, { filter, limit }),
    total: auditSummary(sql, filter, 0).total,
  }))
  return {
    result: { entries, total },
    text: (out) => ({
      out: [
        ...(entries.length > 0 ? [table(COLUMNS, entries.map(cells), out)] : []),
        countLine(entries, total, out),
      ].join('\n'),
    }),
  }
}

function limitOf({ values }: Given): number {
  const text = values.get('limit')
  if (text === undefined) return DEFAULT_LIMIT
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit
  throw wrongUse(`--limit can't be "${text}". It is a number from 1 to 500.`, 'satchel audit list --limit 50')
}

const COLUMNS: readonly Column[] = [
  { title: 'ENTRY', align: 'right' },
  { title: 'TIME' },
  { title: 'STEP', align: 'right' },
  { title: 'EVENT', shrinksTo: 10 },
  { title: 'WHAT', shrinksTo: 16 },
  { title: 'BY', shrinksTo: 8 },
  { title: 'RESULT' },
]

function cells(event: AuditEvent): Cell[] {
  const words = auditWords(event)
  const paint =
    words.result && ({ ok: 'good', warn: 'warn', bad: 'bad', off: 'quiet' } as const)[words.result.tone]
  return [
    { text: String(event.seq), paint: 'quiet' },
    { text: localTime(event.at) },
    { text: String(contextOf(event).step ?? ''), paint: 'quiet' },
    { text: shown(words.event), paint: 'strong' },
    { text: shown(words.about ? `${words.what} ${words.about}` : words.what) },
    { text: shown(words.by) },
    paint ? { text: words.result?.text ?? '', paint } : { text: '' },
  ]
}

/** "2026-11-21 14:02:36", where the computer is. */
export function localTime(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

function countLine(entries: readonly AuditEvent[], total: number, style: Style): string {
  const more = total > entries.length ? `, the newest ${entries.length} shown` : ''
  return style.paint('quiet', `${counted(total, 'entry', 'entries')}${more}.`)
}
