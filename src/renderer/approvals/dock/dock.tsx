import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ComponentPropsWithRef, RefObject } from 'react'
import type { RequestSummary } from '@shared/domain/approval'
import { visibleLine, visibleText } from '@shared/visible-text'
import { focusComposer } from '../../shell/actions'
import { useApprovals } from '../../stores/approvals'
import { useSettings } from '../../stores/settings'
import { openReview, showInDock, useUi } from '../../stores/ui'
import { announceNow, endAnnouncement } from '../../ui/announce'
import { IconButton } from '../../ui/button'
import { formatElapsed } from '../../ui/format'
import { CaretDownIcon, CaretRightIcon, WaitingIcon } from '../../ui/icons'
import { shortcutSpoken } from '../../ui/keys'
import { ScopeMark } from '../../ui/marks'
import { Menu, MenuItem } from '../../ui/menu'
import { Note } from '../../ui/note'
import { useNow } from '../../ui/use-now'
import '../approvals.css'
import { DecisionButton } from '../review/decision-button'
import { DenyForm } from '../review/deny-form'
import { choiceWords } from '../review/remembering'
import { DockSubject } from './dock-subject'
import { DockFacts } from './dock-facts'
import { nextInQueue, shownInDock } from './queue'
import { announcement, stateName, subjectOf } from '../subject'
import { TimeLeft } from './time-left'
import { useArmed } from '../review/use-armed'
import type { Arming } from '../review/use-armed'
import { useDecide } from '../use-decide'
import { words } from '../words'

const DEFAULT_ARM_MS = 600
const announced = new Set<string>()

/**
 * What waits in one chat, above its composer, counted among all that waits. It never takes the focus and is announced
 * once per request. `chatOnly`: nothing is remembered beyond this chat.
 */
export function ApprovalDock({ sessionId, chatOnly = false }: { sessionId: string; chatOnly?: boolean }) {
  const pending = useApprovals((state) => state.pending)
  const docked = useUi((state) => state.docked)
  const request = shownInDock(pending, sessionId, docked)
  useEffect(() => {
    if (!request || announced.has(request.id)) return
    announced.add(request.id)
    announceNow(announcement(request, shortcutSpoken('Mod+Shift+A')))
  }, [request])
  const isWaiting = request !== undefined
  useEffect(() => {
    if (!isWaiting) endAnnouncement()
  }, [isWaiting])
  if (!request) return null
  const next = nextInQueue(pending, request.id)
  return (
    <Dock
      // Another request is another dock: nothing of the one before stays focused or open.
      key={request.id}
      request={request}
      place={pending.indexOf(request) + 1}
      count={pending.length}
      next={next}
      chatOnly={chatOnly}
    />
  )
}

interface DockProps {
  request: RequestSummary
  place: number
  /** Of all that wait, in whatever chat. */
  count: number
  next: RequestSummary | undefined
  chatOnly: boolean
}

function Dock({ request, place, count, next, chatOnly }: DockProps) {
  const area = useRef<HTMLElement>(null)
  const armDelayMs = useSettings((state) => state.view?.settings.armDelayMs) ?? DEFAULT_ARM_MS
  const reviewing = useUi((state) => state.reviewing !== null)
  const arming = useArmed(area, `${request.id} ${reviewing}`, request.planHash, armDelayMs)
  const [denying, setDenying] = useState(false)
  const [seen, setSeen] = useState(false)
  const { busy, error, decide } = useDecide()
  const onSeen = useCallback((value: boolean) => setSeen(value), [])
  useFocusBack(area)
  return (
    <section
      ref={area}
      className="dock"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset has a layout and a legend of its own
      role="group"
      aria-label={words.group(place, count)}
      data-request-id={request.id}
      data-state={stateName(request.status)}
      data-hash={request.planHash}
      data-pane="dock"
    >
      <DockHead request={request} place={place} count={count} next={next} />
      <div className="dock-body">
        <DockSubject plan={request.plan} onSeen={onSeen} />
        <DockFacts request={request} />
        <TimeLeft request={request} />
        {error && <Note tone="bad">{error}</Note>}
        {denying ? (
          <DenyForm
            busy={busy}
            onBack={() => setDenying(false)}
            onDeny={(choice, note) => void decide(request, choice, { note })}
          />
        ) : (
          <DockActions
            request={request}
            chatOnly={chatOnly}
            arming={arming}
            armDelayMs={armDelayMs}
            blocked={busy || !seen ? words.showFirst(request.plan) : undefined}
            onDeny={() => setDenying(true)}
            onAllow={() => void decide(request, 'once')}
          />
        )}
      </div>
    </section>
  )
}

/** A dock that goes away with the focus in it gives the focus back to the message box. */
function useFocusBack(area: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = area.current
    return () => {
      if (element?.contains(document.activeElement)) focusComposer()
    }
  }, [area])
}

interface DockActionsProps {
  request: RequestSummary
  chatOnly: boolean
  arming: Arming
  armDelayMs: number
  blocked: string | undefined
  onDeny: () => void
  onAllow: () => void
}

/** With nothing to look into, Allow once is here; otherwise only the way to the review. */
function DockActions({ request, chatOnly, arming, armDelayMs, blocked, onDeny, onAllow }: DockActionsProps) {
  const shared = { arming, armDelayMs }
  const review = (): void => openReview(request.id)
  return (
    <div className="row dock-acts">
      <span className="small t3 grow">{request.askReason}</span>
      {!request.reviewRequired && (
        <DecisionButton {...shared} kind="outline" onAct={review}>
          {subjectOf(request.plan).review}
        </DecisionButton>
      )}
      <DecisionButton {...shared} kind="outline" onAct={onDeny}>
        {words.deny}
      </DecisionButton>
      {request.reviewRequired ? (
        <DecisionButton {...shared} kind="solid" shortcut="Mod+Shift+A" onAct={review}>
          {words.reviewToAllow}
        </DecisionButton>
      ) : (
        <DecisionButton {...shared} kind="solid" blocked={blocked} onAct={onAllow}>
          {words.allow}
        </DecisionButton>
      )}
      {request.plan.kind !== 'file_edit' && <MoreWays request={request} chatOnly={chatOnly} />}
    </div>
  )
}

/** Opens the review with a choice selected; nothing is saved from here. */
function MoreWays({ request, chatOnly }: { request: RequestSummary; chatOnly: boolean }) {
  return (
    <Menu align="end" side="top" trigger={<MoreButton />}>
      <MenuItem
        onSelect={() => openReview(request.id, 'chat')}
      >{`${choiceWords('chat', request.plan)}…`}</MenuItem>
      {!chatOnly && (
        <MenuItem onSelect={() => openReview(request.id, 'always')}>
          {`${choiceWords('always', request.plan)}…`}
        </MenuItem>
      )}
    </Menu>
  )
}

function MoreButton(props: ComponentPropsWithRef<'button'>) {
  return (
    <IconButton label={words.moreWays} {...props}>
      <CaretDownIcon size={14} />
    </IconButton>
  )
}

function DockHead({ request, place, count, next }: Omit<DockProps, 'chatOnly'>) {
  const now = useNow(1000)
  const { name, question, skill, server } = subjectOf(request.plan)
  return (
    // A click here leaves the caret in the message box, as one on a decision does.
    <div className="dock-head" role="presentation" onMouseDown={(event) => event.preventDefault()}>
      <span className="st warn b dock-title">
        <WaitingIcon aria-hidden="true" />
        {question}
      </span>
      {name && <span className="mono">{visibleText(name)}</span>}
      {skill && (
        <>
          <span className="t3 small">{words.from}</span>
          <span className="mono m">{visibleLine(skill.name)}</span>
          <ScopeMark scope={skill.scope} />
        </>
      )}
      {server && (
        <>
          <span className="t3 small">{words.from}</span>
          <span className="mono m">{visibleText(server)}</span>
        </>
      )}
      <span className="sp" />
      <span className="small t2 num">
        {words.waitingFor(words.place(place, count), formatElapsed(now - request.createdAt))}
      </span>
      {next && (
        <IconButton
          tiny
          label={next.sessionId === request.sessionId ? words.next : words.nextElsewhere}
          onClick={() => showInDock(next)}
        >
          <CaretRightIcon size={14} />
        </IconButton>
      )}
    </div>
  )
}
