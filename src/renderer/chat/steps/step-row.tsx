import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import type { ToolCall } from '@shared/domain/session'
import { memo, useState } from 'react'
import type { ReactNode } from 'react'
import { contentHash } from '../../approvals/subject'
import { useApprovals } from '../../stores/approvals'
import { useSessions } from '../../stores/sessions'
import { Button } from '../../ui/button'
import { useChildChat } from '../../stores/child-chat'
import { formatClock, formatElapsed, formatExact } from '../../ui/format'
import {
  CaretRightIcon,
  ChangedIcon,
  DeniedIcon,
  ErrorIcon,
  LoadIcon,
  NotTrustedIcon,
  ReadIcon,
  RunIcon,
  WaitingIcon,
  WriteIcon,
} from '../../ui/icons'
import { Markdown } from '../../ui/markdown/markdown'
import { ScopeMark, StatusMark } from '../../ui/marks'
import { useNow } from '../../ui/use-now'
import { reveal, VisibleText } from '../../ui/visible-text'
import { showContext } from '../context/context-place'
import { StepBody } from './step-body'
import { StepDetails } from './step-details'
import { describeStep, stepLabel } from './steps'
import type { StepKind, StepView } from './steps'
import { chat } from '../strings'

const ICON: Record<StepKind, Icon> = {
  reasoning: CaretRightIcon,
  'skill-loaded': LoadIcon,
  'skill-unloaded': LoadIcon,
  'file-read': ReadIcon,
  'file-edit': WriteIcon,
  'run-requested': WaitingIcon,
  'run-started': RunIcon,
  'run-done': RunIcon,
  'run-denied': DeniedIcon,
  'run-blocked': DeniedIcon,
  'tool-blocked': NotTrustedIcon,
  proposal: ChangedIcon,
  error: ErrorIcon,
}

/** One tool call in the ledger: step number and time in the gutter, then what happened; Enter shows the rest. */
export const StepRow = memo(function StepRow(props: {
  call: ToolCall
  calls: Record<string, ToolCall>
  /** The step stands inside another one, and an answer of the model asked for it. */
  nested?: 'asked' | 'own'
}) {
  const { call, nested } = props
  const [open, setOpen] = useState(false)
  const request = useApprovals((state) => state.pending.find((other) => other.callId === call.id))
  const view = describeStep(call, props.calls)
  return (
    <article
      className="turn-row"
      aria-label={stepLabel(call, view)}
      data-step={call.step}
      data-kind={view.kind}
      data-state={view.state}
      data-skill={view.skill}
      data-scope={view.scope}
      data-hash={(request && contentHash(request.plan)) ?? view.hash}
      data-request-id={request?.id ?? call.requestId ?? undefined}
    >
      <Gutter step={call.step} at={call.startedAt ?? call.endedAt ?? request?.createdAt} />
      <div>
        <button type="button" className="step" aria-expanded={open} onClick={() => setOpen(!open)}>
          <StepWords view={view} />
          <StepFacts view={view} startedAt={call.startedAt} />
        </button>
        <StepBody call={call} view={view} />
        <ForkOf call={call} open={open} label={view.object} />
        {open && <StepDetails call={call} view={view} request={request} />}
        {open && <WhatModelSaw call={call} nested={nested} />}
      </div>
    </article>
  )
})

/** Leads to the call that asked for this step; what a person did themselves has none. */
function WhatModelSaw(props: { call: ToolCall; nested: 'asked' | 'own' | undefined }) {
  const { messageId, sessionId } = props.call
  const isHere = useSessions(({ chat: open }) => open?.messages[messageId]?.role === 'assistant')
  const chatId = useSessions(({ chat: open }) => open?.detail.id)
  if (chatId === undefined || (!isHere && props.nested !== 'asked')) return null
  return (
    <div className="details">
      <div>
        <Button small onClick={() => showContext({ chatId, sessionId, messageId, open: null })}>
          {chat.whatModelSaw}
        </Button>
      </div>
    </div>
  )
}

/** Shown while it is under way, then with the rest of the step. */
function ForkOf({ call, open, label }: { call: ToolCall; open: boolean; label: string }) {
  if (call.childId === undefined || (call.envelope && !open)) return null
  return <ForkSteps childId={call.childId} label={label} />
}

/** What a skill does in a chat of its own: its words and steps, inside the step that began it. */
function ForkSteps({ childId, label }: { childId: string; label: string }) {
  const child = useChildChat(childId)
  if (!child) return null
  const said = child.order.flatMap((id) => child.messages[id] ?? [])
  const answers = said.filter(({ role }) => role !== 'user')
  return (
    <section className="fork" aria-label={chat.forkOf(label)} data-fork={childId}>
      {answers.flatMap(({ id, parts, role }) =>
        parts.map((part, i) => {
          const call = part.type === 'tool' ? child.calls[part.callId] : undefined
          if (call) {
            const nested = role === 'assistant' ? 'asked' : 'own'
            return <StepRow key={call.id} call={call} calls={child.calls} nested={nested} />
          }
          const words = part.type === 'text' ? part.text : part.type === 'error' ? part.message : ''
          // oxlint-disable-next-line react/no-array-index-key -- parts are only ever appended
          return (
            words.trim() && (
              <div key={`${id} ${i}`} className="fork-words">
                <Markdown text={words} open={false} />
              </div>
            )
          )
        }),
      )}
    </section>
  )
}

function Gutter({ step, at }: { step: number; at: number | undefined }) {
  return (
    <div className="gut num" title={at === undefined ? undefined : formatExact(at)}>
      <span className="step-n">{step}</span>
      {at !== undefined && <span className="step-at"> {formatClock(at)}</span>}
    </div>
  )
}

function StepWords({ view }: { view: StepView }) {
  const Mark = ICON[view.kind]
  const tone = toneOf(view.kind)
  const asks = view.kind === 'run-requested'
  return (
    <>
      <Mark className={tone} />
      <span className="step-words">
        <span className={tone}>{view.verb}</span>
        {asks && ` ${view.detail}`}
        {view.object && ' '}
        <span className={view.kind === 'skill-loaded' ? 'mono m' : 'mono'}>
          <VisibleText text={view.object} />
        </span>
        {!asks && view.detail && (
          <span className="t2">
            {' '}
            <VisibleText text={view.detail} />
          </span>
        )}
      </span>
    </>
  )
}

function StepFacts({ view, startedAt }: { view: StepView; startedAt: number | null }) {
  return (
    <>
      {view.scope && view.kind === 'skill-loaded' && <ScopeMark scope={view.scope} />}
      {view.status && <StatusMark tone={view.status.tone}>{view.status.text}</StatusMark>}
      {view.duration && <span className="small t3 num">{view.duration}</span>}
      {view.kind === 'run-started' && startedAt !== null && <Elapsed since={startedAt} />}
      <span className="sp" />
      {view.cost && <span className="small t3 num step-cost">{view.cost}</span>}
    </>
  )
}

function Elapsed({ since }: { since: number }) {
  const now = useNow(1000)
  return <span className="small t2 num">{formatElapsed(now - since)}</span>
}

function toneOf(kind: StepKind): string | undefined {
  if (kind === 'run-requested') return 'attn'
  return kind === 'error' || kind === 'run-blocked' || kind === 'tool-blocked' ? 'risk' : undefined
}

/** Thoughts of the model: closed, the last line while they arrive. */
export function ReasoningRow({ text, open: streaming }: { text: string; open: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <article
      className="turn-row"
      data-kind="reasoning"
      data-state={streaming ? 'running' : 'done'}
      aria-label={chat.thought(streaming)}
    >
      <div className="gut" />
      <div>
        <button type="button" className="step quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          <CaretRightIcon className={open ? 'turned' : undefined} />
          <span className="t2">{chat.thought(streaming)}</span>
          {streaming && !open && (
            <span className="small t3 trunc grow">{text.trimEnd().split('\n').at(-1)}</span>
          )}
        </button>
        {open && <p className="reasoning">{text}</p>}
      </div>
    </article>
  )
}

/** A row without a call: something went wrong between the steps. */
export function ErrorRow(props: {
  code: string
  message: string
  action: string
  /** What stands in the gutter. */
  speaker: ReactNode
  children?: ReactNode
}) {
  return (
    <article
      className="turn-row"
      data-kind="error"
      data-state={props.code}
      aria-label={reveal(props.message)}
    >
      {props.speaker}
      <div className="note bad step-error" role="alert">
        <ErrorIcon />
        <div className="grow">
          <div className="b">
            <VisibleText text={props.message} />
          </div>
          <VisibleText text={props.action} />
        </div>
        {props.children}
      </div>
    </article>
  )
}
