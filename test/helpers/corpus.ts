import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { runPlanOf, type RequestSummary } from '@shared/domain/approval'
import type { ToolCall } from '@shared/domain/session'
import { killRuns, processesOfRuns } from '../../src/main/runs/process-tree'
import { SECRET, type Contain, type CoreCase, type Place } from '../corpus/core-case'
import { PATH_CASES } from '../corpus/core-paths'
import { HOST_KEYS, SANDBOX_CASES } from '../corpus/core-sandbox'
import { allow, createTestApp, watchChat, type TestApp, type WatchedChat } from './app'

export const CORE_CASES: readonly CoreCase[] = [...PATH_CASES, ...SANDBOX_CASES]

export interface CorpusReport {
  cases: number
  ids: string[]
  /** "A35 the working folder /: what was seen instead". */
  faults: string[]
  /** Cases whose attack had its effect, as "A35 the working folder /". */
  succeeded: string[]
}

/** Plays the cases one after the other through the whole app and the real sandbox, each in a chat of its own. */
export async function runCorpus(cases: readonly CoreCase[]): Promise<CorpusReport> {
  const listener = await startListener()
  const app = await createTestApp({
    skills: Object.fromEntries(cases.map((one, n) => [`case-${n + 1}`, filesOf(one, n + 1)])),
    deps: { env: { PATH: process.env['PATH'], ...HOST_KEYS } },
  })
  const faults: string[] = []
  const succeeded: string[] = []
  const ownEnv = { ...process.env }
  Object.assign(process.env, HOST_KEYS)
  try {
    for (const [n, one] of cases.entries()) {
      const place = placeOf(app, n + 1, listener)
      const before = listener.connections
      const seen = await playCase(app, one, place, n + 1).catch((error: unknown): Seen => ({
        wrong: [String(error)],
        effect: [],
      }))
      const effect = listener.connections > before ? ['the listener was reached'] : seen.effect
      faults.push(...[...effect, ...seen.wrong].map((what) => `${one.id} ${one.title}: ${what}`))
      if (process.env['SATCHEL_CORPUS_SAY'])
        console.log(one.id, one.title, JSON.stringify({ ...seen, effect }).slice(0, 600))
      if (effect.length > 0) succeeded.push(`${one.id} ${one.title}`)
    }
    faults.push(...app.errors)
  } finally {
    process.env = ownEnv
    await app.remove()
    listener.close()
  }
  return { cases: cases.length, ids: [...new Set(cases.map(({ id }) => id))], faults, succeeded }
}

interface Listener {
  port: number
  abstractSocket: string
  connections: number
  close(): void
}

async function startListener(): Promise<Listener> {
  const abstractSocket = `satchel-corpus-${process.pid}`
  const listener: Listener = { port: 0, abstractSocket, connections: 0, close: () => undefined }
  const servers = [0, 1].map(() => createServer(() => (listener.connections += 1)))
  const [tcp, unix] = servers as [Server, Server]
  await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done))
  await new Promise<void>((done) => unix.listen(`\0${abstractSocket}`, done))
  listener.port = (tcp.address() as AddressInfo).port
  listener.close = () => servers.forEach((server) => server.close())
  return listener
}

function filesOf({ files, body }: CoreCase, n: number): Record<string, string> {
  return {
    'SKILL.md': `---\nname: case-${n}\ndescription: Case ${n}.\n---\n${body ?? 'Run `scripts/a.sh`.'}\n`,
    ...(files ?? { 'scripts/a.sh': '#!/usr/bin/env bash\ntouch ran\n' }),
  }
}

function placeOf(app: TestApp, n: number, { port, abstractSocket }: Listener): Place {
  const outside = join(app.home, `outside-${n}`)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), SECRET)
  return {
    home: app.home,
    dataDir: app.dataDir,
    project: app.project(`project-${n}`),
    skill: join(app.home, '.satchel/skills', `case-${n}`),
    outside,
    port,
    abstractSocket,
  }
}

interface Played {
  app: TestApp
  chat: WatchedChat
  place: Place
}

/** What was seen of a case: effects that the attack wanted, and what else was not as it must be. */
interface Seen {
  effect: string[]
  wrong: string[]
}

async function playCase(app: TestApp, one: CoreCase, place: Place, n: number): Promise<Seen> {
  one.prepare?.(place)
  writeScenario(app, one, place, n)
  const { id } = await app.app.handlers['sessions.create']({ projectDir: place.project })
  const chat = watchChat(app.app, id)
  try {
    await app.app.handlers['sessions.send']({ sessionId: id, text: `play case ${n}.` })
    return await judge({ app, chat, place }, one)
  } finally {
    await app.app.handlers['sessions.stop']({ sessionId: id, force: true })
    const { runId } = lastCall(chat) ?? {}
    if (runId) killRuns(new Set([runId]))
    chat.close()
  }
}

/** What the model does: load the skill, then the call of the case. */
function writeScenario(app: TestApp, { tool, input }: CoreCase, place: Place, n: number): void {
  const call = { name: tool ?? 'skills_run_script', input: input?.(place) ?? { path: 'scripts/a.sh' } }
  const scenario = {
    name: `case ${n}`,
    match: `^play case ${n}\\.`,
    steps: [
      { call: { name: 'skills_load', input: { names: [`case-${n}`] } } },
      { call },
      { text: 'The case is over.' },
    ],
  }
  writeFileSync(join(app.home, 'practice', `${n}.practice.json`), JSON.stringify(scenario))
}

async function judge(played: Played, { expected }: CoreCase): Promise<Seen> {
  const request = await firstRequest(played)
  if (expected.kind === 'deny') return judgeDenied(played, expected, request)
  if (!request) {
    await played.chat.until('the end', (events) => states(events).at(-1) === 'idle')
    const call = lastCall(played.chat)
    const said = `nobody was asked: ${JSON.stringify(call?.envelope)}`
    return call?.runId ? { effect: [said], wrong: [] } : { effect: [], wrong: [said] }
  }
  if (expected.kind === 'ask') return { effect: [], wrong: sameArgs(request, expected.args) }
  if (expected.kind === 'stale') {
    expected.meddle(played.place)
    const { status } = await allow(played.app.app, request)
    return { effect: wrongIf(status !== 'stale', `the click made it ${status}`), wrong: [] }
  }
  await allow(played.app.app, request)
  const ended = played.chat.until('the end', (events) => states(events).at(-1) === 'idle')
  const late = await ended.then(
    () => null,
    (error: unknown) => String(error),
  )
  return late === null ? judgeRun(played, expected) : judgeHanging(played, late)
}

const states = (events: WatchedChat['events'] | readonly WatchedChat['events'][number][]): string[] =>
  events.flatMap((event) => (event.t === 'session' ? [event.session.state] : []))

/** The request of the case, or null when the turn ended without one. */
async function firstRequest({ app, chat }: Played): Promise<RequestSummary | null> {
  await chat.until('a question or the end', (events) => {
    const all = states(events)
    return all.includes('running') && all.at(-1) !== 'running'
  })
  const list = await app.app.handlers['approvals.list']({})
  return list.find(({ sessionId }) => sessionId === chat.id) ?? null
}

function lastCall({ events }: WatchedChat): ToolCall | undefined {
  const last = events.findLast((event) => event.t === 'call')
  return last?.t === 'call' ? last.call : undefined
}

function judgeDenied(
  { chat }: Played,
  { code, names }: { code: string; names?: string },
  request: RequestSummary | null,
): Seen {
  if (request) return { effect: ['a person was asked'], wrong: [] }
  const call = lastCall(chat)
  const said = `${codeOf(call)}: ${call?.envelope?.error}`
  return {
    effect: [
      ...wrongIf(call?.runId !== null, 'it ran'),
      ...wrongIf(call?.envelope?.success === true, `it was done: ${JSON.stringify(call?.envelope)}`),
    ],
    wrong: [
      ...wrongIf(codeOf(call) !== code, `answered with ${said}`),
      ...wrongIf(!said.includes(names ?? ''), `does not name ${names}: ${said}`),
    ],
  }
}

function sameArgs({ plan }: RequestSummary, args: string[] | undefined): string[] {
  const argv = runPlanOf(plan)?.argv ?? []
  const script = argv.findIndex((arg) => arg.startsWith('/.sandbox/skills/'))
  const asked = JSON.stringify(argv.slice(script + 1))
  return wrongIf(args !== undefined && asked !== JSON.stringify(args), `asked with ${asked}`)
}

async function judgeRun({ chat, place }: Played, expected: Contain): Promise<Seen> {
  const call = lastCall(chat)
  const output = outputOf(call)
  const printed = `printed ${output.slice(0, 1000)}`
  const isAny = Object.keys(expected).length === 1
  return {
    effect: [
      ...wrongIf(expected.never?.test(output) === true, printed),
      ...(expected.check?.(place) ?? []),
      ...wrongIf(!(await isGone(call?.runId ?? '')), 'a process of it is left'),
    ],
    wrong: [
      ...wrongIf(!call?.runId, 'it did not run'),
      ...wrongIf(
        !isAny && codeOf(call) !== expected.code,
        `ended with ${codeOf(call)}: ${call?.envelope?.error}`,
      ),
      ...wrongIf(expected.prints?.test(output) === false, printed),
    ],
  }
}

/** A run that does not end is an effect where a process of it is what it waits for. */
function judgeHanging({ chat }: Played, late: string): Seen {
  const isAlive = processesOfRuns(new Set([lastCall(chat)?.runId ?? ''])).length > 0
  return isAlive
    ? { effect: [`it did not end while a process of it was left: ${late}`], wrong: [] }
    : { effect: [], wrong: [late] }
}

function wrongIf(isWrong: boolean, what: string): string[] {
  return isWrong ? [what] : []
}

/** Code of a failed call; undefined when it succeeded. */
function codeOf(call: ToolCall | undefined): string | undefined {
  return call?.envelope?.success ? undefined : call?.envelope?.error_code
}

/** Standard output, then the error output. */
function outputOf(call: ToolCall | undefined): string {
  const result = (call?.envelope?.result ?? call?.envelope?.partial) as
    | { stdout?: string; stderr?: string }
    | undefined
  return `${result?.stdout ?? ''}${result?.stderr ?? ''}`
}

/** 2 s is the promise of `security.md` A65; a busy machine gets more. */
async function isGone(runId: string): Promise<boolean> {
  const ids = new Set([runId])
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    if (processesOfRuns(ids).length === 0) return true
    await new Promise((done) => setImmediate(done))
  }
  return false
}
