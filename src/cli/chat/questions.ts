import type { Decision, RequestDetail } from '@shared/domain/approval'
import type { OutputChunk } from '@shared/domain/run'
import { AppError } from '@shared/errors'
import type { App } from '../../main/app'
import { shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import type { World } from '../world'
import type { Advice } from './advice'
import { requestText, scriptText } from './request-text'
import { followRequest, tellEnded } from './still-waiting'
import type { Answer, Teller } from './teller'

/** Who decides: a person in this terminal, nobody with a plain no, or their rules alone. */
export type Allow = 'ask' | 'never' | 'rules'

/** What a question needs. */
export interface Asking {
  app: App
  world: Pick<World, 'stdin' | 'stderr'>
  teller: Teller
  /** Of stderr. */
  style: Style
  allow: Allow
  /** Ends a question that waits: the turn was stopped. */
  signal: AbortSignal
  /** Gets what scripts print, as it comes and as it may go to a terminal; left out: nobody does. */
  prints?: (channel: OutputChunk['channel'], text: string) => void
  /** How a failed call is told; its own words when left out. */
  advice?: Advice
}

/**
 * Answers everything that waits in a chat, the oldest first (`approvals.md` 11). Without a terminal nothing is ever
 * allowed: a request then ends as expired.
 */
export async function answerRequests(asking: Asking, sessionId: string): Promise<Answer[]> {
  const answers: Answer[] = []
  const { handlers } = asking.app
  const waiting = (await handlers['approvals.list']({})).filter((request) => request.sessionId === sessionId)
  for (const { id } of waiting) {
    if (asking.signal.aborted) break
    const answer = await answerOne(asking, await handlers['approvals.get']({ requestId: id }))
    if (answer !== null) answers.push(answer)
  }
  return answers
}

const NOBODY = 'There is no terminal to ask in.'
const NO_RULE = 'No rule of yours allows it.'
const NEVER = 'The chat was started with --allow never.'

/** Null: the answer came too late, or another question takes its place. */
async function answerOne(asking: Asking, request: RequestDetail): Promise<Answer | null> {
  const { allow, world, teller } = asking
  if (allow === 'never') {
    teller.request(request, 'denied', NEVER)
    return decide(asking, request, { choice: 'deny', note: NEVER })
  }
  if (allow === 'rules' || !world.stdin.isTTY)
    return expire(asking, request, allow === 'rules' ? NO_RULE : NOBODY)
  const { said, gone } = await askWhileWaiting(asking, request)
  if (gone) return tellEnded(teller, await asking.app.handlers['approvals.get']({ requestId: request.id }))
  if (said === null) return asking.signal.aborted ? null : expire(asking, request, 'The terminal was closed.')
  const answer = await decide(asking, request, said)
  if (answer !== null) teller.request(request, answer, said.note ?? '')
  return answer
}

/** `gone`: it ended while it was asked about. */
async function askWhileWaiting(
  asking: Asking,
  request: RequestDetail,
): Promise<{ said: Said | null; gone: boolean }> {
  const waiting = followRequest(asking.app, request.id)
  try {
    const signal = AbortSignal.any([asking.signal, waiting.gone])
    const said = await askPerson({ ...asking, signal }, request)
    const gone = said === null && waiting.gone.aborted && !asking.signal.aborted
    if (gone) asking.world.stderr.write('\n')
    return { said, gone }
  } finally {
    await waiting.end()
  }
}

async function expire({ app, teller }: Asking, request: RequestDetail, why: string): Promise<Answer> {
  await app.expireRequest(request.id, why)
  teller.request(request, 'expired', why)
  return 'expired'
}

type Said = Pick<Decision, 'choice'> & Partial<Pick<Decision, 'note' | 'acknowledged'>>

async function decide({ app, teller }: Asking, request: RequestDetail, said: Said): Promise<Answer | null> {
  const { id: requestId, revision, planHash } = request
  try {
    const { status } = await app.handlers['approvals.decide']({
      requestId,
      revision,
      planHash,
      acknowledged: [],
      ...said,
    })
    if (status === 'approved') return 'allowed'
    if (status === 'denied') return 'denied'
    teller.notice('It changed before your answer, so nothing was done.')
  } catch (error) {
    if (!(error instanceof AppError) || !['stale', 'already_decided', 'not_found'].includes(error.code))
      throw error
    teller.notice(error.message)
  }
  return null
}

const CHOICES = 'allow, deny, deny <why>'
const MAX_NOTE = 2000

function choicesOf({ script }: RequestDetail): string {
  return `${CHOICES}${script === null ? '' : ', show (the script)'}: `
}

/** Whole words, so that no stray key is an answer. Null at the end of input or when the turn was stopped. */
async function askPerson(asking: Asking, request: RequestDetail): Promise<Said | null> {
  const { world, style, signal } = asking
  const print = (text: string) => world.stderr.write(`${text}\n`)
  let wasShown = request.script === null
  print(`\n${requestText(request, style)}`)
  for (;;) {
    const line = await world.stdin.ask(choicesOf(request), { fresh: true, signal })
    if (line === null) return null
    const [word = '', ...rest] = line.trim().split(/\s+/)
    if (word === 'show') {
      wasShown = true
      print(scriptText(request, style))
    } else if (word === 'deny') {
      const note = rest.join(' ').slice(0, MAX_NOTE)
      return { choice: 'deny', ...(note === '' ? {} : { note }) }
    } else if (word !== 'allow' || rest.length > 0) {
      print(`Type one of these words; "${shown(line).slice(0, 40)}" is none of them.`)
    } else if (request.reviewRequired && !wasShown) {
      print('Look at the script first: type show.')
    } else {
      const acknowledged = await tickSerious(asking, request)
      if (acknowledged !== null) return { choice: 'once', acknowledged }
    }
  }
}

/** Each serious finding needs its own yes. Null: one did not get it. */
async function tickSerious({ world, signal }: Asking, { findings }: RequestDetail): Promise<string[] | null> {
  const serious = findings.filter(({ level }) => level === 'serious')
  for (const { title } of serious) {
    const line = await world.stdin.ask(`Serious: ${shown(title)}. Allow it all the same? yes or no: `, {
      fresh: true,
      signal,
    })
    if (line?.trim() !== 'yes') return null
  }
  return serious.map(({ id }) => id)
}
