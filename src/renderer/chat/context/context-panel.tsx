import type { CallContext, ModelCall } from '@shared/domain/context'
import type { SessionDetail } from '@shared/domain/session'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { api, messageOf } from '../../api'
import { IconButton } from '../../ui/button'
import { formatClock, formatDuration, formatEstimate, formatNumber } from '../../ui/format'
import { ArrowLeftIcon, CaretRightIcon } from '../../ui/icons'
import { Note } from '../../ui/note'
import { PropertyList } from '../../ui/property-list'
import { SelectField } from '../../ui/field'
import { VisibleText } from '../../ui/visible-text'
import { closeContext } from './context-place'
import { context as words } from './context-strings'
import { useCallContext, useCalls } from './use-context'

/** What the model saw (G6): one call of the chat or the next, its parts with what they cost, and every text in it. */
export function ContextPanel(props: {
  detail: SessionDetail
  messageId: string | null
  open: 'catalogue' | null
  /** Who works in the chat, where a step began it. */
  of?: string
}) {
  const { detail, messageId, open, of } = props
  const calls = useCalls(detail)
  const [chosen, setChosen] = useState<number | 'next' | null>(messageId === null ? 'next' : null)
  const asked = calls.value?.findLast((call) => call.messageId === messageId)?.number
  const number = chosen === 'next' ? null : (chosen ?? asked)
  return (
    <section className="ctx">
      <PanelHead />
      <WorksHere name={of} />
      <SelectField
        label={words.call}
        value={number ?? 'next'}
        onChange={({ target }) => setChosen(target.value === 'next' ? 'next' : Number(target.value))}
      >
        <option value="next">{words.next}</option>
        {calls.value?.toReversed().map((call) => (
          <option key={call.number} value={call.number}>
            {words.callName(call.number, formatClock(call.startedAt), call.kind)}
          </option>
        ))}
      </SelectField>
      {calls.error && <Note tone="bad">{calls.error}</Note>}
      {number === undefined && calls.value && <p className="small t3">{words.notKept}</p>}
      {number !== undefined && <Call detail={detail} number={number} open={open} />}
    </section>
  )
}

function PanelHead() {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="row">
      <IconButton label={words.back} onClick={closeContext}>
        <ArrowLeftIcon />
      </IconButton>
      <h2 ref={title} tabIndex={-1}>
        {words.title}
      </h2>
    </div>
  )
}

function WorksHere({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <p className="small t2">
      <VisibleText text={words.worksHere(name)} />
    </p>
  )
}

function Call(props: { detail: SessionDetail; number: number | null; open: 'catalogue' | null }) {
  const { detail, number, open } = props
  const { value: seen, error } = useCallContext(detail, number)
  if (error) return <Note tone="bad">{error}</Note>
  if (!seen) return null
  return (
    <>
      <CallFacts seen={seen} />
      {seen.blocks.map((block) => (
        <Piece key={block.part} title={words.parts[block.part]} {...block} />
      ))}
      {seen.tools.length > 0 && <Tools seen={seen} />}
      <Messages seen={seen} sessionId={detail.id} number={number} />
      <LeftOut catalogue={seen.catalogue} open={open === 'catalogue'} />
    </>
  )
}

function CallFacts({ seen }: { seen: CallContext }) {
  const { call, model, tokens, window } = seen
  return (
    <PropertyList
      rows={[
        [
          words.model,
          <span className="mono" key="model">
            {model}
          </span>,
        ],
        [words.estimated, words.ofWindow(tokens, window)],
        ...(call ? factsOf(call) : []),
      ]}
    />
  )
}

function factsOf(call: ModelCall): [string, ReactNode][] {
  const { endedAt, startedAt, usage, costUsd, retries, outcome } = call
  return [
    [words.outcome, words.outcomes[outcome]],
    [words.counted, usage ? words.usage(usage.inputTokens, usage.outputTokens) : words.notCounted],
    [words.cost, usage && (costUsd === null ? words.noPrice : words.dollars(costUsd))],
    [words.took, endedAt === null ? null : formatDuration(endedAt - startedAt)],
    [words.retries, retries === 0 ? null : formatNumber(retries)],
  ]
}

/** One text of the request, closed until somebody wants to read it. */
function Piece({ title, tokens, text }: { title: string; tokens: number; text: string }) {
  return (
    <details className="ctx-piece">
      <Summary title={title} cost={formatEstimate(tokens)} />
      <Exact text={text} label={title} />
    </details>
  )
}

function Summary({ title, cost }: { title: string; cost: string }) {
  return (
    <summary className="small">
      <CaretRightIcon size={12} aria-hidden="true" />
      <span className="grow trunc">{title}</span>
      <span className="num t2">{cost}</span>
    </summary>
  )
}

function Exact({ text, label }: { text: string; label: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <pre className="code" tabIndex={0} aria-label={words.exactText(label)}>
      <VisibleText text={text} />
    </pre>
  )
}

function Tools({ seen: { tools, parts } }: { seen: CallContext }) {
  return (
    <details className="ctx-piece">
      <Summary title={words.tools(tools.length)} cost={formatEstimate(parts['tool-list'] ?? 0)} />
      {tools.map((tool) => (
        <Piece key={tool.name} title={tool.name} {...tool} />
      ))}
    </details>
  )
}

/** More of them are shown when asked for: a chat may have thousands. */
const SHOWN = 50

function Messages(props: { seen: CallContext; sessionId: string; number: number | null }) {
  const { seen, sessionId, number } = props
  const { messages } = seen
  const [all, setAll] = useState(false)
  const first = all ? 0 : Math.max(0, messages.length - SHOWN)
  const tokens = messages.reduce((sum, message) => sum + message.tokens, 0)
  return (
    <details className="ctx-piece">
      <Summary title={words.messages(messages.length)} cost={formatEstimate(tokens)} />
      {first > 0 && (
        <button type="button" className="btn sm" onClick={() => setAll(true)}>
          {words.earlier(first)}
        </button>
      )}
      {messages.slice(first).map((message, i) => (
        <SentMessage
          // oxlint-disable-next-line react/no-array-index-key -- a message is what its place says
          key={first + i}
          message={message}
          at={{ sessionId, number, index: first + i }}
        />
      ))}
    </details>
  )
}

function SentMessage(props: {
  message: CallContext['messages'][number]
  at: { sessionId: string; number: number | null; index: number }
}) {
  const { message, at } = props
  const [whole, setWhole] = useState<string | null>(null)
  const title = words.message(at.index + 1, message.role)
  const load = () => {
    if (!message.cut || whole !== null) return
    api.call('context.message', at).then(
      ({ text }) => setWhole(text),
      (error: unknown) => setWhole(messageOf(error)),
    )
  }
  return (
    <details className="ctx-piece" onToggle={load}>
      <Summary title={title} cost={formatEstimate(message.tokens)} />
      <Exact text={whole ?? message.text} label={title} />
    </details>
  )
}

function LeftOut({ catalogue, open }: { catalogue: CallContext['catalogue']; open: boolean }) {
  const { entries, omitted, descriptions, left, more, shown } = catalogue
  const place = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (open) place.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  if (entries + left.length === 0) return null
  return (
    <details ref={place} className="ctx-piece" open={open} data-part="catalogue">
      <Summary title={words.catalogue} cost={words.ofSkills(entries, entries + omitted)} />
      {descriptions !== 'full' && <p className="small t2">{words.shortened[descriptions]}</p>}
      <SkillRows title={words.left} skills={left} />
      {more > 0 && <p className="small t3">{words.more(more)}</p>}
      <SkillRows title={words.shown} skills={shown} />
    </details>
  )
}

function SkillRows({ title, skills }: { title: string; skills: CallContext['catalogue']['left'] }) {
  if (skills.length === 0) return null
  return (
    <>
      <h3 className="small t3">{title}</h3>
      <ul className="ctx-skills small">
        {skills.map(({ name, why, score }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- copies of one name differ by nothing else
          <li key={i} className="row">
            <span className="mono trunc grow">
              <VisibleText text={name} />
            </span>
            <span className="t2">{words.why(why, score)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
