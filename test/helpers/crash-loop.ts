import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startTimeOf } from '../../src/main/lib/proc'
import { descendantsOf } from '../../src/main/runs/process-tree'
import { builtCore } from './core-build'
import { goOn, leftProcesses } from './crash-after'
import type { CoreLine, CoreOptions } from './crash-core'
import { faultsOf, runIds, SHELF } from './crash-faults'
import { boilScript, createPlace, note, type Place } from './crash-place'
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
/** Guard against hanging, in milliseconds. */
const LIFE_LIMIT = 30_000

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

async function oneRound(place: Place, random: Random, report: CrashReport): Promise<void> {
  const seed = random.seed()
  const fault = (what: string) => report.faults.push(`round ${report.rounds} (seed ${seed}): ${what}`)
  const life = await liveAndDie(place, createRandom(seed), seed)
  if (!life.opened) report.early += 1
  life.errors.forEach(fault)
  for (const left of await leftProcesses(life.tree, place.home)) fault(`a process of a run is left: ${left}`)
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
    const line = JSON.parse(text) as CoreLine
    if (line.t === 'open') life.opened = true
    else if (line.t === 'error') life.errors.push(line.message)
    else note(place, line)
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

function changeScript(place: Place): void {
  place.version += 1
  writeFileSync(join(place.home, '.satchel/skills/marmalade/scripts/boil.sh'), boilScript(place.version))
}
