import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { processesOfRuns } from '../../src/main/runs/process-tree'
import { createTestApp, watchChat, writeFiles } from './app'
import { builtCore } from './core-build'
import { faultsOf, runIds, type Promises } from './crash-faults'
import { boilScript } from './crash-place'
import { createRandom, type Random } from './random'
import type { ProgramLine, ProgramOptions, ProgramOrder } from './second-program'
import { builtWorker } from './worker'

export interface SharedReport {
  rounds: number
  messages: number
  runs: number
  /** How often a program was told that another one has the chat, or was there first. */
  refused: number
  /** Longest time until one saw what the other did, in milliseconds. */
  slowestMs: number
  /** What was not as it must be; empty when all is well. */
  faults: string[]
}

/** A process of `second-program.ts`, with what it said. */
export interface OtherProgram {
  child: ChildProcess
  lines: ProgramLine[]
  /** Waits for a line, also one that was said before; throws when it ends or says none for long. */
  until(what: string, found: (line: ProgramLine) => boolean): Promise<ProgramLine>
  order(order: ProgramOrder): void
  kill(): Promise<void>
}

/** A guard against hanging, in milliseconds. */
const LIMIT = 30_000

export async function startProgram(options: Omit<ProgramOptions, 'workerFile'>): Promise<OtherProgram> {
  const all: ProgramOptions = { ...options, workerFile: await builtWorker() }
  const child = spawn(process.execPath, [await builtCore('second-program.ts'), JSON.stringify(all)], {
    env: { PATH: process.env['PATH'], HOME: options.home },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: ProgramLine[] = []
  const checks = new Set<() => void>()
  const closed = once(child, 'close').then(() => checks.forEach((check) => check()))
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text) as ProgramLine)
    for (const check of checks) check()
  })
  // A killed one takes no more orders.
  child.stdin.on('error', () => undefined)
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    lines,
    until: (what, found) =>
      new Promise((resolve, reject) => {
        const said = () => lines.filter(({ t }) => t === 'error').map((line) => JSON.stringify(line))
        const end = (settle: () => void) => {
          clearTimeout(guard)
          checks.delete(check)
          settle()
        }
        const check = () => {
          const line = lines.findLast(found)
          if (line) end(() => resolve(line))
          else if (isOver()) end(() => reject(new Error(`ended before ${what}: ${said().join()}`)))
        }
        const guard = setTimeout(() => end(() => reject(new Error(`never: ${what} ${said().join()}`))), LIMIT)
        checks.add(check)
        check()
      }),
    order: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    async kill() {
      if (!isOver()) child.kill('SIGKILL')
      await closed
    },
  }
}

export interface SharedPlace {
  home: string
  kitchen: string
}

export function createSharedPlace(): SharedPlace {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-shared-')))
  writeFiles(join(home, '.satchel/skills/marmalade'), {
    'SKILL.md': '---\nname: marmalade\ndescription: Boils quince marmalade.\n---\nRun `scripts/boil.sh`.\n',
    'scripts/boil.sh': boilScript(0),
  })
  const scenario = (name: string, match: string, steps: unknown[]) => ({ name, match, steps })
  writeFiles(join(home, 'practice'), {
    '0.practice.json': JSON.stringify(
      scenario('boil', '^boil jar', [
        { text: 'Loading it.', call: { name: 'skills_load', input: { names: ['marmalade'] } } },
        { text: 'Boiling.', call: { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } } },
        { text: 'The jar was boiled, and the answer comes slowly.', pauseMs: 3 },
      ]),
    ),
    '1.practice.json': JSON.stringify(scenario('there', '^are you there', [{ text: 'I am here.' }])),
  })
  const kitchen = join(home, 'projects', 'kitchen')
  mkdirSync(kitchen, { recursive: true })
  mkdirSync(join(home, 'resources', 'skills'), { recursive: true })
  return { home, kitchen }
}

/**
 * A window and a command on the same data, both busy in the same chats. Each round one of them, chosen by the seed, is
 * killed at a moment that the seed chooses, everything is looked at, it starts again, and each must see what the
 * other does. At the end both are killed and a person goes on.
 */
export async function sharedData(options: { rounds: number; seed: number }): Promise<SharedReport> {
  const random = createRandom(options.seed)
  const place = createSharedPlace()
  const report: SharedReport = { rounds: 0, messages: 0, runs: 0, refused: 0, slowestMs: 0, faults: [] }
  const promises: Promises = {
    chats: [],
    said: new Map(),
    allowed: new Map(),
    denied: new Set(),
    shown: new Map(),
    ended: new Map(),
  }
  const start = async (role: 'window' | 'command') => {
    const program = await startProgram({ home: place.home, role, seed: random.seed(), count: 0 })
    await program.until('open', ({ t }) => t === 'open')
    return program
  }
  const pair = { window: await start('window'), command: await start('command') }
  const looking = lookForTwo(place, report)
  try {
    for (; report.rounds < options.rounds; report.rounds += 1) {
      const victim = random.pick(['window', 'command'] as const)
      const survivor = victim === 'window' ? pair.command : pair.window
      await someLines(pair[victim], random)
      await pair[victim].kill()
      note(pair[victim], promises, report)
      const faults = await checked(place, pair, promises)
      report.faults.push(...faults.map((fault) => `round ${report.rounds}: ${fault}`))
      pair[victim] = await start(victim)
      await seeEachOther(pair[victim], survivor, place, report)
    }
  } catch (error) {
    report.faults.push(`round ${report.rounds}: ${String(error)}`)
  } finally {
    clearInterval(looking)
    for (const program of Object.values(pair)) {
      await program.kill()
      note(program, promises, report)
    }
  }
  report.faults.push(...faultsOf(place.home, promises, boilScript), ...(await goOn(place)))
  report.messages = promises.said.size
  report.runs = runIds(place.home).length
  rmSync(place.home, { recursive: true, force: true })
  return report
}

/** A chat in which two answers arrive, or two scripts run, has two owners. */
function lookForTwo({ home }: SharedPlace, report: SharedReport): NodeJS.Timeout {
  const sql = new Database(join(home, 'data', 'satchel.db'), { readonly: true })
  const queries = [
    `SELECT session_id FROM messages WHERE status = 'streaming' GROUP BY session_id HAVING count(*) > 1`,
    `SELECT session_id FROM runs WHERE status = 'running' GROUP BY session_id HAVING count(*) > 1`,
  ].map((query) => sql.prepare(query))
  return setInterval(() => {
    for (const query of queries) {
      if (query.get() !== undefined) report.faults.push(`round ${report.rounds}: a chat is used by two`)
    }
  }, 20).unref()
}

async function someLines(program: OtherProgram, random: Random): Promise<void> {
  const wanted = program.lines.length + random.int(12)
  await program.until('more lines', () => program.lines.length >= wanted)
  await new Promise((done) => setTimeout(done, random.pick([0, 0, 1, 5, 20, 60])))
}

type Pair = Record<'window' | 'command', OtherProgram>

/**
 * While one is alive: what both have promised until now must be there. What it has done may be in the data before its
 * word of it is read, so a fault is one that is still there when its words had time to arrive.
 */
async function checked({ home }: SharedPlace, pair: Pair, promises: Promises): Promise<string[]> {
  const look = () => {
    for (const program of Object.values(pair)) take(program, promises)
    return faultsOf(home, promises, boilScript)
  }
  const first = look()
  if (first.length === 0) return first
  await new Promise((done) => setTimeout(done, 1000))
  return look().filter((fault) => first.includes(fault))
}

function take({ lines }: OtherProgram, { said, allowed }: Promises): void {
  for (const line of lines) {
    if (line.t === 'said') said.set(line.id, line.text)
    if (line.t === 'allowed') {
      allowed.set(line.request, (allowed.get(line.request) ?? new Set()).add(line.planHash))
    }
  }
}

/** The last words of a program that was killed. */
function note(program: OtherProgram, promises: Promises, report: SharedReport): void {
  take(program, promises)
  for (const line of program.lines) {
    if (line.t === 'refused') report.refused += 1
    if (line.t === 'error') report.faults.push(`round ${report.rounds}: ${line.message}`)
  }
  if (program.child.signalCode !== 'SIGKILL')
    report.faults.push(`round ${report.rounds}: a program ended by itself`)
}

async function seeEachOther(
  one: OtherProgram,
  other: OtherProgram,
  { home, kitchen }: SharedPlace,
  report: SharedReport,
): Promise<void> {
  const chat = anyChat(home)
  if (chat === null) return
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const title = `Named ${report.rounds} ${from.child.pid}`
    await seen(
      report,
      to,
      () => from.order({ do: 'rename', chat, title }),
      (line) => {
        return line.t === 'title' && line.title === title
      },
    )
    // What was told before this is not the answer to it.
    const trusted = !isTrusted(home, kitchen)
    const before = to.lines.length
    await seen(
      report,
      to,
      () => from.order({ do: 'trust', dir: kitchen, trusted }),
      (line) => {
        return line.t === 'trust' && line.trusted === trusted && to.lines.indexOf(line) >= before
      },
    )
  }
}

async function seen(
  report: SharedReport,
  by: OtherProgram,
  change: () => void,
  found: (line: ProgramLine) => boolean,
): Promise<void> {
  const began = Date.now()
  change()
  const line = await by.until(`what the other did: ${String(change)}`, found)
  if ('at' in line) report.slowestMs = Math.max(report.slowestMs, line.at - began)
}

function anyChat(home: string): string | null {
  const row = read(home, 'SELECT id AS value FROM sessions ORDER BY id LIMIT 1')
  return typeof row === 'string' ? row : null
}

function isTrusted(home: string, dir: string): boolean {
  return read(home, 'SELECT trusted AS value FROM projects WHERE dir = ?', dir) === 1
}

function read(home: string, query: string, ...values: string[]): unknown {
  const sql = new Database(join(home, 'data', 'satchel.db'), { readonly: true })
  try {
    return (sql.prepare(query).get(...values) as { value: unknown } | undefined)?.value
  } finally {
    sql.close()
  }
}

/** After the end of both: no process is left, and every chat opens and answers. */
async function goOn({ home }: SharedPlace): Promise<string[]> {
  const { app, errors, stop } = await createTestApp({ home })
  const faults: string[] = []
  try {
    if (processesOfRuns(new Set(runIds(home))).length > 0) faults.push('a process of a run is left')
    for (const { id, state } of await app.handlers['sessions.list']({})) {
      if (state === 'running') faults.push('a chat runs by itself after the start')
      const chat = watchChat(app, id)
      await app.handlers['sessions.stop']({ sessionId: id, force: true })
      await app.handlers['sessions.send']({ sessionId: id, text: 'are you there?' })
      await chat.until('an answer', (events) =>
        events.some(
          (event) => event.t === 'message' && JSON.stringify(event.message.parts).includes('I am here.'),
        ),
      )
      chat.close()
    }
  } catch (error) {
    faults.push(`a chat does not go on: ${String(error)}`)
  } finally {
    await stop()
  }
  return [...faults, ...errors]
}
