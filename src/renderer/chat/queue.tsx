import { queuedIds } from '../stores/chat-state'
import type { ChatState } from '../stores/chat-state'
import { chat as strings } from './strings'
import { textOf } from './turn-view'

/** Messages that wait for the agent to finish, in the order they will be sent. */
export function Queue({ chat }: { chat: ChatState }) {
  const ids = queuedIds(chat)
  if (ids.length === 0) return null
  return (
    <ol className="queue" aria-label={strings.queued}>
      {ids.map((id) => {
        const message = chat.messages[id]
        return (
          message && (
            <li key={id} className="row" data-message={id} data-status="queued">
              <span className="small t3">{strings.next}</span>
              <span className="trunc grow">{textOf(message)}</span>
            </li>
          )
        )
      })}
    </ol>
  )
}
