import { useState } from 'react'
import type { RequestDetail } from '@shared/domain/approval'
import type { SecretWish } from '@shared/domain/secret'
import { visibleText } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { approvalsStore, refreshApprovals } from '../stores/approvals'
import { openReview } from '../stores/ui'
import { Button } from '../ui/button'
import { Note } from '../ui/note'
import { StatusMark, type Tone } from '../ui/marks'
import { successor } from './decision'
import { words } from './words'

const STATES: Record<SecretWish['state'], [Tone, string]> = {
  given: ['warn', 'This run gets it'],
  'not-given': ['off', 'Not given: the run does not get it'],
  other: ['off', 'Given before one of its files changed: the run does not get it'],
  missing: ['off', 'There is no secret of that name. Settings, Tools adds one'],
  refused: ['off', 'Never given: it could make other code run'],
}

/** Secrets that the skill asks for. Giving one allows no run: what would run then is asked for anew. */
export function ReviewSecrets({ detail }: { detail: RequestDetail }) {
  const [error, setError] = useState('')
  if (detail.secrets.length === 0) return null
  const give = async (name: string) => {
    try {
      await api.call('secrets.grant', { name, requestId: detail.id })
      await refreshApprovals()
      const next = successor(detail, approvalsStore.getState().pending)
      if (next) openReview(next.id)
    } catch (reason) {
      setError(messageOf(reason))
    }
  }
  return (
    <section>
      <h2>{words.secrets}</h2>
      <ul className="rv-secrets">
        {detail.secrets.map(({ name, state }) => (
          <li key={name}>
            <div className="row">
              <code className="m">{visibleText(name)}</code>
              <span className="sp" />
              {(state === 'not-given' || state === 'other') && detail.status === 'pending' && (
                <Button small onClick={() => void give(name)}>
                  {words.giveSecret}
                  <span className="sr">{` ${visibleText(name)}`}</span>
                </Button>
              )}
            </div>
            <StatusMark tone={STATES[state][0]}>{STATES[state][1]}</StatusMark>
          </li>
        ))}
      </ul>
      {error && <Note tone="bad">{error}</Note>}
    </section>
  )
}
