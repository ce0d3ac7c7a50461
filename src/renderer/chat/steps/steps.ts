import type { Scope } from '@shared/domain/skill'
import type { ToolCall } from '@shared/domain/session'
import { formatTokens } from '../../ui/format'
import { describeEdit, describeSearch } from './file-steps'
import { fields, list, number, text, texts } from './read-result'
import { RUN_STATE } from './run-steps'
import { bareName, loadedBy, skillOf } from './skill-facts'
import type { SkillFact } from './skill-facts'
import { failure, progress, whatWentWrong } from './step-words'
import { estimateTokens } from '@shared/tokens'
import { visibleLine } from '@shared/visible-text'
import { stepWords } from './step-strings'

/** Stable names for tests (`ux.md` 10). */
export type StepKind =
  | 'reasoning'
  | 'skill-loaded'
  | 'skill-unloaded'
  | 'file-read'
  | 'file-edit'
  | 'run-requested'
  | 'run-started'
  | 'run-done'
  | 'run-denied'
  | 'run-blocked'
  | 'tool-blocked'
  | 'proposal'
  | 'error'

/** One row of the ledger, in words: verb, object, then facts; a state that is good, bad or neither. */
export interface StepView {
  kind: StepKind
  state: string
  verb: string
  /** A name or path, in mono. */
  object: string
  detail: string
  status?: { text: string; tone: 'ok' | 'bad' | 'off' }
  duration?: string
  /** At the right: the cost, or what came of it. */
  cost: string
  skill?: string
  scope?: Scope
  hash?: string
}

type Calls = Record<string, ToolCall>
type Describe = (call: ToolCall, calls: Calls) => StepView

const DESCRIBE: Record<string, Describe> = {
  skills_load: describeLoad,
  skills_unload: describeUnload,
  skills_read: describeRead,
  skills_run_script: describeRun,
  skills_post_hooks: describeHooks,
  agent: describeAgent,
  Bash: describeRun,
  skills_propose_update: describeProposal,
  propose_skill_update: describeProposal,
  sandbox_execute: describeRun,
  Read: describeRead,
  Glob: describeSearch,
  Grep: describeSearch,
  Edit: describeEdit,
  MultiEdit: describeEdit,
  Write: describeEdit,
}

/** A call as a step. `calls` are all of the chat: a run may belong to a skill that an earlier one loaded. */
export function describeStep(call: ToolCall, calls: Calls): StepView {
  return blockedByGate(call) ?? (DESCRIBE[call.name] ?? describeOther)(call, calls)
}

/** What a screen reader hears for the row. */
export function stepLabel(call: ToolCall, view: StepView): string {
  const parts = [
    stepWords.steps.step(call.step),
    [view.verb, view.object].filter(Boolean).join(' '),
    view.detail,
  ]
  return visibleLine(
    [...parts, view.status?.text, view.duration, view.cost].filter(Boolean).join(', '),
    MAX_LABEL,
  )
}

const MAX_LABEL = 500

/** True while the script of this call runs. */
export function isLive(call: ToolCall): boolean {
  return isRun(call) && call.state === 'running'
}

/** What became of an interrupted run: main's own words, which also tell a result that could not be saved. */
export function interruptedWords(call: ToolCall): string {
  return stepWords.steps.interrupted(whatWentWrong(call))
}

const RUNS = new Set(['skills_run_script', 'Bash', 'sandbox_execute'])

export function isRun(call: ToolCall): boolean {
  return RUNS.has(call.name)
}

/** True for a load, an unload or an end of a skill whose hook ran when Satchel ended. */
export function isInterruptedHook(call: ToolCall): boolean {
  return !isRun(call) && call.state === 'interrupted' && call.runId !== null
}

function describeLoad(call: ToolCall): StepView {
  const names = texts(call.input['names'] ?? call.input['name']).map(bareName)
  if (call.state === 'failed') return failure(call, stepWords.steps.couldntLoad, names.join(', '))
  if (call.childId !== undefined) return describeFork(call, names.join(', '))
  const facts = loadedBy(call)
  const unloaded = unloadedNames(call)
  const tokens = facts.reduce((sum, fact) => sum + fact.tokens, 0)
  return {
    kind: 'skill-loaded',
    state: call.state,
    verb: progress(call, [
      stepWords.steps.loading,
      call.byPerson ? stepWords.steps.youLoaded : stepWords.steps.loaded,
      stepWords.steps.didNotLoad,
    ]),
    object: names.join(', '),
    detail: unloaded.length > 0 ? stepWords.steps.insteadOf(unloaded.join(', ')) : '',
    cost: tokens > 0 ? `+${formatTokens(tokens)}` : '',
    ...factFields(facts[0] ?? { name: names[0] ?? '', digest: '', tokens: 0, step: call.step }),
  }
}

function describeUnload(call: ToolCall): StepView {
  const names =
    call.input['all'] === true ? [stepWords.steps.allSkills] : texts(call.input['names']).map(bareName)
  if (call.state === 'failed') return failure(call, stepWords.steps.couldntUnload, names.join(', '))
  const first = unloadedNames(call)[0] ?? names[0]
  return {
    kind: 'skill-unloaded',
    state: call.state,
    verb: call.byPerson ? stepWords.steps.youUnloaded : stepWords.steps.unloaded,
    object: names.join(', '),
    detail: '',
    cost: '',
    ...(first ? { skill: first } : {}),
  }
}

/** A skill that works in a chat of its own. */
function describeFork(call: ToolCall, name: string): StepView {
  return {
    kind: 'skill-loaded',
    state: call.state,
    verb: progress(call, [
      stepWords.steps.workingByItself,
      stepWords.steps.workedByItself,
      stepWords.steps.didNotFinish,
    ]),
    object: name,
    detail: '',
    cost: '',
    skill: name,
  }
}

/** A task that another agent works on by itself. */
function describeAgent(call: ToolCall): StepView {
  const name = text(call.input['agent'])
  if (call.state === 'failed') return failure(call, stepWords.steps.couldntHandWorkTo, name)
  return {
    kind: 'run-done',
    state: call.state,
    verb: progress(call, [
      stepWords.steps.handingWorkTo,
      stepWords.steps.handedWorkTo,
      stepWords.steps.stoppedTheWorkOf,
    ]),
    object: name,
    detail: '',
    cost: '',
  }
}

/** What a skill runs at its end. */
function describeHooks(call: ToolCall): StepView {
  const name = text(call.input['name'])
  if (call.state === 'failed') return failure(call, stepWords.steps.aHookFailed, name)
  return {
    kind: call.state === 'awaiting_approval' ? 'run-requested' : 'run-done',
    state: call.state,
    verb: progress(call, [
      stepWords.steps.runningTheEndOf,
      stepWords.steps.ranTheEndOf,
      stepWords.steps.didNotRunThe,
    ]),
    object: name,
    detail: '',
    cost: '',
    skill: name,
  }
}

function describeRead(call: ToolCall, calls: Calls): StepView {
  const path = text(call.input['path']) || text(call.input['file_path'])
  if (call.state === 'failed') return failure(call, stepWords.steps.couldntRead, path)
  const result = fields(call.envelope?.result)
  const [from, to, total] = [result['from_line'], result['to_line'], result['total_lines']].map(number)
  // As the meter counts it: the whole answer goes into the context, not the text alone.
  const tokens = call.envelope ? estimateTokens(JSON.stringify(call.envelope)) : 0
  const files = list(result['files']).length
  return {
    kind: 'file-read',
    state: call.state,
    verb: progress(call, [stepWords.steps.reading, stepWords.steps.read, stepWords.steps.didNotRead]),
    object: path || stepWords.steps.theListOfFiles,
    detail: readDetail(from, to, total, files),
    cost: tokens > 0 ? `+${formatTokens(tokens)}` : '',
    ...factFields(skillOf(call, calls)),
  }
}

function readDetail(
  from: number | undefined,
  to: number | undefined,
  total: number | undefined,
  files: number,
): string {
  if (files > 0) return stepWords.steps.file(files)
  if (from === undefined || to === undefined) return ''
  const range = stepWords.steps.lines(from, to)
  return total === undefined || total === to - from + 1 ? range : stepWords.steps.of(range, total)
}

function describeRun(call: ToolCall, calls: Calls): StepView {
  const object = text(call.input['path']) || (call.edited?.command ?? text(call.input['command']))
  const base = { object, detail: '', cost: '', ...factFields(skillOf(call, calls)) }
  const view = { ...base, ...RUN_STATE[call.state](call) }
  if (!call.edited) return view
  return { ...view, detail: [view.detail, stepWords.steps.changedByYou].filter(Boolean).join(', ') }
}

function describeProposal(call: ToolCall): StepView {
  const name = text(call.input['name']) || text(call.input['skill_id'])
  if (call.state === 'failed') return failure(call, stepWords.steps.couldntProposeAChange, name)
  return {
    kind: 'proposal',
    state: call.state,
    verb: progress(call, [
      stepWords.steps.proposingAChangeTo,
      stepWords.steps.proposedAChangeTo,
      stepWords.steps.didNotProposeA,
    ]),
    object: name,
    detail: call.state === 'done' ? stepWords.steps.nothingIsChangedUntil : '',
    cost: '',
    ...(name ? { skill: name } : {}),
  }
}

function describeOther(call: ToolCall): StepView {
  if (call.state === 'failed') return failure(call, stepWords.steps.couldntUse, call.name)
  const isWaiting = call.state === 'awaiting_approval'
  const isError = fields(call.envelope?.result)['is_error'] === true
  return {
    kind: isWaiting ? 'run-requested' : 'run-done',
    state: isWaiting ? 'waiting' : call.state,
    verb: OTHER_VERBS[call.state] ?? stepWords.steps.using,
    object: call.name,
    detail: isWaiting ? stepWords.steps.toCall : '',
    cost: '',
    ...(isError ? { status: { text: 'error', tone: 'bad' } } : {}),
  }
}

const OTHER_VERBS: Partial<Record<ToolCall['state'], string>> = {
  awaiting_approval: stepWords.steps.waitingForYou,
  done: stepWords.steps.used,
  denied: stepWords.steps.youDenied,
  stale: stepWords.steps.didNotUse,
  cancelled: stepWords.steps.stoppedUsing,
  interrupted: stepWords.steps.interruptedWhileUsing,
}

function blockedByGate(call: ToolCall): StepView | undefined {
  if (call.envelope?.error_code !== 'tool_not_allowed') return undefined
  return {
    kind: 'tool-blocked',
    state: 'blocked',
    verb: stepWords.steps.notAllowed,
    object: call.name,
    detail: call.envelope.error ?? '',
    cost: '',
  }
}

function unloadedNames(call: ToolCall): string[] {
  const unloaded = list(fields(call.envelope?.result)['unloaded'])
  return unloaded
    .map((entry) => (typeof entry === 'string' ? entry : text(fields(entry)['name'])))
    .filter(Boolean)
}

function factFields(fact: SkillFact | undefined): Pick<StepView, 'skill' | 'scope' | 'hash'> {
  if (!fact) return {}
  return {
    ...(fact.name ? { skill: fact.name } : {}),
    ...(fact.scope ? { scope: fact.scope } : {}),
    ...(fact.digest ? { hash: fact.digest } : {}),
  }
}
