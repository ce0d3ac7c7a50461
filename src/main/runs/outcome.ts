import { constants } from 'node:os'
import type { RunPlan } from '@shared/domain/approval'
import type { RunStatus } from '@shared/domain/run'
import { DEFAULT_LIMITS } from './limits'
import type { StopCause } from './live-run'
import type { RunnerEnd } from './runner'

const BY_CAUSE: Record<StopCause, RunStatus> = {
  timeout: 'timed_out',
  person: 'killed',
  cancelled: 'killed',
  output: 'killed',
  processes: 'killed',
  memory: 'killed',
  disk: 'killed',
  quit: 'interrupted',
}

/** Why not all that a run made was looked at: it is then never told as a clean end. */
export type NotLooked = 'too-many' | 'closed' | 'error'

/** What a person does then. */
export const NOT_LOOKED =
  'Remove the folders that it made before you use git, an editor or another agent there: what these trust in them was not checked.'

/** The state of a run that ended so. Who ended it counts before how it ended. */
export function statusOf(end: RunnerEnd): RunStatus {
  if (end.cause !== null) return BY_CAUSE[end.cause]
  if (!end.started) return 'sandbox_failed'
  if (end.notLooked) return 'failed'
  return end.exitCode === 0 ? 'succeeded' : 'failed'
}

/** Name of the signal that an exit code above 128 stands for, by the shells' convention; null for every other. */
export function signalOf(exitCode: number | null): string | null {
  if (exitCode === null || exitCode <= 128) return null
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)
  return found?.[0] ?? null
}

const NOT_LOOKED_WHY: Record<NotLooked, string> = {
  'too-many': 'It made more folders than Satchel could look at.',
  closed: 'It closed folders, so that Satchel could not look into them.',
  error: 'Satchel could not look at what it made.',
}

type Limits = Pick<RunPlan, 'timeoutMs' | 'limits'>

const TEXT_BY_CAUSE: Record<StopCause, (plan: Limits) => string> = {
  timeout: ({ timeoutMs }) => `It was stopped after ${timeoutMs / 1000} s, its time limit.`,
  person: () => 'The person stopped it.',
  cancelled: () => 'It was stopped together with the turn.',
  output: () => 'It was stopped because it printed more than 200 MB.',
  processes: ({ limits = DEFAULT_LIMITS }) =>
    `It was stopped because more than ${limits.processes} of its processes ran at once.`,
  memory: ({ limits = DEFAULT_LIMITS }) =>
    `It was stopped because it used more than ${gigabytes(limits.memoryBytes)} of memory.`,
  disk: () => 'It was stopped because it had filled the disk almost completely.',
  quit: () => 'It was interrupted because Satchel quit.',
}

/** One sentence for the person and the model. */
export function statusText(end: RunnerEnd, plan: Limits): string {
  return end.cause === null ? endText(end) : TEXT_BY_CAUSE[end.cause](plan)
}

/** 2147483648 → "2 GB". */
export function gigabytes(bytes: number): string {
  const value = bytes / 1024 ** 3
  return value >= 1 ? `${Math.round(value * 10) / 10} GB` : `${Math.round(value * 1024)} MB`
}

function endText(end: RunnerEnd): string {
  if (!end.started) {
    const why = end.stderr.text.trim() || `exit code ${end.exitCode ?? 'unknown'}`
    return `The sandbox failed before the script started, so nothing ran: ${why}`
  }
  if (end.notLooked) return `${NOT_LOOKED_WHY[end.notLooked]} ${NOT_LOOKED}`
  const name = signalOf(end.exitCode)
  if (end.exitCode === null) return 'It ended without an exit code.'
  return name === null ? `It ended with exit code ${end.exitCode}.` : `It was ended by ${name}.`
}
