import { mkdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ArrangeRequest } from '@shared/domain/arranging'
import type { SessionDetail, SessionEvent } from '@shared/domain/session'
import { createApp, type App } from '../../src/main/app'
import { onFaultPoint, type FaultPoint } from '../../src/main/lib/fault-point'
import type { CoreLine } from './crash-core'
import { startFakeProvider } from './fake-provider'
import { processDeps } from './process-deps'

export type FaultKind = 'kill' | 'throw' | 'full' | 'delay'

/** One cell of the matrix: what happens at which passing of a point, counted from 1. */
export interface PlantedFault {
  point: FaultPoint
  kind: FaultKind
  nth: number
}

/** What the process says on its standard output beside the lines of `crash-core.ts`. */
export type FaultLine =
  | CoreLine
  | { t: 'planted' }
  /** A call of the person was refused in words. */
  | { t: 'refused'; message: string }
  /** How many of the person's three messages got their answer. */
  | { t: 'over'; answers: number }
  | { t: 'passed'; points: Partial<Record<FaultPoint, number>> }

/** Arguments of the process, as one JSON text. */
export interface FaultOptions {
  home: string
  workerFile: string
  fault: PlantedFault | null
  delayMs: number
}

/** An answer that takes longer than the time between two saves of it. */
const SLOW_WORDS = 'This answer comes from a server , word by word .'.split(/(?= )/)
/** How often a person tries again what was refused. */
const TRIES = 3
/** Guard against hanging, in milliseconds; a person gives up then. */
const PATIENCE = 30_000

const passed: Partial<Record<FaultPoint, number>> = {}

/** A person who opens a project, trusts it, lets the agent work twice and quits, while one thing fails. */
async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as FaultOptions
  onFaultPoint((point) => pass(point, options))
  const onError = (message: string) => tell({ t: 'error', message })
  const app = await createApp({ ...processDeps({ ...options, onError }), fetch })
  tell({ t: 'open', chats: 0 })
  const fake = await startFakeProvider()
  fake.answerWith(() => ({ text: SLOW_WORDS, gate: () => pause(40) }))
  tell({ t: 'over', answers: await live(app, { home: options.home, url: fake.url }) })
  await app.close()
  await fake.close()
  tell({ t: 'passed', points: passed })
}

function pass(point: FaultPoint, { fault, delayMs }: FaultOptions): void {
  const times = (passed[point] ?? 0) + 1
  passed[point] = times
  if (fault?.point !== point || fault.nth !== times) return
  tell({ t: 'planted' })
  if (fault.kind === 'kill') process.kill(process.pid, 'SIGKILL')
  if (fault.kind === 'delay') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs)
  if (fault.kind === 'throw') throw new Error('planted: something failed')
  if (fault.kind === 'full') {
    const code = /^(db|audit|migration)\./.test(point) ? 'SQLITE_FULL' : 'ENOSPC'
    throw Object.assign(new Error('planted: no space left on device'), { code })
  }
}

/** How many messages got their answer. */
async function live(app: App, at: { home: string; url: string }): Promise<number> {
  const dir = join(at.home, 'projects', 'kitchen')
  mkdirSync(dir, { recursive: true })
  await attempt(() => app.handlers['settings.set']({ armDelayMs: 700 }))
  await attempt(() => app.handlers['projects.open']({ dir }))
  await attempt(() => app.handlers['projects.trust']({ dir, trusted: true }))
  await arrangeSkill(app, at.home)
  const provider = { id: 'fake', kind: 'openai-compatible', label: 'Fake', models: ['model-a'] } as const
  const key = { store: 'none' } as const
  await attempt(() =>
    app.handlers['providers.save']({ ...provider, models: ['model-a'], baseUrl: at.url, key }),
  )
  const first = await attempt(() => app.handlers['sessions.create']({ projectDir: dir }))
  const jars = first ? await talks(app, first.id, ['boil jar 1', 'boil jar 2']) : 0
  const second = await attempt(() =>
    app.handlers['sessions.create']({ projectDir: dir, model: 'fake/model-a' }),
  )
  return jars + (second ? await talks(app, second.id, ['how are you?']) : 0)
}

/** Duplicates the skill, gives the copy another name and deletes it: what is left of it is in the trash. */
async function arrangeSkill(app: App, home: string): Promise<void> {
  const projectDir = null
  const arrange = (request: ArrangeRequest) =>
    attempt(async () => {
      const { hash } = await app.handlers['arrange.plan']({ projectDir, request })
      return app.handlers['arrange.do']({ projectDir, request, planHash: hash })
    })
  const skills = `personal:${join(home, '.satchel', 'skills')}`
  await arrange({ do: 'duplicate', key: `${skills}/marmalade`, name: 'cellar' })
  await arrange({ do: 'rename', key: `${skills}/cellar`, name: 'attic' })
  await arrange({ do: 'delete', key: `${skills}/attic` })
}

async function talks(app: App, id: string, messages: readonly string[]): Promise<number> {
  tell({ t: 'chat', id })
  const session = await follow(app, id)
  let answers = 0
  for (const text of messages) {
    if (await talk({ app, id, session }, text)) answers += 1
  }
  return answers
}

/** What a person does who is told that something failed: the same again, a few times. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T | null> {
  for (let n = 0; n < TRIES; n += 1) {
    try {
      return await work()
    } catch (error) {
      tell({ t: 'refused', message: String(error) })
      await pause(20)
    }
  }
  return null
}

async function follow(app: App, sessionId: string): Promise<() => SessionDetail> {
  const source = app.handlers['sessions.watch']({ sessionId }, new AbortController().signal)
  const events = source[Symbol.asyncIterator]()
  const first = await events.next()
  if (first.done || first.value.t !== 'snapshot') throw new Error('no snapshot of the chat')
  let { session } = first.value
  void (async () => {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.t === 'session' || next.value.t === 'snapshot') session = next.value.session
      tellWhatStands(next.value)
    }
  })()
  return () => session
}

function tellWhatStands(event: SessionEvent): void {
  if (event.t === 'message' && event.message.status === 'done') {
    const { id, parts } = event.message
    tell({
      t: 'shown',
      id,
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    })
  } else if (event.t === 'call' && ['done', 'failed', 'denied'].includes(event.call.state)) {
    tell({ t: 'ended', id: event.call.id, state: event.call.state })
  }
}

interface Chat {
  app: App
  id: string
  session: () => SessionDetail
}

/** Sends a message and allows what is asked, until the chat is idle again. False when it did not come to that. */
async function talk({ app, id, session }: Chat, text: string): Promise<boolean> {
  const sent = await attempt(() => app.handlers['sessions.send']({ sessionId: id, text }))
  if (!sent) return false
  tell({ t: 'said', id: sent.messageId, chat: id, text })
  const end = performance.now() + PATIENCE
  let resumed = 0
  while (performance.now() < end) {
    const { state } = session()
    if (state === 'awaiting_approval') await allowAll(app, id)
    else if (state === 'interrupted' && resumed < TRIES) {
      resumed += 1
      await attempt(() => app.handlers['sessions.resume']({ sessionId: id }))
    } else if (state !== 'running') {
      await pause(20)
      if (session().state === state) return state === 'idle'
    }
    await pause(5)
  }
  return false
}

async function allowAll(app: App, sessionId: string): Promise<void> {
  const waiting = await app.handlers['approvals.list']({})
  for (const request of waiting.filter((one) => one.sessionId === sessionId)) {
    const { id: requestId, revision, planHash, findings } = request
    const acknowledged = findings.filter(({ level }) => level === 'serious').map((finding) => finding.id)
    tell({ t: 'allowed', request: requestId, planHash })
    try {
      await app.handlers['approvals.decide']({ requestId, revision, planHash, choice: 'once', acknowledged })
    } catch (error) {
      tell({ t: 'refused', message: String(error) })
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Written at once: a line that was said is not lost with the process. */
function tell(line: FaultLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

main().catch((error: unknown) => {
  tell({ t: 'refused', message: `Satchel did not start or did not close: ${String(error)}` })
  process.exit(1)
})
