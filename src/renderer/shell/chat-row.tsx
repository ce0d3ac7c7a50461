import type { SessionSummary } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { goTo, useUi } from '../stores/ui'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { formatAgo, formatExact } from '../ui/format'
import { DeleteIcon, MoreIcon, WaitingIcon, WriteIcon } from '../ui/icons'
import { Menu, MenuItem } from '../ui/menu'
import { deleteChat, guarded, renameChat } from './actions'
import { shell } from './strings'

/** One chat: title, state, age; F2 renames, Delete asks once. */
export function ChatRow({ chat, now }: { chat: SessionSummary; now: number }) {
  const current = useUi((state) => state.area === 'chats' && state.chatId === chat.id)
  const [mode, setMode] = useState<'row' | 'rename' | 'delete'>('row')
  const done = () => setMode('row')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setMode('rename')
    else if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey)) setMode('delete')
    else return
    event.preventDefault()
  }
  if (mode === 'rename') return <RenameRow chat={chat} onDone={done} />
  const waiting = chat.state === 'awaiting_approval'
  return (
    <li className={clsx('li chat-row', current && 'on')}>
      <button
        type="button"
        className="chat-open"
        data-chat={chat.id}
        data-state={chat.state}
        aria-current={current ? 'page' : undefined}
        onClick={() => goTo({ area: 'chats', chatId: chat.id })}
        onDoubleClick={() => setMode('rename')}
        onKeyDown={onKeyDown}
      >
        <span className="chat-mark">{waiting && <WaitingIcon size={14} />}</span>
        <span className="trunc grow">{visibleLine(chat.title)}</span>
        <ChatAge chat={chat} now={now} />
      </button>
      <Menu
        trigger={
          <button
            type="button"
            className="ib xs chat-more"
            aria-label={shell.moreFor(visibleLine(chat.title))}
          >
            <MoreIcon size={14} />
          </button>
        }
      >
        <MenuItem icon={<WriteIcon size={14} />} hint="F2" onSelect={() => setMode('rename')}>
          {shell.rename}
        </MenuItem>
        <MenuItem icon={<DeleteIcon size={14} />} onSelect={() => setMode('delete')}>
          {shell.remove}
        </MenuItem>
      </Menu>
      {mode === 'delete' && <DeleteDialog chat={chat} onDone={done} />}
    </li>
  )
}

function ChatAge({ chat, now }: { chat: SessionSummary; now: number }) {
  const word = shell.state[chat.state]
  return (
    <span
      className={clsx('tiny num', chat.state === 'awaiting_approval' ? 'st warn' : 't3')}
      title={formatExact(chat.updatedAt)}
    >
      {word || formatAgo(chat.updatedAt, now)}
    </span>
  )
}

function RenameRow({ chat, onDone }: { chat: SessionSummary; onDone: () => void }) {
  const [title, setTitle] = useState(chat.title)
  const save = () => {
    onDone()
    if (title !== chat.title) void guarded(() => renameChat(chat.id, title))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    if (event.key === 'Enter') save()
    else onDone()
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-chat="${chat.id}"]`)?.focus())
  }
  return (
    <li className="li">
      <input
        className="inp rename"
        aria-label={shell.chatName}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person asked to type here, by F2 or the menu
        autoFocus
        maxLength={200}
        value={title}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
    </li>
  )
}

function DeleteDialog({ chat, onDone }: { chat: SessionSummary; onDone: () => void }) {
  const remove = () => {
    onDone()
    void guarded(() => deleteChat(chat.id))
  }
  return (
    <Dialog
      open
      onClose={onDone}
      title={shell.deleteTitle(visibleLine(chat.title))}
      footer={
        <>
          <Button onClick={onDone}>{shell.keepChat}</Button>
          <Button variant="risk" onClick={remove}>
            {shell.deleteChat}
          </Button>
        </>
      }
    >
      <p>{shell.deleteText}</p>
    </Dialog>
  )
}
