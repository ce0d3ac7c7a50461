import type { RequestDetail } from '@shared/domain/approval'
import type { HostWish } from '@shared/domain/host-grant'
import { hostWords } from '@shared/network-host'
import { api } from '../../api'
import type { Tone } from '../../ui/marks'
import { ReviewWishes } from './review-wishes'
import { words } from '../words'
import { reviewWords } from './review-strings'

const STATES: Record<HostWish['state'], [Tone, string]> = {
  given: ['warn', reviewWords.reviewHosts.thisRunCanReach],
  'not-given': ['off', reviewWords.reviewHosts.notAllowedThisRun],
  other: ['off', reviewWords.reviewHosts.allowedBeforeOneOf],
  refused: ['off', reviewWords.reviewHosts.neverAllowedItIs],
  policy: ['off', reviewWords.reviewHosts.yourOrganisationDoesNot],
  unavailable: ['off', reviewWords.reviewHosts.thisComputerCantHold],
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
