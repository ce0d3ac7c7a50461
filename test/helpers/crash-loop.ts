import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { descendantsOf, processesOfRuns, startTimeOf } from '../../src/main/runs/process-tree'
import type { RequestSummary } from '@shared/domain/approval'
import type { SessionEvent } from '@shared/domain/session'
import { allow, createTestApp, watchChat, writeFiles, type TestApp, type WatchedChat } from './app'
import { builtCore } from './core-build'
import type { CoreLine, CoreOptions } from './crash-core'
import { faultsOf, runIds, SHELF, type Promises } from './crash-faults'
import { createRandom, type Random } from './random'
import { builtWorker } from './worker'

export interface CrashReport {
  rounds: number
  /** Starts of the app in which it was killed before it had opened its data. */
  early: number
  /** What was promised to the person and looked for after each kill. */
  messages: number
  runs: number
  /** Answers and ended calls that stood in the window, and changes of the project's file. */
  shown: number
  changes: number
  /** What was not as it must be; empty when all is well. */
  faults: string[]
}

/** Rounds on the same data, then new data: a long history would only make the rounds slow. */
const ROUNDS_PER_PLACE = 10
/** Guards against hanging, in milliseconds. */
const LIFE_LIMIT = 30_000
const GONE_LIMIT = 15_000

const SCENARIOS = [
  {
    name: 'boil',
    match: '^boil jar',
    steps: [
      { text: 'Loading it.', call: { name: 'skills_load', input: { names: ['marmalade'] } } },
      { text: 'Reading it.', call: { name: 'skills_read', input: { path: 'references/rules.md' } } },
      { reasoning: 'Now boil.', call: { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } } },
      { text: 'Looking for room.', call: { name: 'Read', input: { file_path: 'shelf.txt' } } },
      {
        text: 'Putting it there.',
        call: {
          name: 'Edit',
          input: { file_path: 'shelf.txt', old_string: 'END', new_string: `${SHELF.line}END` },
        },
      },
      { text: 'The jar was boiled, and the answer comes slowly.', pauseMs: 3 },
    ],
  },
  { name: 'there', match: '^are you there', steps: [{ text: 'I am here.' }] },
]

/** The script names its run, and the version of its own bytes, in a file of the project. */
export function boilScript(version: number): string {
  return `#!/usr/bin/env bash
echo "$SATCHEL_RUN_ID ${version}" >> ledger.txt
echo boiling ${version}
(setsid sleep 60 &) </dev/null >/dev/null 2>&1
sleep 0.0${version % 10}
`
}

/**
 * Starts the app, kills it with SIGKILL at a moment that the seed chooses, looks at everything that it left, and does
 * it again on the same data. Every few rounds a person goes on with the chat in between.
 */
export async function crashLoop(options: { rounds: number; seed: number }): Promise<CrashReport> {
  const random = createRandom(options.seed)
  const report: CrashReport = { rounds: 0, early: 0, messages: 0, runs: 0, shown: 0, changes: 0, faults: [] }
  while (report.rounds < options.rounds) {
    const place = createPlace()
    try {
      const rounds = Math.min(ROUNDS_PER_PLACE, options.rounds - report.rounds)
      for (let round = 0; round < rounds; round += 1) await oneRound(place, random, report)
      const promised = place.promises
      report.messages += promised.said.size
      report.runs += runIds(place.home).length
      report.shown += promised.shown.size + promised.ended.size
      report.changes += readFileSync(join(place.home, SHELF.path), 'utf8').split(SHELF.line).length - 1
    } finally {
      rmSync(place.home, { recursive: true, force: true })
    }
  }
  return report
}

interface Place {
  home: string
  version: number
  promises: Promises
}

function createPlace(): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-crash-')))
  writeFiles(join(home, '.satchel/skills/marmalade'), {
    'SKILL.md':
      '---\nname: marmalade\ndescription: Boils quince marmalade.\n---\nRun `scripts/boil.sh`, see [rules](references/rules.md).\n',
    'references/rules.md': 'Stir slowly.\n',
    'scripts/boil.sh': boilScript(0),
  })
  mkdirSync(join(home, 'practice'))
  for (const [n, scenario] of SCENARIOS.entries()) {
    writeFileSync(join(home, 'practice', `${n}.practice.json`), JSON.stringify(scenario))
  }
  writeFiles(home, { [SHELF.path]: SHELF.start + SHELF.end })
  const promises: Promises = {
    chats: [],
    said: new Map(),
    allowed: new Map(),
    denied: new Set(),
    shown: new Map(),
    ended: new Map(),
  }
  return { home, version: 0, promises }
}

async function oneRound(place: Place, random: Random, report: CrashReport): Promise<void> {
  const seed = random.seed()
  const fault = (what: string) => report.faults.push(`round ${report.rounds} (seed ${seed}): ${what}`)
  const life = await liveAndDie(place, createRandom(seed), seed)
  if (!life.opened) report.early += 1
  life.errors.forEach(fault)
  if (!(await allGone(life.tree, place.home))) fault('a process of a run is left')
  faultsOf(place.home, place.promises, boilScript).forEach(fault)
  if (place.promises.chats.length > 0 && random.chance(0.6)) {
    await goOn(place, random).catch((error: unknown) => fault(`the chat does not go on: ${String(error)}`))
    faultsOf(place.home, place.promises, boilScript).forEach(fault)
  }
  report.rounds += 1
}

interface Life {
  opened: boolean
  errors: string[]
  /** Processes below the app when it was killed, by pid and start time. */
  tree: Map<number, string>
}

/** Kills after a chosen number of lines and a chosen time more, so that quick and slow phases are hit alike. */
async function liveAndDie(place: Place, random: Random, seed: number): Promise<Life> {
  const child = await startCore(place.home, seed)
  const life: Life = { opened: false, errors: [], tree: new Map() }
  const lines = random.int(100)
  const extraMs = random.pick([0, 0, 1, 3, 10, 30, 60])
  const changesAt = random.chance(0.5) ? random.int(70) : -1
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  const guard = setTimeout(() => {
    life.errors.push('the app said nothing more')
    child.kill('SIGKILL')
  }, LIFE_LIMIT)
  const die = () => {
    for (const pid of descendantsOf(child.pid!)) life.tree.set(pid, startTimeOf(pid) ?? '')
    child.kill('SIGKILL')
  }
  let seen = 0
  const early = lines === 0 ? setTimeout(die, extraMs * 10) : undefined
  for await (const text of createInterface({ input: child.stdout! })) {
    note(place, life, JSON.parse(text) as CoreLine)
    seen += 1
    if (seen === changesAt) changeScript(place)
    if (seen === lines) setTimeout(die, extraMs)
  }
  await exited
  clearTimeout(guard)
  clearTimeout(early)
  if (child.signalCode !== 'SIGKILL') life.errors.push(`the app ended by itself with ${child.exitCode}`)
  return life
}

async function startCore(home: string, seed: number): Promise<ChildProcess> {
  const options: CoreOptions = { home, workerFile: await builtWorker(), seed }
  return spawn(process.execPath, [await builtCore(), JSON.stringify(options)], {
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function note({ promises }: Place, life: Life, line: CoreLine): void {
  if (line.t === 'open') life.opened = true
  else if (line.t === 'chat') promises.chats.push(line.id)
  else if (line.t === 'said') promises.said.set(line.id, line.text)
  else if (line.t === 'allowed') addTo(promises.allowed, line.request, line.planHash)
  else if (line.t === 'shown') promises.shown.set(line.id, line.text)
  else if (line.t === 'ended') promises.ended.set(line.id, line.state)
  else if (line.t === 'denied') promises.denied.add(line.request)
  else if (line.t === 'error') life.errors.push(line.message)
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value))
}

function changeScript(place: Place): void {
  place.version += 1
  writeFileSync(join(place.home, '.satchel/skills/marmalade/scripts/boil.sh'), boilScript(place.version))
}

/** True when no process of the killed app's tree and none with the mark of a run is left within the guard. */
async function allGone(tree: Map<number, string>, home: string): Promise<boolean> {
  const ids = new Set(runIds(home))
  const end = performance.now() + GONE_LIMIT
  const left = () =>
    [...tree].some(([pid, start]) => startTimeOf(pid) === start) || processesOfRuns(ids).length > 0
  while (left()) {
    if (performance.now() > end) return false
    await new Promise((done) => setImmediate(done))
  }
  return true
}

/** A person opens the chat after the crash: what waits is answered or stopped, and a new message gets an answer. */
async function goOn(place: Place, random: Random): Promise<void> {
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
  const end = performance.now() + LIFE_LIMIT
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
