import type { RequestDetail } from '@shared/domain/approval'
import { visibleLine, visibleText } from '@shared/visible-text'
import { IconButton } from '../../ui/button'
import { formatClockSeconds } from '../../ui/format'
import { ArrowLeftIcon, ArrowRightIcon } from '../../ui/icons'
import { ScopeMark } from '../../ui/marks'
import { Note } from '../../ui/note'
import { subjectOf, unnamed } from '../subject'
import type { ReviewNotice } from './use-review'
import { TimeLeft } from '../dock/time-left'
import { words } from '../words'
import { reviewWords } from './review-strings'

/** "Run fill_form.py?": the verb is the act. */
export function ReviewTitle({ detail }: { detail: RequestDetail | undefined }) {
  if (!detail) return <>…</>
  const { verb, name } = subjectOf(detail.plan)
  return (
    <>
      {verb} {name ? <span className="mono">{visibleText(name)}</span> : unnamed(detail.plan, 'this')}?
    </>
  )
}

export interface ReviewPlaceProps {
  detail: RequestDetail | undefined
  place: number
  count: number
  onMove: (step: 1 | -1) => void
}

/** Whose script or tool it is, and where in the queue. */
export function ReviewPlace({ detail, place, count, onMove }: ReviewPlaceProps) {
  const { skill, server } = detail ? subjectOf(detail.plan) : { skill: null, server: null }
  return (
    <div className="row rv-place">
      {skill && (
        <>
          <span className="t3">{words.from}</span>
          <span className="mono m">{visibleLine(skill.name)}</span>
          <ScopeMark scope={skill.scope} />
        </>
      )}
      {server && (
        <>
          <span className="t3">{words.from}</span>
          <span className="mono m">{visibleText(server)}</span>
        </>
      )}
      <span className="sp" />
      {place > 0 && <span className="small t2 num">{words.requestPlace(place, count)}</span>}
      {count > 1 && (
        <>
          <IconButton label={words.previous} shortcut="Alt+ArrowLeft" onClick={() => onMove(-1)}>
            <ArrowLeftIcon />
          </IconButton>
          <IconButton label={words.next} shortcut="Alt+ArrowRight" onClick={() => onMove(1)}>
            <ArrowRightIcon />
          </IconButton>
        </>
      )}
    </div>
  )
}

const MAX_QUOTE = 200
/** Longest name of an agent or a chat here. */
const MAX_NAME = 80

/** Who asked, when, and after which words of the person. */
export function ReviewContext({ detail }: { detail: RequestDetail }) {
  return <p className="small t2">{contextWords(detail)}</p>
}

/** The line as text. Only a request that still waits holds an agent up. */
export function contextWords(detail: RequestDetail): string {
  const said = visibleText(detail.lastUserMessage.slice(0, MAX_QUOTE).trim(), '\n')
  const cut = detail.lastUserMessage.length > MAX_QUOTE ? '…' : ''
  const agent = visibleLine(detail.agentName, MAX_NAME)
  const chat = visibleLine(detail.sessionTitle, MAX_NAME)
  const asked = reviewWords.reviewHead.askedAtIn(agent, formatClockSeconds(detail.createdAt), chat)
  const after = said && reviewWords.reviewHead.rightAfterYouWrote(said, cut)
  const pause = detail.status === 'pending' ? ` ${words.paused} ${detail.askReason}` : ''
  return `${asked}${after}.${pause}`
}

/** What happened to the request since it was asked. */
export function ReviewBanners(props: { detail: RequestDetail; notice: ReviewNotice; error: string }) {
  const { detail, notice, error } = props
  return (
    <>
      {notice === 'stale' && (
        <Note tone="bad" title={words.staleTitle}>
          {words.staleText}
        </Note>
      )}
      {notice === 'edited' && (
        <Note tone="info" title={words.editedTitle}>
          {words.editedText}
        </Note>
      )}
      {notice === 'revised' && (
        <Note tone="warn" title={words.revisedTitle}>
          {words.revisedText}
        </Note>
      )}
      {error && notice !== 'stale' && <Note tone="bad">{error}</Note>}
      <TimeLeft request={detail} />
      {detail.status !== 'pending' && <Note tone="warn">{words.gone}</Note>}
      {detail.restored && (
        <Note tone="warn" title={words.restoredTitle}>
          {words.restoredText}
        </Note>
      )}
      {detail.remember.lapsed !== undefined && (
        <Note tone="warn" title={words.lapsedTitle}>
          {visibleLine(detail.remember.lapsed)}
        </Note>
      )}
      {detail.onDisk === 'changed' && <Note tone="warn">{words.changedOnDisk}</Note>}
      {detail.onDisk === 'gone' && (
        <Note tone="bad" title={words.folderGone}>
          {words.folderGoneText}
        </Note>
      )}
    </>
  )
}
