import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { guarded, isBusy } from '../../shell/actions'
import { queuedIds } from '../../stores/chat-state'
import type { ChatState } from '../../stores/chat-state'
import { Button, IconButton } from '../../ui/button'
import { CloseIcon } from '../../ui/icons'
import { chat as strings } from '../strings'
import { textOf } from '../transcript/message-text'

/** Messages that wait, in the order they will be sent: for the agent to finish or, after a stop, for the person. */
export function Queue({ chat }: { chat: ChatState }) {
  const ids = queuedIds(chat)
  if (ids.length === 0) return null
  const { id: sessionId, state } = chat.detail
  const busy = isBusy(state)
  return (
    <ol className="queue" aria-label={strings.queued}>
      {ids.map((id) => {
        const message = chat.messages[id]
        return (
          message && (
            <li key={id} className="row" data-message={id} data-status="queued">
              <span className="small t3">{busy ? strings.next : strings.waits}</span>
              <span className="trunc grow">{visibleLine(textOf(message))}</span>
              {!busy && id === ids[0] && (
                <Button small variant="quiet" onClick={() => call('sessions.resume', { sessionId })}>
                  {strings.sendWaiting}
                </Button>
              )}
              <IconButton
                tiny
                label={strings.unqueue}
                onClick={() => call('sessions.unqueue', { sessionId, messageId: id })}
              >
                <CloseIcon size={14} />
              </IconButton>
            </li>
          )
        )
      })}
    </ol>
  )
}

function call(...args: Parameters<typeof api.call<'sessions.resume' | 'sessions.unqueue'>>): void {
  void guarded(async () => void (await api.call(...args)))
}
