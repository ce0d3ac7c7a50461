import type { SessionDetail } from '@shared/domain/session'
import { api } from '../../api'
import { actions, guarded } from '../../shell/actions'
import { describeModel, modelChoices } from '../../stores/models'
import { useSettings } from '../../stores/settings'
import { CaretDownIcon, SettingsIcon } from '../../ui/icons'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu'
import { chat } from '../strings'

/** Which model answers in this chat. The practice agent is always there and always says what it is. */
export function ModelMenu({ detail }: { detail: SessionDetail }) {
  const providers = useSettings((state) => state.view?.providers) ?? []
  const current = describeModel(detail.model, providers)
  const choose = (model: string) =>
    void guarded(async () => void (await api.call('sessions.setModel', { sessionId: detail.id, model })))
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="pick">
          <span className="sr">{chat.modelMenu}: </span>
          {current.name}
          <CaretDownIcon size={14} />
        </button>
      }
    >
      {modelChoices(providers).map((ref) => {
        const model = describeModel(ref, providers)
        return (
          <MenuChoice
            key={ref}
            checked={ref === detail.model}
            hint={model.state}
            onSelect={() => choose(ref)}
          >
            {model.full}
          </MenuChoice>
        )
      })}
      <MenuSeparator />
      <MenuItem icon={<SettingsIcon size={14} />} onSelect={actions.settings}>
        {chat.openSettings}
      </MenuItem>
    </Menu>
  )
}
