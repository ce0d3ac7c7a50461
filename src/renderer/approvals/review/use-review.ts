import { useEffect, useState } from 'react'
import type { RequestDetail, RequestSummary } from '@shared/domain/approval'
import { api, messageOf } from '../../api'
import { approvalsStore, useApprovals } from '../../stores/approvals'
import { useSkills } from '../../stores/skills'
import { openReview } from '../../stores/ui'
import { successor } from './decision'

/** Why the review shows something else than a moment ago. */
export type ReviewNotice = 'none' | 'stale' | 'revised' | 'edited'

export interface ReviewState {
  detail: RequestDetail | undefined
  /** Why it can't be shown; empty when it can. */
  error: string
  notice: ReviewNotice
  /** The script as it was shown before it changed under the person. */
  seenText: string | null
}

interface Kept {
  detail: RequestDetail | undefined
  error: string
  notice: ReviewNotice
  seenText: string | null
}

const NOTHING: Kept = { detail: undefined, error: '', notice: 'none', seenText: null }

/** A request that another takes the place of: why, and what was seen of it, so that the other can show the difference. */
let replaced: { callId: string; text: string | null; notice: 'stale' | 'edited' } | undefined

/** The details of one request, fetched again whenever requests change. */
export function useReview(requestId: string): ReviewState {
  const version = useApprovals((state) => state.version)
  const onDisk = useSkills((state) => state.version)
  const [kept, setKept] = useState<Kept>(NOTHING)
  useEffect(() => {
    let current = true
    api.call('approvals.get', { requestId }).then(
      (detail) => current && setKept((old) => follow(old, detail)),
      (error: unknown) => current && setKept((old) => ({ ...old, error: messageOf(error) })),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version, of it or of skills on disk, means: fetch again
  }, [requestId, version, onDisk])
  return kept.detail?.id === requestId ? kept : { ...NOTHING, error: kept.detail ? '' : kept.error }
}

/** The next state when details arrive: a change of what was shown is told, and the text shown before is kept. */
export function follow(old: Kept, detail: RequestDetail): Kept {
  if (replaced && replaced.callId === detail.callId) {
    const { text: seenText, notice } = replaced
    replaced = undefined
    return { detail, error: '', notice, seenText }
  }
  if (old.detail?.id !== detail.id) return { ...NOTHING, detail }
  if (old.detail.planHash === detail.planHash || detail.status !== 'pending')
    return { ...old, detail, error: '' }
  return { detail, error: '', notice: 'revised', seenText: old.detail.script?.text ?? null }
}

/**
 * After a decision that came too late, or a change by the person: opens the request that took the place of the old one.
 * False: there is none.
 */
export function openSuccessor(gone: RequestDetail, notice: 'stale' | 'edited'): boolean {
  const next: RequestSummary | undefined = successor(gone, approvalsStore.getState().pending)
  if (!next || next.planHash === gone.planHash) return false
  // What a person changes is never the script: it is compared with what was allowed before, as always.
  const text = notice === 'edited' ? null : (gone.script?.text ?? null)
  // Packages to prepare are no change of what was asked for.
  if (next.plan.kind !== 'prepare') replaced = { callId: next.callId, text, notice }
  openReview(next.id)
  return true
}
