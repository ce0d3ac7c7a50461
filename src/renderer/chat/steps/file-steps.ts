import type { ToolCall } from '@shared/domain/session'
import { diffCounts } from '@shared/line-diff'
import { formatNumber } from '../../ui/format'
import { fields, list, number, text } from './read-result'
import { RUN_STATE, type RunView } from './run-steps'
import { failure, progress } from './step-words'
import type { StepView } from './steps'
import { stepWords } from './step-strings'

/** Glob and Grep: what was looked for, and how much was found. */
export function describeSearch(call: ToolCall): StepView {
  const pattern = text(call.input['pattern'])
  if (call.state === 'failed') return failure(call, stepWords.fileSteps.couldntSearchFor, pattern)
  const result = fields(call.envelope?.result)
  const found =
    call.name === 'Glob'
      ? stepWords.fileSteps.file(number(result['total']))
      : stepWords.fileSteps.line(list(result['matches']).length)
  return {
    kind: 'file-read',
    state: call.state,
    verb: progress(call, [
      stepWords.fileSteps.searchingFor,
      stepWords.fileSteps.searchedFor,
      stepWords.fileSteps.didNotSearchFor,
    ]),
    object: pattern,
    detail: call.state === 'done' ? found : '',
    cost: '',
  }
}

/** Edit and Write: the file, and how many lines changed. */
export function describeEdit(call: ToolCall): StepView {
  const { change } = call
  const path = change?.path ?? text(call.input['file_path'])
  const base = { object: path, detail: '', cost: '' }
  if (call.state === 'failed') return failure(call, stepWords.fileSteps.couldntChange, path)
  if (call.state !== 'done' || !change) return { ...base, ...unmadeEdit(call) }
  const { added, removed } = diffCounts(change.diff)
  return {
    ...base,
    kind: 'file-edit',
    state: 'done',
    verb: change.mode === 'create' ? stepWords.fileSteps.created : stepWords.fileSteps.changed,
    cost: `+${formatNumber(added)} −${formatNumber(removed)}`,
    hash: change.after.sha256,
  }
}

/** A change that waits, or was not made. */
function unmadeEdit(call: ToolCall): RunView {
  const view = RUN_STATE[call.state](call)
  if (call.state === 'awaiting_approval') return { ...view, detail: stepWords.fileSteps.toChange }
  if (call.state === 'interrupted') {
    return { kind: 'error', state: 'interrupted', verb: stepWords.fileSteps.interruptedWhileChanging }
  }
  return view.kind === 'run-blocked' ? { ...view, verb: stepWords.fileSteps.didNotChange } : view
}
