import type { RequestDetail } from '@shared/domain/approval'
import type { SecretWish } from '@shared/domain/secret'
import { api } from '../api'
import type { Tone } from '../ui/marks'
import { ReviewWishes } from './review-wishes'
import { words } from './words'

const STATES: Record<SecretWish['state'], [Tone, string]> = {
  given: ['warn', 'This run gets it'],
  'not-given': ['off', 'Not given: the run does not get it'],
  other: ['off', 'Given before one of its files changed: the run does not get it'],
  missing: ['off', 'There is no secret of that name. Settings, Tools adds one'],
  refused: ['off', 'Never given: it could make other code run'],
}

/** Secrets that the skill asks for. */
export function ReviewSecrets({ detail }: { detail: RequestDetail }) {
  return (
    <ReviewWishes
      detail={detail}
      title={words.secrets}
      wishes={detail.secrets}
      nameWords={(name) => name}
      isCode
      states={STATES}
      giveLabel={words.giveSecret}
      onGive={(name) => api.call('secrets.grant', { name, requestId: detail.id })}
    />
  )
}
