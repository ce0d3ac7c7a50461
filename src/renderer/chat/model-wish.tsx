import type { ModelWish, SessionDetail } from '@shared/domain/session'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { describeModel } from '../stores/models'
import { useSettings } from '../stores/settings'
import { Button } from '../ui/button'
import { InfoIcon } from '../ui/icons'
import { VisibleText } from '../ui/visible-text'
import { bareModel, chat } from './strings'

/** A skill or an agent prefers a model that may cost more or is elsewhere: nothing happens until the person says so (R11). */
export function ModelWishes({ detail }: { detail: SessionDetail }) {
  const asking = detail.modelWishes.filter(({ state }) => state === 'asks')
  return asking.map((wish) => <Asking key={`${wish.of} ${wish.key}`} detail={detail} wish={wish} />)
}

function Asking({ detail, wish }: { detail: SessionDetail; wish: ModelWish }) {
  const providers = useSettings((state) => state.view?.providers) ?? []
  const { name, of, key, elsewhere } = wish
  const model = wish.ref ?? ''
  const choose = (choice: 'use' | 'keep') =>
    void guarded(
      async () =>
        void (await api.call('sessions.chooseModel', { sessionId: detail.id, of, key, model, choice })),
    )
  return (
    <section className="banner trust" aria-label={chat.modelWishLabel}>
      <InfoIcon aria-hidden="true" />
      <span className="grow">
        <span className="mono">
          <VisibleText text={name} />
        </span>{' '}
        {elsewhere
          ? chat.modelElsewhere[of](describeModel(model, providers).full)
          : chat.modelWish(bareModel(model))}
      </span>
      <Button small onClick={() => choose('use')}>
        {chat.useModel(bareModel(model))}
      </Button>
      <Button small variant="quiet" onClick={() => choose('keep')}>
        {chat.keepModel(bareModel(detail.model))}
      </Button>
    </section>
  )
}
