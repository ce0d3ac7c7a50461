import { mkdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestSummary } from '@shared/domain/approval'
import type { SessionDetail, SessionEvent } from '@shared/domain/session'
import { createApp, type App } from '../../src/main/app'
import { processDeps } from './process-deps'
import { createRandom, type Random } from './random'

/** What the process says on its standard output, one JSON object a line, each before it goes on. */
export type CoreLine =
  | { t: 'open'; chats: number }
  | { t: 'chat'; id: string }
  | { t: 'said'; id: string; chat: string; text: string }
  | { t: 'allowed'; request: string; planHash: string }
  | { t: 'denied'; request: string }
  | { t: 'state'; state: string }
  /** A message that stands whole in the window, with its text. */
  | { t: 'shown'; id: string; text: string }
  /** A call that has ended in the window, with its state. */
  | { t: 'ended'; id: string; state: string }
  | { t: 'error'; message: string }

/** Arguments of the process, as one JSON text. */
export interface CoreOptions {
  home: string
  workerFile: string
  seed: number
}

/**
 * The app without a window in a process of its own, with a person who talks, allows, denies, stops and goes on until
 * somebody kills it. Built by `crash-loop.ts`.
 */
async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as CoreOptions
  const random = createRandom(options.seed)
  const onError = (message: string) => tell({ t: 'error', message })
  const app = await createApp(processDeps({ ...options, onError }))
  const chats = await app.handlers['sessions.list']({})
  tell({ t: 'open', chats: chats.length })
  const id = chats[0]?.id ?? (await newChat(app, options.home))
  const state = await follow(app, id)
  for (;;) await act({ app, id, random }, state)
}

/** The chat as it was last told of, and a wait for the next news. */
interface Followed {
  session: SessionDetail
  news(): Promise<void>
}

async function newChat(app: App, home: string): Promise<string> {
  const projectDir = join(home, 'projects', 'kitchen')
  mkdirSync(projectDir, { recursive: true })
  const { id } = await app.handlers['sessions.create']({ projectDir })
  tell({ t: 'chat', id })
  return id
}

async function follow(app: App, sessionId: string): Promise<Followed> {
  let wake: () => void = () => undefined
  const source = app.handlers['sessions.watch']({ sessionId }, new AbortController().signal)
  const events = source[Symbol.asyncIterator]()
  const first = await events.next()
  if (first.done || first.value.t !== 'snapshot') throw new Error('no snapshot of the chat')
  const followed: Followed = {
    session: first.value.session,
    news: () => new Promise<void>((resolve) => (wake = resolve)),
  }
  void (async () => {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.t === 'session') {
        followed.session = next.value.session
        tell({ t: 'state', state: followed.session.state })
      } else tellWhatStands(next.value)
      wake()
    }
  })()
  return followed
}

/** What the window shows as it will stay: whole messages, and calls with their result. */
function tellWhatStands(event: SessionEvent): void {
  if (event.t === 'message' && event.message.status === 'done') {
    const { id, parts } = event.message
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    tell({ t: 'shown', id, text })
  } else if (event.t === 'call' && ['done', 'failed', 'denied'].includes(event.call.state)) {
    tell({ t: 'ended', id: event.call.id, state: event.call.state })
  }
}

interface Person {
  app: App
  id: string
  random: Random
}

async function act(person: Person, chat: Followed): Promise<void> {
  const { app, id, random } = person
  const { state } = chat.session
  if (state === 'running') {
    const whim = random.int(50)
    if (whim === 0) await say(person)
    else if (whim === 1) await app.handlers['sessions.stop']({ sessionId: id, force: random.chance(0.5) })
    else await Promise.race([chat.news(), pause(50)])
  } else if (state === 'awaiting_approval') await answer(person)
  else if (state === 'interrupted') {
    await app.handlers['sessions.resume']({ sessionId: id })
    await Promise.race([chat.news(), pause(50)])
  } else {
    await say(person)
    await Promise.race([chat.news(), pause(50)])
  }
}

async function say({ app, id, random }: Person): Promise<void> {
  const text = `boil jar ${random.seed()}`
  const { messageId } = await app.handlers['sessions.send']({ sessionId: id, text })
  tell({ t: 'said', id: messageId, chat: id, text })
}

async function answer({ app, id, random }: Person): Promise<void> {
  const waiting = (await app.handlers['approvals.list']({})).filter((request) => request.sessionId === id)
  for (const request of waiting) {
    if (random.chance(0.1)) {
      await decide(app, request, 'deny')
      tell({ t: 'denied', request: request.id })
      continue
    }
    // Said before it is sent: the kill may come between the decision and the word of it.
    tell({ t: 'allowed', request: request.id, planHash: request.planHash })
    const clicks = random.chance(0.3) ? 2 : 1
    await Promise.allSettled(Array.from({ length: clicks }, () => decide(app, request, 'once')))
  }
  if (waiting.length === 0) await pause(5)
}

async function decide(app: App, request: RequestSummary, choice: 'once' | 'deny'): Promise<void> {
  const { id: requestId, revision, planHash, findings } = request
  const acknowledged = findings.filter(({ level }) => level === 'serious').map((finding) => finding.id)
  await app.handlers['approvals.decide']({ requestId, revision, planHash, choice, acknowledged })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Written at once: a line that was said is not lost with the process. */
function tell(line: CoreLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

main().catch((error: unknown) => {
  tell({ t: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exit(1)
})
