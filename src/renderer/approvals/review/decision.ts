import type { Finding, RequestDetail, RequestSummary } from '@shared/domain/approval'
import { isSameSubject } from '../subject'
import { words } from '../words'
import { reviewWords } from './review-strings'

/** What stands between a person and Allow. Empty means nothing does. */
export interface AllowInput {
  request: Pick<RequestDetail, 'status' | 'findings' | 'plan' | 'onDisk'>
  /** Ids of the serious findings that were ticked. */
  ticked: ReadonlySet<string>
  /** The command was on screen to its end. */
  commandSeen: boolean
  /** What to check was on screen. */
  findingsSeen: boolean
  /** A decision is on its way. */
  busy: boolean
}

/** Why nothing can be decided right now; empty when it can. */
export function decisionBlocker(input: Pick<AllowInput, 'request' | 'busy'> & { gone: boolean }): string {
  if (input.request.status !== 'pending' || input.gone) return reviewWords.decision.thisRequestIsNo
  return input.busy ? reviewWords.decision.sendingYourDecision : ''
}

/** Why Allow is not offered although a decision is possible, as a hint next to the button; empty when it is. */
export function allowBlocker(input: Omit<AllowInput, 'busy'>): string {
  const { findings, onDisk } = input.request
  if (onDisk === 'gone') return words.folderGone
  if (!input.findingsSeen && findings.some(asksForALook)) return words.checkBelow(findings.length)
  const left = seriousFindings(input.request.findings).filter(
    (finding) => !input.ticked.has(finding.id),
  ).length
  if (left > 0) return tickHint(left, input.ticked.size)
  if (!input.commandSeen) return words.scrollToEnd(input.request.plan)
  return ''
}

/** Allow waits for what stands in What to check: a look at it, or a tick. */
export function waitsForFindings(
  { findings }: Pick<RequestDetail, 'findings'>,
  looked: { findings: boolean; ticked: ReadonlySet<string> },
): boolean {
  const untouched = !looked.findings && findings.some(asksForALook)
  return untouched || seriousFindings(findings).some(({ id }) => !looked.ticked.has(id))
}

function asksForALook({ level }: Finding): boolean {
  return level !== 'information'
}

/** The findings that need a tick each; ticking is per request and never remembered. */
export function seriousFindings(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.level === 'serious')
}

/** Lines that findings name, each with its gravest level; findings come worst first. */
export function flagLines(findings: readonly Finding[]): Map<number, Finding['level']> {
  const flags = new Map<number, Finding['level']>()
  for (const { line, level } of findings) if (line && !flags.has(line)) flags.set(line, level)
  return flags
}

const COUNTS = [
  '',
  reviewWords.decision.theBox,
  reviewWords.decision.both,
  reviewWords.decision.allThree,
  reviewWords.decision.allFour,
  reviewWords.decision.allFive,
  reviewWords.decision.allSix,
]

function tickHint(left: number, ticked: number): string {
  if (ticked > 0) return reviewWords.decision.tickMore(left)
  return reviewWords.decision.tickAll(COUNTS[left], left)
}

/** A key press in the review, without its event. */
export interface ReviewKey {
  key: string
  /** Ctrl, or Command on macOS. */
  mod: boolean
  alt: boolean
  shift: boolean
  /** The caret is in a text field: there these keys belong to the text. */
  inText: boolean
  composing: boolean
  repeat: boolean
}

export type ReviewAction = 'allow' | 'deny' | 'next' | 'previous' | 'next-finding' | null

const KEYS: Readonly<Record<string, Exclude<ReviewAction, null>>> = {
  'mod Enter': 'allow',
  'mod Backspace': 'deny',
  'alt ArrowRight': 'next',
  'alt ArrowLeft': 'previous',
  F8: 'next-finding',
}

/** What a key does in the review (`ux.md` 2.6). There is no key for Enter, Space or a letter alone. */
export function reviewAction(press: ReviewKey): ReviewAction {
  if (press.composing || press.repeat) return null
  const held = [press.mod && 'mod', press.alt && 'alt', press.shift && 'shift'].filter(Boolean)
  const action = KEYS[[...held, press.key].join(' ')] ?? null
  return press.inText && action !== 'next-finding' ? null : action
}

/** The request that takes the place of one that is no longer as it was shown: the same call asked again. */
export function successor(
  gone: Pick<RequestSummary, 'id' | 'callId' | 'sessionId' | 'plan'>,
  pending: readonly RequestSummary[],
): RequestSummary | undefined {
  return (
    pending.find((request) => request.id === gone.id) ??
    pending.find((request) => request.callId === gone.callId) ??
    pending.findLast(
      (request) => request.sessionId === gone.sessionId && isSameSubject(request.plan, gone.plan),
    )
  )
}
