import type { Message } from '@shared/domain/session'
import { api } from '../../api'
import { guarded, isBusy } from '../../shell/actions'
import { useSessions } from '../../stores/sessions'
import { IconButton } from '../../ui/button'
import { CopyButton } from '../../ui/copy-button'
import { CaretLeftIcon, CaretRightIcon, RetryIcon, WriteIcon } from '../../ui/icons'
import { beginEdit } from './editing'
import { chat } from '../strings'

/** What can be done with a message: seen on hover, reached by Tab at any time. */
export function MessageTools({ message, text }: { message: Message; text: string }) {
  const busy = useSessions((state) => isBusy(state.chat?.detail.state ?? 'idle'))
  const unavailable = busy && chat.stopFirst
  return (
    <span className="msg-tools">
      {message.role === 'user' ? (
        <IconButton tiny label={chat.edit} unavailable={unavailable} onClick={() => beginEdit(message)}>
          <WriteIcon size={14} />
        </IconButton>
      ) : (
        <IconButton
          tiny
          label={chat.retry}
          shortcut="Mod+R"
          unavailable={unavailable}
          onClick={() => retry(message.sessionId, message.id)}
        >
          <RetryIcon size={14} />
        </IconButton>
      )}
      <CopyButton text={text} label={chat.copyMessage} />
    </span>
  )
}

/** Asks for another answer in the place of this one. */
export function retry(sessionId: string, messageId: string): void {
  void guarded(async () => void (await api.call('sessions.retry', { sessionId, messageId })))
}

/** "‹ 2 of 3 ›" under a message that was said or answered in several ways. */
export function BranchSwitch({ message }: { message: Message }) {
  const siblings = useSessions(
    (state) => state.chat?.detail.branches.points.find(({ messageId }) => messageId === message.id)?.siblings,
  )
  const busy = useSessions((state) => isBusy(state.chat?.detail.state ?? 'idle'))
  if (!siblings) return null
  const at = siblings.indexOf(message.id)
  const { sessionId } = message
  const step = (by: number, label: string, icon: React.ReactNode) => {
    const messageId = siblings[at + by]
    return (
      <IconButton
        tiny
        label={label}
        unavailable={busy ? chat.stopFirst : messageId === undefined && chat.noBranch}
        onClick={() => messageId !== undefined && show(sessionId, messageId)}
      >
        {icon}
      </IconButton>
    )
  }
  return (
    <div className="row branch-switch small t3 num">
      {step(-1, chat.previousBranch, <CaretLeftIcon size={14} />)}
      <span>{chat.ofMax(at + 1, siblings.length)}</span>
      {step(1, chat.nextBranch, <CaretRightIcon size={14} />)}
    </div>
  )
}

function show(sessionId: string, messageId: string): void {
  void guarded(async () => void (await api.call('sessions.showBranch', { sessionId, messageId })))
}
