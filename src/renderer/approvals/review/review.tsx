import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { runPlanOf, type Decision, type RequestDetail } from '@shared/domain/approval'
import type { CallEdit } from '@shared/domain/call-edit'
import { approvalsStore, useApprovals } from '../../stores/approvals'
import { useSettings } from '../../stores/settings'
import { closeReview, openReview, useUi } from '../../stores/ui'
import type { Reviewing } from '../../stores/ui'
import { Dialog } from '../../ui/dialog'
import { isMac } from '../../ui/keys'
import { Note } from '../../ui/note'
import '../approvals.css'
import './review.css'
import { allowBlocker, decisionBlocker, reviewAction, seriousFindings, waitsForFindings } from './decision'
import { DenyForm, type Denial } from './deny-form'
import { EditForm } from './edit-form'
import { MoreActs } from '../more-acts'
import { CallFacts, ReviewCall } from './review-call'
import { NamedFiles, ReviewCode } from './review-code'
import { ReviewCommand } from './review-command'
import { EditFacts, ReviewEdit } from './review-edit'
import { ReviewFindings } from './review-findings'
import { ReviewFooter } from './review-footer'
import { ReviewBanners, ReviewContext, ReviewPlace, ReviewTitle } from './review-head'
import { ReviewRemember } from './review-remember'
import { choiceWords, nounOf, rememberedChoice } from './remembering'
import { ReviewReach } from './review-reach'
import { ReviewHosts } from './review-hosts'
import { ReviewSecrets } from './review-secrets'
import { stateName } from '../subject'
import { useArmed } from './use-armed'
import type { Arming } from './use-armed'
import { useDecide } from '../use-decide'
import type { DecisionExtra } from '../use-decide'
import { openSuccessor, useReview } from './use-review'
import { useSeen, type Seen } from './use-seen'
import { words } from '../words'
import { reviewWords } from './review-strings'

const DEFAULT_ARM_MS = 600

/** The review of one request, over whatever is shown. Mount it once; the ui store says which request. */
export function ApprovalReview() {
  const reviewing = useUi((state) => state.reviewing)
  if (!reviewing) return null
  return <Review reviewing={reviewing} />
}

function Review({ reviewing }: { reviewing: Reviewing }) {
  const { requestId } = reviewing
  const { detail, error, notice, seenText } = useReview(requestId)
  const area = useRef<HTMLDivElement>(null)
  const hash = detail?.planHash ?? ''
  const seen = useSeen(requestId, detail, reviewing.intent)
  const acts = useActs(area, requestId, detail, seen)
  const queue = useQueue(requestId)
  useHeadingFocus(area, requestId)
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = reviewAction(toKey(event))
    if (!action) return
    event.preventDefault()
    if (action === 'next' || action === 'previous') queue.move(action === 'next' ? 1 : -1)
    else if (action === 'next-finding') seen.showNext(detail)
    else if (acts.mayPress()) (action === 'deny' ? acts.startDeny : acts.allowOnce)()
  }
  return (
    <Dialog
      open
      bare
      className="review"
      title={<ReviewTitle detail={detail} />}
      headExtra={<ReviewPlace detail={detail} place={queue.place} count={queue.count} onMove={queue.move} />}
      subtitle={detail && <ReviewContext detail={detail} />}
      onClose={() => (seen.denying || seen.editing ? seen.backToReview() : closeReview())}
      onKeyDown={onKeyDown}
      footer={<Footer acts={acts} seen={seen} detail={detail} />}
    >
      <div
        ref={area}
        className="rv-body"
        data-request-id={requestId}
        data-state={detail && stateName(detail.status)}
        data-hash={hash}
      >
        {error && <Note tone="bad">{error}</Note>}
        {detail && (
          <>
            <div className="rv-banners">
              <ReviewBanners detail={detail} notice={notice} error={acts.error} />
            </div>
            <Contents
              detail={detail}
              seen={seen}
              seenText={seenText}
              onPrepare={acts.stopped ? undefined : () => acts.askEdited({ prepare: true })}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}

function Contents({
  detail,
  seen,
  seenText,
  onPrepare,
}: {
  detail: RequestDetail
  seen: Seen
  seenText: string | null
  onPrepare: (() => void) | undefined
}) {
  // An identical request of another chat is another one: it is looked at anew.
  const shownAs = `${detail.id} ${detail.planHash}`
  return (
    <>
      <div className="rv-main">
        <Asked key={shownAs} detail={detail} seen={seen} seenText={seenText} />
      </div>
      <div className="rv-side">
        <ReviewFindings
          key={shownAs}
          plan={detail.plan}
          findings={detail.findings}
          ticked={seen.ticked}
          onTick={seen.tick}
          onShowLine={seen.showLine}
          onSeen={seen.onFindings}
          onPrepare={onPrepare}
        />
        <Facts detail={detail} />
        <ReviewRemember
          detail={detail}
          value={seen.remembering}
          seen={seen.command}
          onChange={seen.setRemembering}
        />
      </div>
    </>
  )
}

/** What Allow would do, to the last byte. */
function Asked({ detail, seen, seenText }: { detail: RequestDetail; seen: Seen; seenText: string | null }) {
  const { plan } = detail
  if (plan.kind === 'file_edit') {
    return <ReviewEdit plan={plan} target={seen.target} onSeen={seen.onCommand} />
  }
  if (plan.kind === 'mcp') return <ReviewCall plan={plan} onSeen={seen.onCommand} />
  return (
    <>
      <ReviewCommand argv={plan.argv} onSeen={seen.onCommand} />
      {plan.script && <ReviewCode detail={detail} seenText={seenText} target={seen.target} />}
      {plan.kind === 'shell' && detail.otherFiles.length > 0 && <NamedFiles files={detail.otherFiles} />}
    </>
  )
}

function Facts({ detail }: { detail: RequestDetail }) {
  const { plan } = detail
  if (plan.kind === 'file_edit') return <EditFacts plan={plan} />
  if (plan.kind === 'mcp') return <CallFacts plan={plan} />
  return (
    <>
      <ReviewSecrets detail={detail} />
      <ReviewHosts detail={detail} />
      <ReviewReach plan={plan} before={detail.before} undo={detail.undo} />
    </>
  )
}

function Footer({ acts, seen, detail }: { acts: Acts; seen: Seen; detail: RequestDetail | undefined }) {
  if (seen.denying) {
    return (
      <DenyForm
        busy={acts.stopped !== ''}
        alwaysNoun={detail?.remember.canDenyAlways ? nounOf(detail.plan) : undefined}
        onBack={() => seen.setDenying(false)}
        onDeny={acts.deny}
      />
    )
  }
  const run = detail && runPlanOf(detail.plan)
  if (seen.editing && run) {
    return (
      <EditForm
        plan={run}
        busy={acts.stopped !== ''}
        onBack={seen.backToReview}
        onAsk={(edited) => acts.askEdited(edited)}
      />
    )
  }
  return <Answers acts={acts} seen={seen} detail={detail} />
}

function Answers({ acts, seen, detail }: { acts: Acts; seen: Seen; detail: RequestDetail | undefined }) {
  return (
    <ReviewFooter
      toFindings={Boolean(
        detail && !acts.stopped && detail.onDisk !== 'gone' && waitsForFindings(detail, seen),
      )}
      arming={acts.arming}
      armDelayMs={acts.armDelayMs}
      allowWords={detail ? choiceWords(seen.remembering.lifetime, detail.plan) : words.allow}
      isOnce={seen.remembering.lifetime === 'once'}
      serious={seriousFindings(detail?.findings ?? []).length > 0}
      blocker={acts.blocker}
      stopped={acts.stopped}
      more={detail && !acts.stopped && <MoreActs plan={detail.plan} onEdit={() => seen.setEditing(true)} />}
      onLater={closeReview}
      onDeny={acts.startDeny}
      onAllow={acts.allow}
    />
  )
}

interface Acts {
  arming: Arming
  armDelayMs: number
  /** Why nothing can be decided right now; empty when it can. */
  stopped: string
  /** Why the last decision did not count. */
  error: string
  /** Why Allow is not offered; empty when it is. */
  blocker: string
  /** Whether a key may decide right now. */
  mayPress: () => boolean
  startDeny: () => void
  allow: () => void
  /** The key: it never saves a rule (`ux.md` 2.6). */
  allowOnce: () => void
  deny: (choice: Denial, note: string) => void
  /** Asks for something else in place of this; nothing runs by it. */
  askEdited: (edited: CallEdit) => void
}

/** What can be done with the request, and when. */
function useActs(
  area: RefObject<HTMLDivElement | null>,
  requestId: string,
  detail: RequestDetail | undefined,
  seen: Seen,
): Acts {
  const armDelayMs = useSettings((state) => state.view?.settings.armDelayMs) ?? DEFAULT_ARM_MS
  const arming = useArmed(area, detail ? requestId : '', detail?.planHash ?? '', armDelayMs)
  const { busy, error, decide } = useDecide()
  const [gone, setGone] = useState('')
  const send = async (choice: Decision['choice'], extra: DecisionExtra): Promise<void> => {
    if (!detail) return
    const outcome = await decide(detail, choice, extra)
    const isReplaced = outcome === 'stale' || outcome === 'edited'
    const isFollowed = isReplaced && openSuccessor(detail, outcome)
    // What a person changed may be decided by a rule: then nothing waits any more.
    if (outcome === 'decided' || (outcome === 'edited' && !isFollowed)) closeReview()
    if (outcome === 'gone' || (outcome === 'stale' && !isFollowed)) setGone(detail.id + detail.planHash)
  }
  const stopped = detail
    ? decisionBlocker({ request: detail, busy, gone: gone === detail.id + detail.planHash })
    : reviewWords.review.loading
  const blocker =
    stopped || !detail
      ? stopped
      : allowBlocker({
          request: detail,
          ticked: seen.ticked,
          commandSeen: seen.command,
          findingsSeen: seen.findings,
        })
  const allow = (): void => {
    const { choice, remember } = rememberedChoice(seen.remembering)
    const extra = { acknowledged: [...seen.ticked], ...(remember ? { remember } : {}) }
    if (!blocker) void send(choice, extra)
  }
  return {
    arming,
    armDelayMs,
    stopped,
    error,
    blocker,
    mayPress: () => !seen.denying && !seen.editing && arming.mayAct({}),
    startDeny: () => !stopped && seen.setDenying(true),
    allow,
    allowOnce: () => seen.remembering.lifetime === 'once' && allow(),
    deny: (choice, note) => void send(choice, { note }),
    askEdited: (edited) => void send('edit', { edited }),
  }
}

/** The queue around this request: all that waits, oldest first. */
function useQueue(requestId: string) {
  const ids = useApprovals((state) => state.pending)
  const at = ids.findIndex((request) => request.id === requestId)
  const move = (step: 1 | -1): void => {
    const { pending } = approvalsStore.getState()
    const from = pending.findIndex((request) => request.id === requestId)
    const next = pending[(from + step + pending.length) % pending.length]
    if (next && next.id !== requestId) openReview(next.id)
  }
  return { place: at + 1, count: ids.length, move }
}

/** Another request under the same dialog starts at the heading again, never on a button. */
function useHeadingFocus(area: RefObject<HTMLDivElement | null>, requestId: string): void {
  const first = useRef(true)
  useEffect(() => {
    const heading = area.current?.closest('[role="dialog"]')?.querySelector<HTMLElement>('.dlg-title')
    if (!first.current) heading?.focus()
    first.current = false
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another request means: start at the heading
  }, [area, requestId])
}

function toKey(event: KeyboardEvent) {
  const target = event.target as HTMLElement
  return {
    key: event.key,
    mod: isMac() ? event.metaKey : event.ctrlKey,
    alt: event.altKey,
    shift: event.shiftKey,
    inText: target.matches(
      'input:not([type="checkbox"]):not([type="radio"]), textarea, [contenteditable="true"]',
    ),
    composing: event.nativeEvent.isComposing,
    repeat: event.repeat,
  }
}
