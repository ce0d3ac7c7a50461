import { useSessions } from '../../stores/sessions'
import { formatExact } from '../../ui/format'
import { EditBox } from './edit-box'
import { useEditing } from './editing'
import { textOf } from './message-text'
import { BranchSwitch, MessageTools } from './message-tools'
import { chat } from '../strings'
import { ToolPart } from '../steps/tool-part'

/** What the person said, with the skills that it named; or the box in which it is being edited. */
export function UserMessage({ id }: { id: string }) {
  const message = useSessions((state) => state.chat?.messages[id])
  const editing = useEditing(id)
  if (!message) return null
  const text = textOf(message)
  return (
    <>
      <div className="turn-row said" data-role="user" data-message={id}>
        <div className="who" title={formatExact(message.createdAt)}>
          {chat.you}
        </div>
        {editing ? (
          <EditBox message={message} />
        ) : (
          <div className="msg">
            <div className="user-text">{text}</div>
            <BranchSwitch message={message} />
            <MessageTools message={message} text={text} />
          </div>
        )}
      </div>
      {message.parts.map((part) =>
        part.type === 'tool' ? <ToolPart key={part.callId} callId={part.callId} /> : null,
      )}
    </>
  )
}
