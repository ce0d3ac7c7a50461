import type { RequestDetail } from '@shared/domain/approval'
import type { HostWish } from '@shared/domain/host-grant'
import { hostWords } from '@shared/network-host'
import { api } from '../api'
import type { Tone } from '../ui/marks'
import { ReviewWishes } from './review-wishes'
import { words } from './words'

const STATES: Record<HostWish['state'], [Tone, string]> = {
  given: ['warn', 'This run can reach it, by an encrypted connection'],
  'not-given': ['off', 'Not allowed: this run can’t reach it'],
  other: ['off', 'Allowed before one of the skill’s files changed: this run can’t reach it'],
  refused: ['off', 'Never allowed: it is an address, or no full name of a host'],
  policy: ['off', 'Your organisation does not allow it'],
  unavailable: ['off', 'This computer can’t hold a run to some hosts. Settings, Sandbox and runs says why'],
}

/** Hosts that the skill asks for. */
export function ReviewHosts({ detail }: { detail: RequestDetail }) {
  return (
    <ReviewWishes
      detail={detail}
      title={words.hosts}
      wishes={detail.hosts.map(({ host, state }) => ({ name: host, state }))}
      nameWords={hostWords}
      isCode={false}
      states={STATES}
      giveLabel={words.giveHost}
      onGive={(host) => api.call('hosts.grant', { host, requestId: detail.id })}
    />
  )
}
