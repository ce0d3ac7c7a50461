import type { ToolCall } from '@shared/domain/session'
import { formatDuration } from '../../ui/format'
import { fields, list, number, text } from './read-result'
import { whatWentWrong } from './step-words'
import type { StepView } from './steps'
import { stepWords } from './step-strings'

export type RunView = Partial<StepView> & Pick<StepView, 'kind' | 'state' | 'verb'>

export const RUN_STATE: Record<ToolCall['state'], (call: ToolCall) => RunView> = {
  awaiting_approval: () => ({
    kind: 'run-requested',
    state: 'waiting',
    verb: stepWords.runSteps.waitingForYou,
    detail: stepWords.runSteps.toRun,
  }),
  ready: () => ({ kind: 'run-requested', state: 'ready', verb: stepWords.runSteps.preparing }),
  running: () => ({ kind: 'run-started', state: 'running', verb: stepWords.runSteps.running }),
  done: runResult,
  denied: (call) => ({
    kind: 'run-denied',
    state: 'denied',
    verb: stepWords.runSteps.youDenied,
    detail: quoted(text(fields(call.envelope?.partial)['note'])),
  }),
  stale: (call) => notRun('stale', whatWentWrong(call) || stepWords.runSteps.itChangedWhileIt),
  cancelled: (call) =>
    call.runId === null ? notRun('cancelled', stepWords.runSteps.stoppedBeforeThat) : stopped(call),
  interrupted: () => ended('interrupted', 'interrupted'),
  failed: runFailure,
}

/** The person's own words; what the agent was told stands among the details. */
function quoted(note: string): string {
  return note && `“${note}”`
}

function notRun(state: string, detail: string): RunView {
  return { kind: 'run-blocked', state, verb: stepWords.runSteps.didNotRun, detail }
}

function runResult(call: ToolCall): RunView {
  const result = fields(call.envelope?.result)
  const code = number(result['exit_code']) ?? number(result['return_code']) ?? number(result['exitCode']) ?? 0
  const files = list(result['files_changed'])
  const isWritten = files.every((file) => fields(file)['kind'] !== 'deleted')
  return {
    kind: 'run-done',
    state: `exit-${code}`,
    verb: stepWords.runSteps.ran,
    status: { text: stepWords.runSteps.exit(code), tone: code === 0 ? 'ok' : 'bad' },
    duration: formatDuration(runMs(call)),
    cost: files.length > 0 ? stepWords.runSteps.wrote(isWritten, files.length) : '',
  }
}

/** Milliseconds that the script took, from what it returned, otherwise from the call's own times. */
function runMs(call: ToolCall): number {
  const reported = number(fields(call.envelope?.result ?? call.envelope?.partial)['duration_ms'])
  return reported ?? (call.endedAt ?? 0) - (call.startedAt ?? call.endedAt ?? 0)
}

const ENDED: Record<string, string> = {
  timed_out: stepWords.runSteps.timedOut,
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
  return { kind: 'error', state: code, verb: stepWords.runSteps.couldntRun, detail: error }
}

/** A person stopped it while it ran: what it printed until then is kept. */
function stopped(call: ToolCall): RunView {
  return {
    kind: 'run-done',
    state: 'killed',
    verb: stepWords.runSteps.stopped,
    detail: stepWords.runSteps.after(runMs(call)),
  }
}

function ended(state: string, word: string): RunView {
  return { kind: 'run-done', state, verb: stepWords.runSteps.ran, status: { text: word, tone: 'bad' } }
}
