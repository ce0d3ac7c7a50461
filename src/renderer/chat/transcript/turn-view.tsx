import type { Message, Part } from '@shared/domain/session'
import { PRACTICE_MODEL } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'
import { memo, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { PRACTICE_NAME } from '../../stores/models'
import { queuedIds } from '../../stores/chat-state'
import { useSessions } from '../../stores/sessions'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { formatDay, formatExact } from '../../ui/format'
import { Markdown } from '../../ui/markdown/markdown'
import { useNow } from '../../ui/use-now'
import { CompactButton, CompactionRow } from './compaction'
import { BranchSwitch, MessageTools } from './message-tools'
import { ErrorRow, ReasoningRow } from '../steps/step-row'
import { bareModel, chat } from '../strings'
import { ToolPart } from '../steps/tool-part'
import type { Turn } from './turns'
import { UserMessage } from './user-message'

/** One turn of the ledger: what the person wrote, then every answer and step in order. */
export const TurnView = memo(function TurnView({
  turn,
  newDay,
  last,
}: {
  turn: Turn
  newDay: boolean
  last: boolean
}) {
  return (
    <>
      {newDay && <Day at={turn.at} />}
      {turn.userId && <UserMessage id={turn.userId} />}
      <Replies ids={turn.replyIds} last={last} />
      {last && <GoOn />}
    </>
  )
})

/** Steps that a person took stand between the answers; they don't begin or end one. */
function Replies({ ids, last }: { ids: readonly string[]; last: boolean }) {
  const answers = useSessions((state) =>
    ids.filter((id) => state.chat?.messages[id]?.role === 'assistant').join(' '),
  )
  const [first, final] = [answers.split(' ')[0], answers.split(' ').at(-1)]
  return ids.map((id) => <Reply key={id} id={id} first={id === first} last={last && id === final} />)
}

function Day({ at }: { at: number }) {
  const now = useNow(0, false)
  return <div className="day">{formatDay(at, now)}</div>
}

function useMessage(id: string): Message | undefined {
  return useSessions((state) => state.chat?.messages[id])
}

/** One message of the agent. The first of a turn says who speaks; the practice agent says what it is every time. */
function Reply({ id, first, last }: { id: string; first: boolean; last: boolean }) {
  const message = useMessage(id)
  if (!message) return null
  const streaming = message.status === 'streaming'
  const scripted = message.model === PRACTICE_MODEL
  const headed = first && (scripted || !speaksFirst(message))
  return (
    <div data-role={message.role} data-message={id} data-status={message.status}>
      <ModelChange message={message} />
      {headed && (
        <div className="turn-row reply-head">
          <Speaker message={message} />
          <div className="small t3">{scripted ? PRACTICE_NAME : ''}</div>
        </div>
      )}
      {message.parts.map((part, i) => (
        <PartView
          // oxlint-disable-next-line react/no-array-index-key -- parts are only ever appended
          key={i}
          part={part}
          message={message}
          open={streaming && i === message.parts.length - 1}
          speaker={first && !headed && i === 0 ? <Speaker message={message} /> : <div className="gut" />}
          again={last && <ResumeButton sessionId={message.sessionId} label={chat.tryAgain} />}
        />
      ))}
      <Retrying messageId={id} />
      <Ending message={message} last={last} />
      <ReplyBranches message={message} />
    </div>
  )
}

/** Another model than the one before answers: as a skill prefers, or as the person chose. */
function ModelChange({ message: { id, model } }: { message: Message }) {
  const before = useSessions(({ chat: open }) => {
    // From the end: what is drawn stands there, and the message before has a model more often than not.
    let at = (open?.order.lastIndexOf(id) ?? 0) - 1
    while (at >= 0 && !open?.messages[open.order[at] ?? '']?.model) at -= 1
    return open?.messages[open.order[at] ?? '']?.model
  })
  if (!model || !before || before === model) return null
  return (
    <div className="turn-row" data-model-change="">
      <div className="gut" />
      <div className="small t2">{chat.answersNow(bareModel(model))}</div>
    </div>
  )
}

/** While the provider is asked again: why, and when. */
function Retrying({ messageId }: { messageId: string }) {
  const retry = useSessions((state) => state.chat?.retry)
  if (retry?.messageId !== messageId) return null
  return <RetryLine key={retry.seq} reason={retry.reason} inMs={retry.inMs} />
}

function RetryLine({ reason, inMs }: { reason: string; inMs: number }) {
  const now = useNow(1000)
  const [until] = useState(now + inMs)
  const text = chat.retrying(reason, Math.ceil(Math.max(0, until - now) / 1000))
  // Said once: the seconds are for the eyes.
  useEffect(() => announce(chat.retrying(reason, Math.ceil(inMs / 1000))), [reason, inMs])
  return (
    <div className="turn-row" data-retry="">
      <div className="gut" />
      <div className="row ending small t2 num">{text}</div>
    </div>
  )
}

/** It begins with words or an error: then the name of who speaks stands beside them, not above. */
function speaksFirst({ parts }: Message): boolean {
  return parts[0]?.type === 'text' || parts[0]?.type === 'error'
}

function Speaker({ message }: { message: Message }) {
  const model = visibleLine(bareModel(message.model ?? ''))
  const label = useSessions((state) => visibleLine(state.chat?.detail.agent.label ?? ''))
  return (
    <div className="who" title={`${label}, ${model}, ${formatExact(message.createdAt)}`}>
      {label}
    </div>
  )
}

/** Other answers in the place of this one. */
function ReplyBranches({ message }: { message: Message }) {
  const several = useSessions((state) =>
    state.chat?.detail.branches.points.some(({ messageId }) => messageId === message.id),
  )
  if (!several) return null
  return (
    <div className="turn-row">
      <div className="gut" />
      <BranchSwitch message={message} />
    </div>
  )
}

function PartView(props: {
  part: Part
  message: Message
  open: boolean
  speaker: ReactNode
  again: ReactNode
}) {
  const { part } = props
  switch (part.type) {
    case 'text':
      return part.text.trim() ? <TextPart {...props} text={part.text} /> : null
    case 'reasoning':
      return part.text.trim() ? <ReasoningRow text={part.text} open={props.open} /> : null
    case 'tool':
      return <ToolPart callId={part.callId} />
    case 'error':
      return (
        <ErrorRow code={part.code} message={part.message} action={part.action} speaker={props.speaker}>
          {part.code === 'context_length' && props.again && <CompactAndTry message={props.message} />}
          {props.again}
        </ErrorRow>
      )
    case 'compaction':
      return <CompactionRow part={part} messageId={props.message.id} />
    default:
      return null
  }
}

function CompactAndTry({ message: { sessionId } }: { message: Message }) {
  const state = useSessions(({ chat }) => chat?.detail.state ?? 'idle')
  return <CompactButton sessionId={sessionId} state={state} label={chat.compactAndTry} resume />
}

function TextPart(props: { message: Message; text: string; open: boolean; speaker: ReactNode }) {
  const { message, text, open, speaker } = props
  return (
    <div className="turn-row said">
      {speaker}
      <div className="msg">
        <Markdown text={text} open={open} />
        <MessageTools message={message} text={text} />
      </div>
    </div>
  )
}

/** How a message ended, when not by itself. */
function Ending({ message, last }: { message: Message; last: boolean }) {
  if (message.status !== 'stopped' && message.status !== 'interrupted') return null
  return (
    <div className="turn-row">
      <div className="gut" />
      <div className="row ending" data-ending={message.status}>
        <span className="small t3">{message.status === 'stopped' ? chat.stopped : chat.interrupted}</span>
        {last && message.status === 'interrupted' && (
          <ResumeButton sessionId={message.sessionId} label={chat.resume} />
        )}
      </div>
    </div>
  )
}

/** For a turn that was interrupted outside an answer; the queue and a broken answer have a button of their own. */
function GoOn() {
  const sessionId = useSessions(({ chat: open }) => {
    if (open?.detail.state !== 'interrupted' || queuedIds(open).length > 0) return null
    return open.messages[open.order.at(-1) ?? '']?.status === 'interrupted' ? null : open.detail.id
  })
  return (
    sessionId !== null && (
      <div className="turn-row" data-go-on="">
        <div className="gut" />
        <div className="row ending">
          <ResumeButton sessionId={sessionId} label={chat.resume} />
        </div>
      </div>
    )
  )
}

/** Goes on, with what was queued meanwhile if there is such a message: then it says so. */
function ResumeButton({ sessionId, label }: { sessionId: string; label: string }) {
  const waits = useSessions((state) => state.chat !== undefined && queuedIds(state.chat).length > 0)
  return (
    <Button
      small
      onClick={() => void guarded(async () => void (await api.call('sessions.resume', { sessionId })))}
    >
      {waits ? chat.resumeQueued : label}
    </Button>
  )
}
