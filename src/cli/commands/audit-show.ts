import { auditWords, contextOf } from '@shared/audit-words'
import type { AuditDetail } from '@shared/domain/audit'
import { AppError } from '@shared/errors'
import { auditDetail } from '../../main/db/audit-query'
import { withAudit } from '../here/audit'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { shown, shownLines } from '../terminal/output'
import type { Style } from '../terminal/output'
import type { World } from '../world'
import { localTime } from './audit-list'

/** `satchel audit show`: one entry, whole. */
export async function run({ words }: Given, world: World): Promise<Outcome> {
  const [text = ''] = words
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw wrongUse(`An entry can't be "${text}". It is its number.`, 'satchel audit list')
  }
  const detail = await withAudit(world, ({ sql }) => auditDetail(sql, Number(text)))
  if (!detail) throw new AppError('not_found', `There is no entry ${text}.`)
  return { result: detail, text: (out) => ({ out: textOf(detail, out) }) }
}

function textOf({ event, chat, run, request }: AuditDetail, style: Style): string {
  const words = auditWords(event)
  const context = contextOf(event)
  const { context: _context, ...data } = event.data
  const rows: [string, string | null | undefined][] = [
    ['Event', `${words.event} (${event.action})`],
    ['When', `${localTime(event.at)} (${new Date(event.at).toISOString()})`],
    ['What', words.what],
    ['By', words.by],
    ['Result', words.result?.text],
    ['Account', context.person],
    ['Agent', context.agent],
    ['Project', context.project],
    ['Chat', event.sessionId && `${event.sessionId}${chat ? `, ${chat.title}` : ''}`],
    ['Step', context.step === undefined ? null : String(context.step)],
    ['Command', run && JSON.stringify(run.argv)],
    ['Sandbox', run?.backend],
    ['Decided by', request?.decidedBy],
    ['Hash', event.hash],
    ['Previous', event.prevHash],
  ]
  const lines = rows.flatMap(([name, value]) =>
    value ? [`${style.paint('quiet', name.padEnd(11))} ${shown(value)}`] : [],
  )
  return [`Entry ${event.seq}`, ...lines, '', shownLines(JSON.stringify(data, null, 2))].join('\n')
}
