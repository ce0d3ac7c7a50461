import type { SessionDetail } from '@shared/domain/session'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { InfoIcon } from '../ui/icons'
import { VisibleText } from '../ui/visible-text'
import { bareModel, chat } from './strings'

/** A skill prefers a model that may cost more: nothing happens until the person says so (R11). */
export function ModelWishes({ detail }: { detail: SessionDetail }) {
  const asking = detail.modelWishes.filter(({ state }) => state === 'asks')
  return asking.map(({ skill, key, ref }) => {
    const choose = (choice: 'use' | 'keep') =>
      void guarded(
        async () => void (await api.call('sessions.chooseSkillModel', { sessionId: detail.id, key, choice })),
      )
    return (
      <section key={key} className="banner trust" aria-label={chat.modelWishLabel}>
        <InfoIcon aria-hidden="true" />
        <span className="grow">
          <span className="mono">
            <VisibleText text={skill} />
          </span>{' '}
          {chat.modelWish(bareModel(ref ?? ''))}
        </span>
        <Button small onClick={() => choose('use')}>
          {chat.useModel(bareModel(ref ?? ''))}
        </Button>
        <Button small variant="quiet" onClick={() => choose('keep')}>
          {chat.keepModel(bareModel(detail.model))}
        </Button>
      </section>
    )
  })
}
