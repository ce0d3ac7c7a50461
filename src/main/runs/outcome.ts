import { constants } from 'node:os'
import type { RunStatus } from '@shared/domain/approval'
import type { RunnerEnd, StopCause } from './runner'

const BY_CAUSE: Record<StopCause, RunStatus> = {
  timeout: 'timed_out',
  person: 'killed',
  cancelled: 'killed',
  output: 'killed',
  quit: 'interrupted',
}

/** The state of a run that ended so. Who ended it counts before how it ended. */
export function statusOf(end: RunnerEnd): RunStatus {
  if (end.cause !== null) return BY_CAUSE[end.cause]
  if (!end.started) return 'sandbox_failed'
  return end.exitCode === 0 ? 'succeeded' : 'failed'
}

/** Name of the signal that an exit code above 128 stands for, by the shells' convention; null for every other. */
export function signalOf(exitCode: number | null): string | null {
  if (exitCode === null || exitCode <= 128) return null
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)
  return found?.[0] ?? null
}

const TEXT_BY_CAUSE: Record<StopCause, (timeoutMs: number) => string> = {
  timeout: (timeoutMs) => `It was stopped after ${timeoutMs / 1000} s, its time limit.`,
  person: () => 'The person stopped it.',
  cancelled: () => 'It was stopped together with the turn.',
  output: () => 'It was stopped because it printed more than 200 MB.',
  quit: () => 'It was interrupted because Satchel quit.',
}

/** One sentence for the person and the model. */
export function statusText(end: RunnerEnd, timeoutMs: number): string {
  return end.cause === null ? endText(end) : TEXT_BY_CAUSE[end.cause](timeoutMs)
}

function endText(end: RunnerEnd): string {
  if (!end.started) {
    const why = end.stderr.text.trim() || `exit code ${end.exitCode ?? 'unknown'}`
    return `The sandbox failed before the script started, so nothing ran: ${why}`
  }
  const name = signalOf(end.exitCode)
  if (end.exitCode === null) return 'It ended without an exit code.'
  return name === null ? `It ended with exit code ${end.exitCode}.` : `It was ended by ${name}.`
}
