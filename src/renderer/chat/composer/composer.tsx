import type { SessionDetail } from '@shared/domain/session'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { api } from '../../api'
import { guarded, isBusy, MESSAGE_BOX } from '../../shell/actions'
import { sendMessage } from '../../stores/sessions'
import { Button } from '../../ui/button'
import { StopIcon } from '../../ui/icons'
import { isBare } from '../../ui/keys'
import { Note } from '../../ui/note'
import { commandIn } from './commands'
import { ContextWarning } from '../transcript/compaction'
import { CompletionList, completionProps } from './completion-list'
import { drafts, takeSuggested, useDraft } from './drafts'
import { editLast } from '../transcript/editing'
import { ModeMenu } from './mode-menu'
import { ModelMenu } from './model-menu'
import { chat } from '../strings'
import { useCompletion } from './use-completion'

/** Second press of Escape within this time stops the agent. */
const ESC_TWICE_MS = 1000

/** The message box: never disabled, whatever the agent does; a message sent while it works waits its turn. */
export function Composer({ detail }: { detail: SessionDetail }) {
  const { id } = detail
  const text = useDraft(id, detail.draft)
  const { send, error } = useSend(detail, text)
  const box = useRef<HTMLTextAreaElement>(null)
  const write = (next: string) => drafts.write(id, next)
  const completion = useCompletion({ text, projectDir: detail.projectDir, box, write })
  const onKeyDown = useComposerKeys(detail, send, text === '')
  useFlushOnLeave(id)
  useStartFocus(id, box)
  return (
    <div className="comp" data-pane="composer">
      <ContextWarning detail={detail} />
      {error && <Note tone="bad">{error}</Note>}
      <CompletionList completion={completion} />
      <textarea
        ref={box}
        id={MESSAGE_BOX}
        data-pane-focus=""
        data-area-focus=""
        className="comp-text"
        aria-label={chat.message}
        placeholder={chat.placeholder}
        rows={1}
        value={text}
        {...completionProps(completion)}
        onChange={(event) => {
          write(event.target.value)
          completion.moved()
        }}
        onSelect={completion.moved}
        onBlur={() => drafts.flush(id)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || !completion.onKey(event)) onKeyDown(event)
        }}
      />
      <ComposerTools detail={detail} hasText={text.trim() !== ''} onSend={send} />
    </div>
  )
}

function ComposerTools(props: { detail: SessionDetail; hasText: boolean; onSend: () => void }) {
  const busy = isBusy(props.detail.state)
  return (
    <div className="comp-tools">
      <ModelMenu detail={props.detail} />
      <ModeMenu detail={props.detail} />
      <span className="sp" />
      {busy && props.hasText && <span className="small t3">{chat.sendsAfter}</span>}
      {busy && <StopButton sessionId={props.detail.id} />}
      {/* A click leaves the caret in the message box. */}
      <Button
        small
        variant="solid"
        shortcut="Enter"
        onMouseDown={(event) => event.preventDefault()}
        onClick={props.onSend}
      >
        {busy ? chat.queue : chat.send}
      </Button>
    </div>
  )
}

/** Sends what is in the box, or does what it commands, and empties it; a text that fails comes back with the reason. */
function useSend({ id }: Pick<SessionDetail, 'id'>, text: string): { send: () => void; error: string } {
  const [error, setError] = useState('')
  const sendNow = async (message: string) => {
    drafts.clearShown(id)
    const failure = await sendMessage(id, message)
    setError(failure ?? '')
    const typed = drafts.store.getState().texts[id] ?? ''
    drafts.write(id, failure && !typed ? message : typed)
    drafts.flush(id)
  }
  const send = () => {
    const message = text.trim()
    const command = commandIn(message)
    if (command) {
      drafts.write(id, '')
      drafts.flush(id)
      command.run({ id })
    } else if (message) void sendNow(message)
  }
  return { send, error }
}

/** A chat that opens while nothing has the focus takes it: behind a draft, over a text that nobody wrote. */
function useStartFocus(id: string, box: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const element = box.current
    if (!element || document.activeElement !== document.body) return
    const end = element.value.length
    element.setSelectionRange(takeSuggested(id) ? 0 : end, end)
    element.focus()
  }, [id, box])
}

/** Nothing typed is lost when the chat or the window goes away. */
function useFlushOnLeave(id: string): void {
  useEffect(() => {
    const flush = () => drafts.flush(id)
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [id])
}

/** Enter sends, Shift+Enter breaks the line, ↑ in an empty box edits the last message, Escape twice stops. Nothing here answers a request. */
function useComposerKeys(detail: SessionDetail, send: () => void, isEmpty: boolean) {
  const lastEscape = useRef(0)
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const bare = isBare(event)
    if (event.key === 'Enter' && bare) {
      event.preventDefault()
      send()
    } else if (event.key === 'ArrowUp' && bare && isEmpty && editLast()) {
      event.preventDefault()
    } else if (event.key === 'Escape' && isBusy(detail.state)) {
      const twice = event.timeStamp - lastEscape.current < ESC_TWICE_MS
      lastEscape.current = event.timeStamp
      if (twice) void guarded(() => stop(detail.id, false))
    }
  }
}

/** Stops at once; while the agent winds down it offers to end a running script by force. */
function StopButton({ sessionId }: { sessionId: string }) {
  const [stopping, setStopping] = useState(false)
  return (
    <Button
      small
      icon={<StopIcon size={14} weight="fill" />}
      shortcut="Mod+."
      onClick={() => {
        setStopping(true)
        void guarded(() => stop(sessionId, stopping))
      }}
    >
      {stopping ? chat.forceStop : chat.stop}
    </Button>
  )
}

async function stop(sessionId: string, force: boolean): Promise<void> {
  await api.call('sessions.stop', { sessionId, force })
}
