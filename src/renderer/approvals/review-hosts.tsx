import { useState } from 'react'
import type { RequestDetail } from '@shared/domain/approval'
import type { HostWish } from '@shared/domain/host-grant'
import { hostWords } from '@shared/network-host'
import { visibleText } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { approvalsStore, refreshApprovals } from '../stores/approvals'
import { openReview } from '../stores/ui'
import { Button } from '../ui/button'
import { Note } from '../ui/note'
import { StatusMark, type Tone } from '../ui/marks'
import { successor } from './decision'
import { words } from './words'

const STATES: Record<HostWish['state'], [Tone, string]> = {
  given: ['warn', 'This run can reach it, by an encrypted connection'],
  'not-given': ['off', 'Not allowed: this run can’t reach it'],
  other: ['off', 'Allowed before one of the skill’s files changed: this run can’t reach it'],
  refused: ['off', 'Never allowed: it is an address, or no full name of a host'],
  policy: ['off', 'Your organisation does not allow it'],
  unavailable: ['off', 'This computer can’t hold a run to some hosts. Settings, Sandbox and runs says why'],
}

/** Hosts that the skill asks for. Letting it reach one allows no run: what would run then is asked for anew. */
export function ReviewHosts({ detail }: { detail: RequestDetail }) {
  const [error, setError] = useState('')
  if (detail.hosts.length === 0) return null
  const give = async (host: string) => {
    try {
      await api.call('hosts.grant', { host, requestId: detail.id })
      await refreshApprovals()
      const next = successor(detail, approvalsStore.getState().pending)
      if (next) openReview(next.id)
    } catch (reason) {
      setError(messageOf(reason))
    }
  }
  return (
    <section>
      <h2>{words.hosts}</h2>
      <ul className="rv-secrets">
        {detail.hosts.map(({ host, state }) => (
          <li key={host}>
            <div className="row">
              <span className="m">{visibleText(hostWords(host))}</span>
              <span className="sp" />
              {(state === 'not-given' || state === 'other') && detail.status === 'pending' && (
                <Button small onClick={() => void give(host)}>
                  {words.giveHost}
                  <span className="sr">{` ${visibleText(hostWords(host))}`}</span>
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
