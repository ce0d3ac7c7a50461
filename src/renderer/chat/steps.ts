import type { Scope } from '@shared/domain/skill'
import type { ToolCall } from '@shared/domain/session'
import { formatDuration, formatNumber, formatTokens, plural } from '../ui/format'
import { errorWords } from './error-words'
import { fields, list, number, text, texts } from './read-result'
import { bareName, loadedBy, skillOf } from './skill-facts'
import type { SkillFact } from './skill-facts'
import { estimateTokens } from '@shared/tokens'
import { visibleLine } from '@shared/visible-text'

/** Stable names for tests (`ux.md` 10). */
export type StepKind =
  | 'reasoning'
  | 'skill-loaded'
  | 'skill-unloaded'
  | 'file-read'
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
  Bash: describeRun,
  skills_propose_update: describeProposal,
  propose_skill_update: describeProposal,
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

export function isRun(call: ToolCall): boolean {
  return call.name === 'skills_run_script' || call.name === 'Bash'
}

function describeLoad(call: ToolCall): StepView {
  const names = texts(call.input['names'] ?? call.input['name']).map(bareName)
  if (call.state === 'failed') return failure(call, "Couldn't load", names.join(', '))
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
  const path = text(call.input['path'])
  if (call.state === 'failed') return failure(call, "Couldn't read", path)
  const result = fields(call.envelope?.result)
  const [from, to, total] = [result['from_line'], result['to_line'], result['total_lines']].map(number)
  const tokens = estimateTokens(text(result['content']))
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

/** The verb while it is under way, when it was done, and when it ended before that. */
function progress({ state }: ToolCall, [now, done, not]: [string, string, string]): string {
  if (state === 'done') return done
  return state === 'cancelled' || state === 'interrupted' ? not : now
}

function readDetail(
  from: number | undefined,
  to: number | undefined,
  total: number | undefined,
  files: number,
): string {
  if (files > 0) return plural(files, 'file', 'files')
  if (from === undefined || to === undefined) return ''
  const range = `lines ${formatNumber(from)}–${formatNumber(to)}`
  return total === undefined || total === to - from + 1 ? range : `${range} of ${formatNumber(total)}`
}

type RunView = Partial<StepView> & Pick<StepView, 'kind' | 'state' | 'verb'>

const RUN_STATE: Record<ToolCall['state'], (call: ToolCall) => RunView> = {
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

function describeRun(call: ToolCall, calls: Calls): StepView {
  const object = text(call.input['path']) || text(call.input['command'])
  return { object, detail: '', cost: '', ...factFields(skillOf(call, calls)), ...RUN_STATE[call.state](call) }
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
  const code = number(result['exit_code']) ?? number(result['return_code']) ?? 0
  const files = list(result['files_changed']).length
  return {
    kind: 'run-done',
    state: `exit-${code}`,
    verb: 'Ran',
    status: { text: `exit ${code}`, tone: code === 0 ? 'ok' : 'bad' },
    duration: formatDuration(runMs(call)),
    cost: files > 0 ? `wrote ${plural(files, 'file', 'files')}` : '',
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
  return {
    kind: 'run-done',
    state: call.state,
    verb: call.state === 'done' ? 'Used' : 'Using',
    object: call.name,
    detail: '',
    cost: '',
  }
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

function failure(call: ToolCall, verb: string, object: string): StepView {
  return {
    kind: 'error',
    state: call.envelope?.error_code ?? 'failed',
    verb,
    object,
    detail: whatWentWrong(call),
    cost: '',
  }
}

function whatWentWrong({ envelope }: ToolCall): string {
  return errorWords(envelope?.error_code ?? 'internal', envelope?.error ?? '')
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
