import type { Scope } from '@shared/domain/skill'
import type { ToolCall } from '@shared/domain/session'
import { formatNumber, formatTokens, plural } from '../ui/format'
import { describeEdit, describeSearch } from './file-steps'
import { fields, list, number, text, texts } from './read-result'
import { RUN_STATE } from './run-steps'
import { bareName, loadedBy, skillOf } from './skill-facts'
import type { SkillFact } from './skill-facts'
import { failure, progress, whatWentWrong } from './step-words'
import { estimateTokens } from '@shared/tokens'
import { visibleLine } from '@shared/visible-text'

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
  const parts = [`Step ${call.step}`, [view.verb, view.object].filter(Boolean).join(' '), view.detail]
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
  return `Interrupted: ${whatWentWrong(call) || 'Satchel ended while it ran. It is not run again by itself.'}`
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
  if (call.state === 'failed') return failure(call, "Couldn't load", names.join(', '))
  if (call.childId !== undefined) return describeFork(call, names.join(', '))
  const facts = loadedBy(call)
  const unloaded = unloadedNames(call)
  const tokens = facts.reduce((sum, fact) => sum + fact.tokens, 0)
  return {
    kind: 'skill-loaded',
    state: call.state,
    verb: progress(call, ['Loading', call.byPerson ? 'You loaded' : 'Loaded', 'Did not load']),
    object: names.join(', '),
    detail: unloaded.length > 0 ? `instead of ${unloaded.join(', ')}` : '',
    cost: tokens > 0 ? `+${formatTokens(tokens)}` : '',
    ...factFields(facts[0] ?? { name: names[0] ?? '', digest: '', tokens: 0, step: call.step }),
  }
}

function describeUnload(call: ToolCall): StepView {
  const names = call.input['all'] === true ? ['all skills'] : texts(call.input['names']).map(bareName)
  if (call.state === 'failed') return failure(call, "Couldn't unload", names.join(', '))
  const first = unloadedNames(call)[0] ?? names[0]
  return {
    kind: 'skill-unloaded',
    state: call.state,
    verb: call.byPerson ? 'You unloaded' : 'Unloaded',
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
    verb: progress(call, ['Working by itself:', 'Worked by itself:', 'Did not finish:']),
    object: name,
    detail: '',
    cost: '',
    skill: name,
  }
}

/** A task that another agent works on by itself. */
function describeAgent(call: ToolCall): StepView {
  const name = text(call.input['agent'])
  if (call.state === 'failed') return failure(call, "Couldn't hand work to", name)
  return {
    kind: 'run-done',
    state: call.state,
    verb: progress(call, ['Handing work to', 'Handed work to', 'Stopped the work of']),
    object: name,
    detail: '',
    cost: '',
  }
}

/** What a skill runs at its end. */
function describeHooks(call: ToolCall): StepView {
  const name = text(call.input['name'])
  if (call.state === 'failed') return failure(call, 'A hook failed:', name)
  return {
    kind: call.state === 'awaiting_approval' ? 'run-requested' : 'run-done',
    state: call.state,
    verb: progress(call, ['Running the end of', 'Ran the end of', 'Did not run the end of']),
    object: name,
    detail: '',
    cost: '',
    skill: name,
  }
}

function describeRead(call: ToolCall, calls: Calls): StepView {
  const path = text(call.input['path']) || text(call.input['file_path'])
  if (call.state === 'failed') return failure(call, "Couldn't read", path)
  const result = fields(call.envelope?.result)
  const [from, to, total] = [result['from_line'], result['to_line'], result['total_lines']].map(number)
  // As the meter counts it: the whole answer goes into the context, not the text alone.
  const tokens = call.envelope ? estimateTokens(JSON.stringify(call.envelope)) : 0
  const files = list(result['files']).length
  return {
    kind: 'file-read',
    state: call.state,
    verb: progress(call, ['Reading', 'Read', 'Did not read']),
    object: path || 'the list of files',
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
  if (files > 0) return plural(files, { one: 'file', other: 'files' })
  if (from === undefined || to === undefined) return ''
  const range = `lines ${formatNumber(from)}–${formatNumber(to)}`
  return total === undefined || total === to - from + 1 ? range : `${range} of ${formatNumber(total)}`
}

function describeRun(call: ToolCall, calls: Calls): StepView {
  const object = text(call.input['path']) || (call.edited?.command ?? text(call.input['command']))
  const base = { object, detail: '', cost: '', ...factFields(skillOf(call, calls)) }
  const view = { ...base, ...RUN_STATE[call.state](call) }
  if (!call.edited) return view
  return { ...view, detail: [view.detail, 'changed by you'].filter(Boolean).join(', ') }
}

function describeProposal(call: ToolCall): StepView {
  const name = text(call.input['name']) || text(call.input['skill_id'])
  if (call.state === 'failed') return failure(call, "Couldn't propose a change to", name)
  return {
    kind: 'proposal',
    state: call.state,
    verb: progress(call, ['Proposing a change to', 'Proposed a change to', 'Did not propose a change to']),
    object: name,
    detail: call.state === 'done' ? 'nothing is changed until you decide' : '',
    cost: '',
    ...(name ? { skill: name } : {}),
  }
}

function describeOther(call: ToolCall): StepView {
  if (call.state === 'failed') return failure(call, "Couldn't use", call.name)
  const isWaiting = call.state === 'awaiting_approval'
  const isError = fields(call.envelope?.result)['is_error'] === true
  return {
    kind: isWaiting ? 'run-requested' : 'run-done',
    state: isWaiting ? 'waiting' : call.state,
    verb: OTHER_VERBS[call.state] ?? 'Using',
    object: call.name,
    detail: isWaiting ? 'to call' : '',
    cost: '',
    ...(isError ? { status: { text: 'error', tone: 'bad' } } : {}),
  }
}

const OTHER_VERBS: Partial<Record<ToolCall['state'], string>> = {
  awaiting_approval: 'Waiting for you',
  done: 'Used',
  denied: 'You denied',
  stale: 'Did not use',
  cancelled: 'Stopped using',
  interrupted: 'Interrupted while using',
}

function blockedByGate(call: ToolCall): StepView | undefined {
  if (call.envelope?.error_code !== 'tool_not_allowed') return undefined
  return {
    kind: 'tool-blocked',
    state: 'blocked',
    verb: 'Not allowed:',
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
