import { readdirSync, readFileSync } from 'node:fs'
import { procText, statFields } from '../lib/proc'

/** Processes as Linux shows them in /proc. Elsewhere every list is empty. */

export function childrenOf(pid: number): number[] {
  return listNumbers(`/proc/${pid}/task`).flatMap((thread) => {
    const text = procText(`/proc/${pid}/task/${thread}/children`)
    return text.split(' ').filter(Boolean).map(Number)
  })
}

/** All processes below `pid`, parents first. */
export function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

/** Name of the program that a process runs; empty: no such process. */
export function nameOf(pid: number): string {
  return procText(`/proc/${pid}/comm`).trimEnd()
}

/** Process group of a process; null: no such process. */
export function groupOf(pid: number): number | null {
  const group = Number(statFields(pid)[2])
  return group > 0 ? group : null
}

/** Every process whose environment names one of these runs, whatever its parent became (AP-9). */
export function processesOfRuns(runIds: ReadonlySet<string>): number[] {
  return lookFor(runIds).marked
}

interface Look {
  marked: number[]
  /** Young ones of ours that show no environment: each may be one of them, in the moment it becomes another program. */
  between: number[]
}

function lookFor(runIds: ReadonlySet<string>): Look {
  const look: Look = { marked: [], between: [] }
  if (runIds.size === 0) return look
  for (const pid of listNumbers('/proc')) {
    const environment = pid === process.pid ? null : environmentOf(pid)
    const entry = environment && /(?:^|\0)SATCHEL_RUN_ID=([^\0]*)/.exec(environment)
    if (entry && runIds.has(entry[1] ?? '')) look.marked.push(pid)
    else if (environment === '' && isYoungProgram(pid)) look.between.push(pid)
  }
  return look
}

/** Null: gone, or another person's. */
function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return null
  }
}

/** PF_KTHREAD of Linux: a thread of the kernel, which never has an environment. */
const KERNEL_THREAD = 0x200000
/** Ticks of `startTimeOf`, a hundred in a second. */
const YOUNG_TICKS = 6000

function isYoungProgram(pid: number): boolean {
  const fields = statFields(pid)
  if (!fields[0] || /[ZX]/.test(fields[0]) || (Number(fields[6]) & KERNEL_THREAD) !== 0) return false
  const now = Number(procText('/proc/uptime').split(' ')[0]) * 100
  return now - Number(fields[19]) < YOUNG_TICKS
}

/** Sends a signal; false when there is no such process, or when it isn't ours. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    // Gone already: what a signal is for has happened.
    return false
  }
}

/** Kills everything that belongs to these runs, until a look finds nothing: a tree that forks is hit again. */
export function killRuns(runIds: ReadonlySet<string>): void {
  for (let round = 0; round < MOST_LOOKS; round += 1) {
    const { marked, between } = lookFor(runIds)
    const alive = marked.filter((pid) => signal(pid, 'SIGKILL'))
    if (alive.length === 0 && between.length === 0) return
  }
}

const MOST_LOOKS = 50

function listNumbers(dir: string): number[] {
  try {
    return readdirSync(dir).map(Number).filter(Number.isInteger)
  } catch {
    // Gone, or not Linux.
    return []
  }
}
