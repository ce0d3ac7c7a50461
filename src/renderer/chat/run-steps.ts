import type { ToolCall } from '@shared/domain/session'
import { formatDuration, plural } from '../ui/format'
import { fields, list, number, text } from './read-result'
import { whatWentWrong } from './step-words'
import type { StepView } from './steps'

export type RunView = Partial<StepView> & Pick<StepView, 'kind' | 'state' | 'verb'>

export const RUN_STATE: Record<ToolCall['state'], (call: ToolCall) => RunView> = {
  awaiting_approval: () => ({
    kind: 'run-requested',
    state: 'waiting',
    verb: 'Waiting for you',
    detail: 'to run',
  }),
  ready: () => ({ kind: 'run-requested', state: 'ready', verb: 'Preparing' }),
  running: () => ({ kind: 'run-started', state: 'running', verb: 'Running' }),
  done: runResult,
  denied: (call) => ({
    kind: 'run-denied',
    state: 'denied',
    verb: 'You denied',
    detail: quoted(text(fields(call.envelope?.partial)['note'])),
  }),
  stale: (call) => notRun('stale', whatWentWrong(call) || 'it changed while it waited'),
  cancelled: (call) => (call.runId === null ? notRun('cancelled', 'stopped before that') : stopped(call)),
  interrupted: () => ended('interrupted', 'interrupted'),
  failed: runFailure,
}

/** The person's own words; what the agent was told stands among the details. */
function quoted(note: string): string {
  return note && `“${note}”`
}

function notRun(state: string, detail: string): RunView {
  return { kind: 'run-blocked', state, verb: 'Did not run', detail }
}

function runResult(call: ToolCall): RunView {
  const result = fields(call.envelope?.result)
  const code = number(result['exit_code']) ?? number(result['return_code']) ?? number(result['exitCode']) ?? 0
  const files = list(result['files_changed'])
  const isWritten = files.every((file) => fields(file)['kind'] !== 'deleted')
  return {
    kind: 'run-done',
    state: `exit-${code}`,
    verb: 'Ran',
    status: { text: `exit ${code}`, tone: code === 0 ? 'ok' : 'bad' },
    duration: formatDuration(runMs(call)),
    cost:
      files.length > 0
        ? `${isWritten ? 'wrote' : 'changed'} ${plural(files.length, { one: 'file', other: 'files' })}`
        : '',
  }
}

/** Milliseconds that the script took, from what it returned, otherwise from the call's own times. */
function runMs(call: ToolCall): number {
  const reported = number(fields(call.envelope?.result ?? call.envelope?.partial)['duration_ms'])
  return reported ?? (call.endedAt ?? 0) - (call.startedAt ?? call.endedAt ?? 0)
}

const ENDED: Record<string, string> = {
  timed_out: 'timed out',
  interrupted: 'interrupted',
}

function runFailure(call: ToolCall): RunView {
  const code = call.envelope?.error_code ?? 'internal'
  if (code === 'killed') return stopped(call)
  const word = ENDED[code]
  if (word) return { ...ended(code, word), duration: formatDuration(runMs(call)) }
  const error = whatWentWrong(call)
  if (code === 'sandbox_failed' || code === 'blocked_by_policy' || code === 'not_trusted') {
    return notRun(code, error)
  }
  return { kind: 'error', state: code, verb: "Couldn't run", detail: error }
}

/** A person stopped it while it ran: what it printed until then is kept. */
function stopped(call: ToolCall): RunView {
  return {
    kind: 'run-done',
    state: 'killed',
    verb: 'Stopped',
    detail: `after ${formatDuration(runMs(call))}`,
  }
}

function ended(state: string, word: string): RunView {
  return { kind: 'run-done', state, verb: 'Ran', status: { text: word, tone: 'bad' } }
}
