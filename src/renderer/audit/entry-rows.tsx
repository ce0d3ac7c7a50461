import type { ReactNode } from 'react'
import { auditWords, contextOf } from '@shared/audit-words'
import type { AuditDetail } from '@shared/domain/audit'
import { visibleLine } from '@shared/visible-text'
import { formatDuration, formatExact } from '../ui/format'
import { HashChip } from '../ui/hash-chip'
import { VisibleText } from '../ui/visible-text'
import { audit } from './strings'

type Rows = [name: string, value: ReactNode][]
/** A path as a person reads it. */
type Place = (path: string) => string

/** When, what and by whom. */
export function eventRows({ event }: AuditDetail): Rows {
  const { by, decided, ms } = auditWords(event)
  const took = ms === null ? null : formatDuration(ms)
  return [
    [audit.when, formatExact(event.at)],
    [audit.took, decided ? null : took],
    [audit.decidedIn, decided ? took : null],
    [audit.what, <VisibleText key="what" text={event.target} />],
    [audit.by, visibleLine(by)],
    [audit.person, contextOf(event).person ?? null],
  ]
}

/** In which chat, with whom. */
export function chatRows({ event, chat }: AuditDetail, place: Place): Rows {
  const { agent, model, project, step } = contextOf(event)
  const at = step === undefined ? '' : `, ${audit.step(step)}`
  const who = [agent, model].filter((name) => name !== undefined).join(', ')
  return [
    [audit.chat, event.sessionId === null ? null : `${visibleLine(chat?.title ?? audit.chatGone)}${at}`],
    [audit.agent, who === '' ? null : visibleLine(who)],
    [audit.project, project === undefined ? null : place(project)],
  ]
}

/** What ran, who allowed it, and which bytes were meant. */
export function runRows({ event: { data }, run, request }: AuditDetail, place: Place): Rows {
  return [
    [audit.where, run && place(run.cwd)],
    [audit.allowedBy, request && deciderOf(request.decidedBy)],
    [audit.why, request?.note ? visibleLine(request.note) : null],
    [audit.sandbox, run && (run.backend === 'none' ? audit.noSandbox : run.backend)],
    [audit.skillCopy, hashOf(run?.treeDigest ?? data['treeDigest'] ?? data['digest'])],
    [audit.script, hashOf(request?.scriptSha256 ?? data['scriptSha256'])],
    [audit.planned, hashOf(data['planHash'])],
  ]
}

function deciderOf(decidedBy: string | null): string | null {
  if (decidedBy === null) return null
  return decidedBy === 'person' ? audit.you : audit.rule
}

export function hashOf(value: unknown): ReactNode {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? <HashChip hash={value} /> : null
}
