import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FaultPoint } from '../../src/main/lib/fault-point'
import { startTimeOf } from '../../src/main/lib/proc'
import { descendantsOf } from '../../src/main/runs/process-tree'
import { createTestApp } from './app'
import { builtCore } from './core-build'
import { goOn, leftProcesses } from './crash-after'
import { faultsOf } from './crash-faults'
import { boilScript, createPlace, note, type Place } from './crash-place'
import type { FaultKind, FaultLine, FaultOptions, PlantedFault } from './fault-core'
import { createRandom } from './random'
import { builtWorker } from './worker'

export const FAULT_KINDS: readonly FaultKind[] = ['kill', 'throw', 'full', 'delay']

/** What came of one planted fault. */
export interface Cell extends PlantedFault {
  /** The person got all answers in the same life of the app, or only after another start. */
  went: 'on' | 'after a restart'
  /** Broken invariants I1 to I8 of the reliability rules, each in words. */
  faults: string[]
}

const ALL_ANSWERS = 3
/** Guard against hanging, in milliseconds. */
const LIFE_LIMIT = 120_000

interface Life {
  planted: boolean
  answers: number
  errors: string[]
  passed: Partial<Record<FaultPoint, number>>
  tree: Map<number, string>
  code: number | null
}

/** How often each point is passed when nothing fails. */
export async function passedPoints(): Promise<Partial<Record<FaultPoint, number>>> {
  const place = createPlace()
  try {
    const life = await liveOnce(place, null, 0)
    if (life.answers !== ALL_ANSWERS || life.errors.length > 0 || life.code !== 0) {
      throw new Error(`without a fault: ${JSON.stringify(life)}`)
    }
    return life.passed
  } finally {
    rmSync(place.home, { recursive: true, force: true })
  }
}

/** Plants one fault, looks at what it left, starts again and goes on with the chat. */
export async function playCell(fault: PlantedFault, delayMs: number): Promise<Cell> {
  const place = createPlace()
  const faults: string[] = []
  const see = (list: readonly string[]) => faults.push(...list)
  try {
    const life = await liveOnce(place, fault, delayMs)
    if (!life.planted) see(['the point was never passed'])
    // What was planted is said in the log; otherwise the app has nothing to be surprised at.
    if (fault.kind === 'kill' || fault.kind === 'delay') see(life.errors.map((e) => `I7 said: ${e}`))
    see((await leftProcesses(life.tree, place.home)).map((left) => `I6 a process is left: ${left}`))
    see(faultsOf(place.home, place.promises, boilScript))
    see(await startsAgain(place))
    see(faultsOf(place.home, place.promises, boilScript))
    see(leftovers(place.home).map((path) => `I6 ${path} is left`))
    return { ...fault, went: life.answers === ALL_ANSWERS ? 'on' : 'after a restart', faults }
  } finally {
    rmSync(place.home, { recursive: true, force: true })
  }
}

async function startsAgain(place: Place): Promise<string[]> {
  try {
    if (place.promises.chats.length > 0) await goOn(place, createRandom(1))
    else await (await createTestApp({ home: place.home })).stop()
    return []
  } catch (error) {
    return [`I7 it does not go on after a start: ${String(error)}`]
  }
}

async function liveOnce(place: Place, fault: PlantedFault | null, delayMs: number): Promise<Life> {
  const options: FaultOptions = { home: place.home, workerFile: await builtWorker(), fault, delayMs }
  const child = spawn(process.execPath, [await builtCore('fault-core.ts'), JSON.stringify(options)], {
    env: { PATH: process.env['PATH'], HOME: place.home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const life: Life = { planted: false, answers: 0, errors: [], passed: {}, tree: new Map(), code: null }
  const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  const guard = setTimeout(() => {
    life.errors.push('the app said nothing more')
    child.kill('SIGKILL')
  }, LIFE_LIMIT)
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as FaultLine
    if (line.t === 'planted') {
      life.planted = true
      for (const pid of descendantsOf(child.pid ?? 0)) life.tree.set(pid, startTimeOf(pid) ?? '')
    } else if (line.t === 'error') life.errors.push(line.message)
    else if (line.t === 'over') life.answers = line.answers
    else if (line.t === 'passed') life.passed = line.points
    else if (line.t !== 'refused') note(place, line)
  }
  life.code = await exited
  clearTimeout(guard)
  return life
}

/** Files that only a step in the middle has: none may outlive the next start. */
function leftovers(home: string): string[] {
  const data = join(home, 'data')
  const inData = existsSync(data) ? readdirSync(data, { recursive: true, encoding: 'utf8' }) : []
  const inProject = readdirSync(join(home, 'projects', 'kitchen'), { recursive: true, encoding: 'utf8' })
  return [
    ...inData.filter((path) => /(^|\/)(\.?tmp|\.satchel)-|\.tmp$|^runs\/[^/.]+\/|^programs\//.test(path)),
    ...inProject.filter((path) => !['ledger.txt', 'shelf.txt'].includes(path)),
  ]
}
