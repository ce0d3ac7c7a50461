import type { RequestStatus, RequestSummary } from '@shared/domain/approval'
import { words } from './words'

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
  pending: { tone: 'warn', text: words.outcome.waiting },
  approved: { tone: 'ok', text: words.outcome.allowedByYou },
  auto_allowed: { tone: 'ok', text: words.outcome.allowedByARule },
  superseded: { tone: 'ok', text: words.outcome.allowedByARuleMade },
  stale: { tone: 'off', text: words.outcome.changedBeforeAnAnswer },
  cancelled: { tone: 'off', text: words.outcome.endedWithItsTurn },
  expired: { tone: 'off', text: words.outcome.nobodyAnswered },
  edited: { tone: 'off', text: words.outcome.changedByYou },
}

const DENIED = {
  person: words.outcome.deniedByYou,
  rule: words.outcome.deniedByARule,
  mode: words.outcome.deniedThisChatRuns,
} as const
