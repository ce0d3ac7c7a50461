import type { SessionDetail } from '@shared/domain/session'
import { SCOPE_NAMES } from '@shared/scope-names'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { guarded, newChat } from '../../shell/actions'
import { useAgents } from '../../stores/agents'
import { useSessions } from '../../stores/sessions'
import { shortHash } from '../../ui/format'
import { AgentIcon, CaretDownIcon, PlusIcon } from '../../ui/icons'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu'
import { agentHint } from './agent-words'
import { chat } from '../strings'

/** Who the chat is with. While nothing was said it can be another one; after that a new chat can. */
export function AgentMenu({ detail }: { detail: SessionDetail }) {
  const { agent } = detail
  const begun = useSessions((state) => (state.chat?.order.length ?? 0) > 0)
  const agents = useAgents(detail.projectDir).filter(({ status }) => status !== 'shadowed')
  const usable = agents.filter(({ status }) => status === 'effective')
  const broken = agents.filter(({ status }) => status !== 'effective')
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="pick" data-agent={agent.name} data-scope={agent.scope}>
          <span className="sr">{chat.agentMenu}: </span>
          <AgentIcon size={16} className="t2" />
          <span className="trunc">{visibleLine(agent.label)}</span>
          <CaretDownIcon size={14} />
        </button>
      }
    >
      <MenuLabel>{chat.agentHead.sha(SCOPE_NAMES[agent.scope], shortHash(agent.digest))}</MenuLabel>
      {agent.notes.map((note) => (
        <MenuLabel key={note}>{visibleLine(note)}</MenuLabel>
      ))}
      <MenuSeparator />
      {begun && <MenuLabel>{chat.newChatWith}</MenuLabel>}
      {usable.map((other) =>
        begun ? (
          <MenuItem
            key={other.name}
            icon={<PlusIcon size={14} />}
            hint={agentHint(other)}
            onSelect={() => void guarded(() => newChat(detail.projectDir, other.name))}
          >
            {visibleLine(other.label)}
          </MenuItem>
        ) : (
          <MenuChoice
            key={other.name}
            checked={other.name === agent.name}
            hint={agentHint(other)}
            onSelect={() => choose(detail.id, other.name)}
          >
            {visibleLine(other.label)}
          </MenuChoice>
        ),
      )}
      {broken.map((other) => (
        <MenuItem key={other.location} disabled hint={agentHint(other)} onSelect={() => undefined}>
          {visibleLine(other.label)}
        </MenuItem>
      ))}
    </Menu>
  )
}

function choose(sessionId: string, name: string): void {
  void guarded(async () => void (await api.call('sessions.setAgent', { sessionId, name })))
}
