import type { AgentMode } from '@shared/domain/agent'
import type { SessionDetail } from '@shared/domain/session'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { CaretDownIcon } from '../../ui/icons'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu'
import { chat } from '../strings'

/** How requests of scripts and commands are decided in this chat; first as its agent says. */
export function ModeMenu({ detail }: { detail: SessionDetail }) {
  const choose = (mode: AgentMode | null) =>
    void guarded(async () => void (await api.call('sessions.setMode', { sessionId: detail.id, mode })))
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="pick" data-mode={detail.mode}>
          <span className="sr">{chat.modeMenu}: </span>
          {chat.modes[detail.mode].name}
          <CaretDownIcon size={14} />
        </button>
      }
    >
      {MODES.map((mode) => (
        <MenuChoice
          key={mode}
          checked={mode === detail.mode}
          hint={chat.modes[mode].hint}
          onSelect={() => choose(mode)}
        >
          {chat.modes[mode].name}
        </MenuChoice>
      ))}
      {detail.mode !== detail.agentMode && (
        <>
          <MenuSeparator />
          <MenuItem hint={chat.modes[detail.agentMode].name} onSelect={() => choose(null)}>
            {chat.modeOfAgent}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

const MODES = ['ask', 'every-time', 'never'] as const
