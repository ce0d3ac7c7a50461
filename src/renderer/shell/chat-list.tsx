import type { KeyboardEvent } from 'react'
import { visibleLine } from '@shared/visible-text'
import { useProjects } from '../stores/projects'
import { useSessions } from '../stores/sessions'
import { IconButton } from '../ui/button'
import { FolderPlusIcon, PlusIcon } from '../ui/icons'
import { useNow } from '../ui/use-now'
import { actions, guarded, newChat } from './actions'
import { groupChats } from './chat-groups'
import type { ChatGroup } from './chat-groups'
import { ChatRow } from './chat-row'
import { shell } from './strings'

const MINUTE = 60_000
const MAX_PATH = 4096

/** Chats grouped by project, with New chat at each group. */
export function ChatList() {
  const list = useSessions((state) => state.list)
  const projects = useProjects((state) => state.projects)
  const now = useNow(MINUTE)
  if (!list) return <div className="chats" />
  const groups = groupChats(list, projects, shell.noProject)
  return (
    <div className="chats" data-pane="list">
      <div className="side-actions">
        <button type="button" className="li" aria-keyshortcuts="Control+N" onClick={actions.newChat}>
          <PlusIcon />
          {shell.newChat}
        </button>
        <IconButton tiny label={shell.openProject} shortcut="Mod+O" onClick={actions.openProject}>
          <FolderPlusIcon size={14} />
        </IconButton>
      </div>
      {groups.length === 0 && <p className="small t3 side-empty">{shell.noChats}</p>}
      {groups.map((group) => (
        <Group key={group.projectDir ?? ''} group={group} now={now} />
      ))}
    </div>
  )
}

function Group({ group, now }: { group: ChatGroup; now: number }) {
  const name = visibleLine(group.name)
  return (
    <section aria-label={name}>
      <h2 className="sec" title={visibleLine(group.projectDir ?? '', MAX_PATH)}>
        <span className="trunc grow">{name}</span>
        <IconButton
          tiny
          label={shell.newChatIn(name)}
          onClick={() => void guarded(() => newChat(group.projectDir))}
        >
          <PlusIcon size={14} />
        </IconButton>
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between its buttons */}
      <ul onKeyDown={moveFocus}>
        {group.chats.map((chat) => (
          <ChatRow key={chat.id} chat={chat} now={now} />
        ))}
      </ul>
    </section>
  )
}

/** Arrows walk over the chats of all groups. */
function moveFocus(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const rows = [...document.querySelectorAll<HTMLElement>('.chats [data-chat]')]
  const next = rows[rows.indexOf(event.target as HTMLElement) + step]
  if (!next || !rows.includes(event.target as HTMLElement)) return
  event.preventDefault()
  next.focus()
}
