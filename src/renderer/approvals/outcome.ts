import type { RequestStatus, RequestSummary } from '@shared/domain/approval'

export interface OutcomeWords {
  tone: 'ok' | 'bad' | 'warn' | 'off'
  text: string
}

/** How a request ended, in words. */
export function outcomeOf({ status, decidedBy }: Pick<RequestSummary, 'status' | 'decidedBy'>): OutcomeWords {
  if (status === 'denied' || status === 'auto_denied') {
    return { tone: 'bad', text: DENIED[decidedBy ?? 'person'] }
  }
  return OUTCOMES[status]
}

const OUTCOMES: Readonly<Record<Exclude<RequestStatus, 'denied' | 'auto_denied'>, OutcomeWords>> = {
  pending: { tone: 'warn', text: 'Waiting' },
  approved: { tone: 'ok', text: 'Allowed by you' },
  auto_allowed: { tone: 'ok', text: 'Allowed by a rule' },
  superseded: { tone: 'ok', text: 'Allowed by a rule made meanwhile' },
  stale: { tone: 'off', text: 'Changed before an answer' },
  cancelled: { tone: 'off', text: 'Ended with its turn' },
  expired: { tone: 'off', text: 'Nobody answered' },
  edited: { tone: 'off', text: 'Changed by you' },
}

const DENIED = {
  person: 'Denied by you',
  rule: 'Denied by a rule',
  mode: 'Denied: this chat runs no scripts',
} as const
