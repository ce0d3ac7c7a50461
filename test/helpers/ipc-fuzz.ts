import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { RequestSummary } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import { connect } from '@shared/ipc/client'
import { contract, type AppContract } from '@shared/ipc/contract'
import type { Client } from '@shared/ipc/define'
import type { Port } from '@shared/ipc/protocol'
import { serve } from '@shared/ipc/server'
import { createTestApp, listSkills, type TestApp } from './app'
import { hostileInput, type Known } from './ipc-inputs'
import { createRandom, type Random } from './random'

export interface IpcReport {
  calls: number
  /** Names of the contract that were asked for. */
  names: Set<string>
  answered: number
  /** Typed refusals by code. */
  refused: Record<string, number>
  /** Network use, runs, internal errors, silence: empty when all is well. */
  faults: string[]
}

/** Calls on the same app, then a new one: it fills with chats. */
const CALLS_PER_APP = 1000
/** Calls on the same two requests, then new ones: a fitting denial or deletion spends them. */
const CALLS_PER_REQUEST = 50
/** Guard against an answer that never comes. */
const ANSWER_LIMIT = 30_000
const NAMES = Object.keys(contract) as (keyof AppContract)[]

const SKILL = {
  'SKILL.md': '---\nname: marmalade\ndescription: Boils quince marmalade.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': 'echo ran > ran.txt\n',
}

/**
 * Sends seeded hostile calls over a real port to the whole app: each must be answered with a typed error or an answer
 * that fits the contract. A decision is never one that a person could have made, so no script may run.
 */
export async function ipcFuzz(options: { calls: number; seed: number }): Promise<IpcReport> {
  const random = createRandom(options.seed)
  const report: IpcReport = { calls: 0, names: new Set(), answered: 0, refused: {}, faults: [] }
  while (report.calls < options.calls) {
    await oneApp(random, Math.min(CALLS_PER_APP, options.calls - report.calls), report)
  }
  return report
}

interface Fuzz {
  app: TestApp
  client: Client<AppContract>
  random: Random
  report: IpcReport
  known: Known
}

async function oneApp(random: Random, calls: number, report: IpcReport): Promise<void> {
  const net: string[] = []
  const app = await createTestApp({
    skills: { marmalade: SKILL },
    deps: {
      fetch: async (input) => {
        net.push(input instanceof Request ? input.url : String(input))
        throw new TypeError('there is no network')
      },
    },
  })
  const { port1, port2 } = new MessageChannel()
  serve(contract, app.app.handlers, toPort(port1), {
    onInternalError: (name, error) => report.faults.push(`internal error of ${name}: ${String(error)}`),
    checkOutput: true,
    ratePerSecond: 1_000_000,
  })
  const fuzz: Fuzz = {
    app,
    client: connect<AppContract>(toPort(port2)),
    random,
    report,
    known: await prepare(app),
  }
  try {
    for (let call = 0; call < calls; call += 1) {
      if (call > 0 && call % CALLS_PER_REQUEST === 0) fuzz.known = await prepare(app)
      await oneCall(fuzz)
    }
    await checkAfter(fuzz)
  } finally {
    port2.close()
    await app.remove()
  }
}

/** Two chats in which a request waits, so that there is something to attack. */
async function prepare(app: TestApp): Promise<Known> {
  const dir = app.project('kitchen')
  const sessions: string[] = []
  const { handlers } = app.app
  for (const projectDir of [dir, null]) {
    const { id } = await handlers['sessions.create']({ projectDir, model: 'practice/scripted' })
    await handlers['sessions.send']({ sessionId: id, text: 'Please boil some quince marmalade' })
    sessions.push(id)
  }
  let requests: RequestSummary[] = []
  while (requests.length < 2) {
    await new Promise((done) => setImmediate(done))
    const all = await handlers['approvals.list']({})
    requests = all.filter(({ sessionId }) => sessions.includes(sessionId))
  }
  const { skills } = await listSkills(app.app, dir)
  return { sessions, requests, keys: skills.map(({ key }) => key), dirs: [dir, app.home] }
}

async function oneCall({ client, random, report, known }: Fuzz): Promise<void> {
  const name = random.chance(0.1) ? 'approvals.decide' : random.pick(NAMES)
  const input = hostileInput(random, name, known)
  report.calls += 1
  report.names.add(name)
  const what = `${name} ${preview(input)}`
  try {
    const sent = contract[name].kind === 'call' ? ask(client, name, input) : firstOf(client, name, input)
    await withLimit(sent)
    report.answered += 1
  } catch (error) {
    if (!(error instanceof AppError)) report.faults.push(`${what}: ${String(error)}`)
    else if (error.code === 'internal') report.faults.push(`${what}: ${error.message}`)
    else report.refused[error.code] = (report.refused[error.code] ?? 0) + 1
  }
}

/** The fuzz sends what the types forbid; the client passes it on as it is. */
function ask(client: Client<AppContract>, name: string, input: unknown): Promise<unknown> {
  return client.call(name as 'settings.get', input as Record<string, never>)
}

/** The first event of a stream, or its end; then it is closed. */
function firstOf(client: Client<AppContract>, name: string, input: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const close = client.stream(name as 'events', input as Record<string, never>, {
      event: () => settle(),
      end: (error) => settle(error),
    })
    // A stream that is open and silent is an answer too; `events` is silent until something happens.
    const quiet = setTimeout(() => settle(), 20)
    const settle = (error?: Error) => {
      clearTimeout(quiet)
      close()
      if (error) reject(error)
      else resolve()
    }
  })
}

async function withLimit(sent: Promise<unknown>): Promise<void> {
  let guard: NodeJS.Timeout | undefined
  const silence = new Promise((_, reject) => {
    guard = setTimeout(() => reject(new Error('no answer')), ANSWER_LIMIT)
  })
  try {
    await Promise.race([sent, silence])
  } finally {
    clearTimeout(guard)
  }
}

/** The app is alive, its record holds, and nothing ran. */
async function checkAfter({ app, client, report }: Fuzz): Promise<void> {
  const view = await client.call('settings.get', {})
  if (!view.homeDir) report.faults.push('the app does not answer any more')
  const { firstBad } = await client.call('audit.verify', {})
  if (firstBad !== null) report.faults.push(`the audit breaks at ${firstBad}`)
  const events = await client.call('audit.query', { limit: 500 })
  const ran = events.filter(({ action }) => action === 'run.started' || action === 'request.allowed')
  report.faults.push(...ran.map(({ action, target }) => `${action} ${target}`))
  report.faults.push(...app.errors)
  if (({} as { polluted?: unknown }).polluted !== undefined) report.faults.push('a prototype was changed')
}

function preview(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function toPort(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
    onClose: (listener) => void port.on('close', listener),
  }
}
