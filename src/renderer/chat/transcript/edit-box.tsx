import type { Message } from '@shared/domain/session'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { focusComposer } from '../../shell/actions'
import { Button } from '../../ui/button'
import { isBare } from '../../ui/keys'
import { Note } from '../../ui/note'
import { changeEdit, endEdit, sendEdit, useEditing } from './editing'
import { chat } from '../strings'

/** Another text in the place of a message. Enter sends, Shift+Enter breaks the line, Escape leaves it as it was. */
export function EditBox({ message }: { message: Message }) {
  const editing = useEditing(message.id)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = box.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  if (!editing) return null
  const send = () => void sendEdit(message.sessionId)
  const cancel = () => {
    endEdit()
    focusComposer()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const bare = isBare(event)
    if (event.key === 'Enter' && bare) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      cancel()
    }
  }
  return (
    <div className="edit-box">
      {editing.error && <Note tone="bad">{editing.error}</Note>}
      <textarea
        ref={box}
        className="comp-text"
        aria-label={chat.editMessage}
        rows={1}
        value={editing.text}
        onChange={(event) => changeEdit(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="comp-tools">
        <span className="small t3 grow">{chat.editKeeps}</span>
        <Button small onClick={cancel}>
          {chat.cancel}
        </Button>
        <Button small variant="solid" shortcut="Enter" onClick={send}>
          {chat.send}
        </Button>
      </div>
    </div>
  )
}
