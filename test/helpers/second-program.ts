import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RequestSummary } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import { createApp, type App } from '../../src/main/app'
import { createAudit } from '../../src/main/audit/audit'
import { openDb } from '../../src/main/db/open'
import { registerProgram } from '../../src/main/db/programs'
import { createOwner } from '../../src/main/sessions/turn/owner'
import { processDeps } from './process-deps'
import { isAlive } from './process-tree'
import { createRandom, type Random } from './random'

/** What the process says on its standard output, one JSON object a line, each before it goes on. */
export type ProgramLine =
  | { t: 'open' }
  | { t: 'said'; id: string; text: string }
  | { t: 'allowed'; request: string; planHash: string }
  | { t: 'refused'; code: string }
  | { t: 'title'; chat: string; title: string; at: number }
  | { t: 'trust'; dir: string; trusted: boolean; at: number }
  | { t: 'done'; held: number; busy: number }
  | { t: 'error'; message: string }

/** What the process is asked on its standard input. */
export type ProgramOrder =
  | { do: 'rename'; chat: string; title: string }
  | { do: 'trust'; dir: string; trusted: boolean }

/** Arguments of the process, as one JSON text. */
export interface ProgramOptions {
  home: string
  seed: number
  /** Window and command use the whole app; the other two only append to the record, or take a chat by turns. */
  role: 'window' | 'command' | 'append' | 'contend'
  workerFile: string
  /** For `append` and `contend`. */
  count: number
}

/** One of several programs on the same data, until it is done or somebody kills it. */
async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as ProgramOptions
  if (options.role === 'append') append(options)
  else if (options.role === 'contend') contend(options)
  else await use(options)
}

/** Entries inside a transaction, and outside of one. */
function append({ home, count, seed }: ProgramOptions): void {
  tell({ t: 'open' })
  // All at the same time.
  while (!existsSync(join(home, 'go')));
  const db = openDb(join(home, 'data', 'satchel.db'))
  const audit = createAudit({ db, now: () => Date.now() })
  const random = createRandom(seed)
  let slowest = 0
  for (let n = 0; n < count; n += 1) {
    const entry = () =>
      audit.append({
        actor: 'app',
        action: 'settings.changed',
        sessionId: null,
        target: `${seed}`,
        data: { n },
      })
    const began = performance.now()
    random.pick([entry, () => db.tx(entry), () => db.durable(entry)])()
    slowest = Math.max(slowest, performance.now() - began)
  }
  tell({ t: 'done', held: count, busy: Math.round(slowest) })
}

/** While it has the chat it keeps a file that must not be there already. */
function contend({ home, count }: ProgramOptions): void {
  const db = openDb(join(home, 'data', 'satchel.db'))
  const program = registerProgram(join(home, 'data', 'programs'), 'command')
  const log = { info: ignore, warn: ignore, error: ignore }
  const owner = createOwner({ db, program, now: () => Date.now(), log })
  const inside = join(home, 'inside')
  const refused = join(home, 'refused')
  let [held, busy] = [0, 0]
  tell({ t: 'open' })
  // All at the same time.
  while (!existsSync(join(home, 'go')));
  while (held < count) {
    let release: () => void
    try {
      release = owner.hold('shared')
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'busy') throw error
      if (busy === 0) writeFileSync(refused, '')
      busy += 1
      continue
    }
    enter(inside)
    // The first one lets another come in its way, however the system shares its time.
    while (!existsSync(refused));
    if (held % 100 === 0) tell({ t: 'done', held, busy })
    rmSync(inside)
    release()
    held += 1
  }
  tell({ t: 'done', held, busy })
}

function enter(inside: string): void {
  try {
    writeSync(openInside(inside), String(process.pid))
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
    const pid = Number(readFileSync(inside, 'utf8'))
    if (pid > 0 && isAlive(pid))
      tell({ t: 'error', message: `two programs have the chat: ${pid}, ${process.pid}` })
    writeFileSync(inside, String(process.pid))
  }
}

const files: number[] = []

function openInside(inside: string): number {
  for (const file of files.splice(0)) closeSync(file)
  const file = openSync(inside, 'wx')
  files.push(file)
  return file
}

interface Person {
  app: App
  random: Random
  kitchen: string
}

/** A person who talks in every chat, allows, stops and goes on, whoever else does the same. */
async function use(options: ProgramOptions): Promise<void> {
  const { home, role, seed } = options
  const onError = (message: string) => tell({ t: 'error', message })
  const app = await createApp({ ...processDeps({ ...options, onError }), ownsData: role === 'window' })
  const kitchen = join(home, 'projects', 'kitchen')
  mkdirSync(kitchen, { recursive: true })
  follow(app)
  obey(app)
  tell({ t: 'open' })
  const person: Person = { app, random: createRandom(seed), kitchen }
  for (;;) {
    try {
      await act(person)
    } catch (error) {
      // Another program was there first, or has the chat: a plain answer, and nothing else.
      if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error
      tell({ t: 'refused', code: error.code })
    }
    await pause(person.random.int(20))
  }
}

const REFUSALS = new Set<string>(['busy', 'already_decided', 'stale'])

async function act({ app, random, kitchen }: Person): Promise<void> {
  const chats = await app.handlers['sessions.list']({})
  if (chats.length < 3) {
    await app.handlers['sessions.create']({ projectDir: kitchen })
    return
  }
  const { id: sessionId, state } = random.pick(chats)
  const say = async () => {
    const text = `boil jar ${random.seed()}`
    const { messageId } = await app.handlers['sessions.send']({ sessionId, text })
    tell({ t: 'said', id: messageId, text })
  }
  if (state === 'running' && random.chance(0.1)) await random.pick([say, () => stop(app, sessionId)])()
  else if (state === 'awaiting_approval') await answer(app, sessionId)
  else if (state === 'interrupted') await app.handlers['sessions.resume']({ sessionId })
  else if (state === 'idle') await say()
}

async function stop(app: App, sessionId: string): Promise<void> {
  await app.handlers['sessions.stop']({ sessionId, force: true })
}

async function answer(app: App, sessionId: string): Promise<void> {
  const list = await app.handlers['approvals.list']({})
  const request = list.find((waiting) => waiting.sessionId === sessionId)
  if (request) await allow(app, request)
}

async function allow(app: App, request: RequestSummary): Promise<void> {
  const { id: requestId, revision, planHash, findings } = request
  const acknowledged = findings.filter(({ level }) => level === 'serious').map((finding) => finding.id)
  // Said before it is sent: the kill may come between the decision and the word of it.
  tell({ t: 'allowed', request: requestId, planHash })
  await app.handlers['approvals.decide']({ requestId, revision, planHash, choice: 'once', acknowledged })
}

/** Tells titles and trust as a window would show them: read again after every event. */
function follow(app: App): void {
  const titles = new Map<string, string>()
  const trust = new Map<string, boolean>()
  const look = async (kind: string) => {
    if (kind === 'sessions.changed') {
      for (const { id, title } of await app.handlers['sessions.list']({})) {
        if (titles.get(id) !== title) tell({ t: 'title', chat: id, title, at: Date.now() })
        titles.set(id, title)
      }
    } else if (kind === 'projects.changed') {
      for (const { dir, trusted } of await app.handlers['projects.list']({})) {
        if (trust.get(dir) !== trusted) tell({ t: 'trust', dir, trusted, at: Date.now() })
        trust.set(dir, trusted)
      }
    }
  }
  void (async () => {
    for await (const event of app.handlers['events']({}, new AbortController().signal)) await look(event.t)
  })().catch(fail)
}

function obey(app: App): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const order = JSON.parse(line) as ProgramOrder
    const work =
      order.do === 'rename'
        ? app.handlers['sessions.rename']({ sessionId: order.chat, title: order.title })
        : app.handlers['projects.trust']({ dir: order.dir, trusted: order.trusted })
    Promise.resolve(work).catch(fail)
  })
}

function ignore(): void {
  // Nothing to say.
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Written at once: a line that was said is not lost with the process. */
function tell(line: ProgramLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

function fail(error: unknown): never {
  tell({ t: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exit(1)
}

main().catch(fail)
