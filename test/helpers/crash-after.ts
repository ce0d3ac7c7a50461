import type { RequestSummary } from '@shared/domain/approval'
import type { SessionEvent } from '@shared/domain/session'
import { startTimeOf } from '../../src/main/lib/proc'
import { processesOfRuns } from '../../src/main/runs/process-tree'
import { allow, createTestApp, watchChat, type TestApp, type WatchedChat } from './app'
import { runIds } from './crash-faults'
import { addTo, type Place } from './crash-place'
import { commandLine, isAlive, statusOf } from './process-tree'
import type { Random } from './random'

/** Guards against hanging, in milliseconds. */
const GONE_LIMIT = 15_000
const ANSWER_LIMIT = 30_000

/**
 * What is left after the guard of the killed app's tree, and of what has the mark of a run: "pid state command". A
 * process that has ended and that nobody has taken note of yet is not left.
 */
export async function leftProcesses(tree: Map<number, string>, home: string): Promise<string[]> {
  const ids = new Set(runIds(home))
  const end = performance.now() + GONE_LIMIT
  for (;;) {
    const same = [...tree].flatMap(([pid, start]) => (startTimeOf(pid) === start ? [pid] : []))
    const left = [...new Set([...same, ...processesOfRuns(ids)])].filter(isAlive)
    if (left.length === 0) return []
    if (performance.now() > end) return left.map(described)
    await new Promise((done) => setTimeout(done, 5))
  }
}

function described(pid: number): string {
  try {
    return `${pid} ${statusOf(pid, 'State')} ${commandLine(pid).join(' ').slice(0, 200)}`
  } catch {
    return `${pid} ended just now`
  }
}

/** A person opens the chat after the crash: what waits is answered or stopped, and a new message gets an answer. */
export async function goOn(place: Place, random: Random): Promise<void> {
  const app = await createTestApp({ home: place.home })
  const id = place.promises.chats[0]!
  const chat = watchChat(app.app, id)
  try {
    const [first] = await chat.until('the snapshot', (events) => events.length > 0 && events)
    const state = first?.t === 'snapshot' ? first.session.state : 'gone'
    if (state === 'running') throw new Error('it runs by itself after the start')
    if (state === 'awaiting_approval') await settle(app, place, id, random)
    const { messageId } = await app.app.handlers['sessions.send']({ sessionId: id, text: 'are you there?' })
    place.promises.said.set(messageId, 'are you there?')
    await answered({ app, place, chat, random })
    const { firstBad } = await app.app.handlers['audit.verify']({})
    if (firstBad !== null) throw new Error(`the audit breaks at ${firstBad}`)
    if (app.errors.length > 0) throw new Error(app.errors.join('; '))
  } catch (error) {
    const last = chat.events.findLast((event) => event.t === 'message')
    throw new Error(`${String(error)} after ${JSON.stringify(last)}`, { cause: error })
  } finally {
    chat.close()
    await app.stop()
  }
}

interface GoingOn {
  app: TestApp
  place: Place
  chat: WatchedChat
  random: Random
}

/**
 * Until the new message has its answer. A call that the kill caught before it could ask comes first: it asks now, and
 * a person answers.
 */
async function answered(going: GoingOn): Promise<void> {
  const { app, place, chat, random } = going
  const end = performance.now() + ANSWER_LIMIT
  while (!chat.events.some(isAnswer)) {
    if (performance.now() > end) throw new Error('no answer')
    const list = await app.app.handlers['approvals.list']({})
    const request = list.find(({ sessionId }) => sessionId === chat.id)
    if (request) await answerQuestion(app, place, request, random.chance(0.5))
    else await new Promise((done) => setTimeout(done, 5))
  }
}

async function answerQuestion(
  app: TestApp,
  { promises }: Place,
  request: RequestSummary,
  isAllowed: boolean,
): Promise<void> {
  if (isAllowed) {
    addTo(promises.allowed, request.id, request.planHash)
    await allow(app.app, request)
    return
  }
  const { id: requestId, revision, planHash } = request
  await app.app.handlers['approvals.decide']({
    requestId,
    revision,
    planHash,
    choice: 'deny',
    acknowledged: [],
  })
  promises.denied.add(requestId)
}

function isAnswer(event: SessionEvent): boolean {
  return (
    event.t === 'message' &&
    event.message.status === 'done' &&
    event.message.parts.some((part) => part.type === 'text' && part.text === 'I am here.')
  )
}

async function settle(app: TestApp, place: Place, sessionId: string, random: Random): Promise<void> {
  const list = await app.app.handlers['approvals.list']({})
  const request = list.find((waiting) => waiting.sessionId === sessionId)
  if (!request?.restored) throw new Error('what waits is not marked as restored')
  if (random.chance(0.4)) {
    addTo(place.promises.allowed, request.id, request.planHash)
    if ((await allow(app.app, request)).status === 'approved') return
  }
  await app.app.handlers['sessions.stop']({ sessionId, force: false })
}
