import { useCallback, useRef, useState } from 'react'
import type { Decision, RequestSummary } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import { api, messageOf } from '../api'
import { refreshApprovals } from '../stores/approvals'
import { inputClock } from './review/input-clock'

export type Outcome = 'decided' | 'stale' | 'edited' | 'gone' | 'failed'

export interface Deciding {
  busy: boolean
  /** Why the last decision did not count; empty otherwise. */
  error: string
  decide: (request: RequestSummary, choice: Decision['choice'], extra?: DecisionExtra) => Promise<Outcome>
}

export interface DecisionExtra {
  note?: string
  acknowledged?: readonly string[]
  remember?: Decision['remember']
  edited?: Decision['edited']
}

/** Sends a decision: only which plan was seen and what was chosen, never a part of the plan (AP-2). Once at a time. */
export function useDecide(): Deciding {
  const [state, setState] = useState({ busy: false, error: '' })
  const running = useRef(false)
  const decide = useCallback<Deciding['decide']>(async (request, choice, extra = {}) => {
    if (running.current) return 'failed'
    running.current = true
    setState({ busy: true, error: '' })
    const result = await send(toDecision(request, choice, extra))
    running.current = false
    inputClock().noteClosed()
    setState({ busy: false, error: result.error })
    await refreshApprovals().catch(() => {
      // The list keeps its last state; the next event fetches it again.
    })
    return result.outcome
  }, [])
  return { ...state, decide }
}

/** The whole message of a click. */
export function toDecision(
  request: RequestSummary,
  choice: Decision['choice'],
  extra: DecisionExtra,
): Decision {
  return {
    requestId: request.id,
    revision: request.revision,
    planHash: request.planHash,
    choice,
    acknowledged: [...(extra.acknowledged ?? [])],
    ...(extra.note ? { note: extra.note } : {}),
    ...(extra.remember ? { remember: extra.remember } : {}),
    ...(extra.edited ? { edited: extra.edited } : {}),
  }
}

async function send(decision: Decision): Promise<{ outcome: Outcome; error: string }> {
  try {
    const { status } = await api.call('approvals.decide', decision)
    return { outcome: status === 'stale' || status === 'edited' ? status : 'decided', error: '' }
  } catch (error) {
    const code = error instanceof AppError ? error.code : ''
    const outcome =
      code === 'stale' ? 'stale' : code === 'already_decided' || code === 'not_found' ? 'gone' : 'failed'
    return { outcome, error: messageOf(error) }
  }
}
