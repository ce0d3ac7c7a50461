import type { RequestDetail } from '@shared/domain/approval'
import type { SecretWish } from '@shared/domain/secret'
import { api } from '../../api'
import type { Tone } from '../../ui/marks'
import { ReviewWishes } from './review-wishes'
import { words } from '../words'
import { reviewWords } from './review-strings'

const STATES: Record<SecretWish['state'], [Tone, string]> = {
  given: ['warn', reviewWords.reviewSecrets.thisRunGetsIt],
  'not-given': ['off', reviewWords.reviewSecrets.notGivenTheRun],
  other: ['off', reviewWords.reviewSecrets.givenBeforeOneOf],
  missing: ['off', reviewWords.reviewSecrets.thereIsNoSecret],
  refused: ['off', reviewWords.reviewSecrets.neverGivenItCould],
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
