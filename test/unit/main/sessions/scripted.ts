import type { RunPlan } from '@shared/domain/approval'
import type { Run } from '@shared/domain/run'
import { AppError } from '@shared/errors'
import type { Llm, LlmEvent, LlmRequest, UsedByFailed } from '../../../../src/main/llm/types'
import type { RunOutcome, Runs, RunTicket, ScriptInput, ShellInput } from '../../../../src/main/runs/types'

export interface ScriptedCall {
  name: string
  input?: Record<string, unknown>
  /** The text of arguments that are none; cut JSON when left out. */
  raw?: string
}

/** One answer of the scripted model: what it says, then what it calls. */
export interface Answer {
  text?: string
  calls?: ScriptedCall[]
  /** Waits here after the text until it is resolved or the call is stopped. */
  hold?: Promise<unknown>
  /** The stream ends with this failure instead. */
  fails?: string
  /** Of that failure; `unavailable` when left out. */
  code?: string
  /** The stream itself throws, which it must not. */
  throws?: boolean
  /** The answer was cut at its length limit. */
  cut?: boolean
  /** What the provider counted; one token each when left out. */
  usage?: { inputTokens: number; outputTokens: number }
  /** What a call used that fails or is stopped. */
  used?: UsedByFailed
}

/** What happens in a run before its approval is spent, and after. */
export interface ScriptedRun {
  before: () => Promise<void>
  during: (signal: AbortSignal) => Promise<void>
  /** Of runs that end by themselves; 0 when left out. */
  exitCode?: number
}

/** A model that gives these answers, one for each call, and notes what it was asked. */
export function scriptedModel(answers: Answer[], asked: LlmRequest[], models: string[] = []): Llm {
  return {
    contextWindow: () => 200_000,
    isLocal: (model) => model.startsWith('practice/'),
    models: () => models,
    async *stream(request): AsyncGenerator<LlmEvent> {
      const { signal, onRetry: _notAsked, ...rest } = request
      asked.push({ ...structuredClone(rest), signal })
      const answer = answers.shift() ?? { text: 'Nothing more.' }
      if (answer.text) yield { type: 'text', text: answer.text }
      if (answer.throws) throw new Error('the stream broke its word')
      if (answer.hold) await Promise.race([answer.hold, aborted(signal)])
      if (signal.aborted) {
        yield { type: 'stopped', ...usedBy(answer) }
        return
      }
      if (answer.fails !== undefined) {
        yield {
          type: 'error',
          error: { code: answer.code ?? 'unavailable', message: answer.fails, action: 'Wait.' },
          ...usedBy(answer),
        }
        return
      }
      const calls = (answer.calls ?? []).map((call, n) => ({ ...call, id: `p${asked.length}-${n}` }))
      for (const { id, name, input, raw = '{"half' } of calls) {
        const text = input ? JSON.stringify(input) : raw
        yield { type: 'tool-call', providerCallId: id, name, input, raw: text }
      }
      yield doneOf(answer, calls)
    },
  }
}

function usedBy({ used }: Answer): { used?: UsedByFailed } {
  return used ? { used } : {}
}

function doneOf(
  { text, usage, cut }: Answer,
  calls: readonly (ScriptedCall & { id: string })[],
): Extract<LlmEvent, { type: 'done' }> {
  const said = text ? [{ type: 'text', text }] : []
  const parts = calls.map(({ id, name, input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: input ?? {},
  }))
  return {
    type: 'done',
    providerMessages: [{ role: 'assistant', content: [...said, ...parts] }],
    usage: usage ?? { inputTokens: 1, outputTokens: 1 },
    cut: cut ?? false,
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Nothing is changed by runs that start nothing. */
export const noUndo = {
  prepare: () => undefined,
  before: async () => undefined,
  after: async () => null,
  forget: () => undefined,
}

/** Runs that start nothing: they spend the approval and end well. */
export function scriptedRuns(durable: (work: () => void) => void, run: ScriptedRun, ran: RunTicket[]): Runs {
  const unused = (): never => {
    throw new Error('not part of these tests')
  }
  return {
    probe: async () => undefined,
    sandbox: unused,
    interpreters: unused,
    planScript: async (input) => planOf(input),
    planPreparation: unused,
    planShell: async (input) => shellPlanOf(input),
    async execute(ticket, signal) {
      await run.before()
      if (signal.aborted) throw new AppError('cancelled', 'The turn was stopped before the script started.')
      const id = `run-${ticket.callId}-${ran.length}`
      durable(() => ticket.claim(id))
      ran.push(ticket)
      await run.during(signal)
      return outcomeOf(ticket, id, { killed: signal.aborted, exitCode: run.exitCode ?? 0 })
    },
    get: unused,
    output: unused,
    printed: () => ({ stdout: 'half boiled\n', stderr: 'hot\n', truncated: false }),
    input: unused,
    resize: unused,
    kill: async () => undefined,
    recover: async () => [],
    running: () => 0,
    close: async () => undefined,
  }
}

const SANDBOX: RunPlan['sandbox'] = {
  backend: 'bwrap',
  label: 'test',
  profile: 'workspace-write',
  network: 'off',
  writable: [],
  readable: [],
}

function shellPlanOf(input: ShellInput): RunPlan {
  return {
    version: 1,
    kind: 'shell',
    skill: null,
    script: null,
    interpreter: { name: 'bash', path: '/usr/bin/bash', version: '5', source: 'shell', prefixes: [] },
    argv: ['/usr/bin/bash', '-c', input.text],
    cwd: input.workdir === undefined ? input.workspace : `${input.workspace}/${input.workdir}`,
    workspace: input.workspace,
    env: [],
    stdin: null,
    ...keysOf(input),
    timeoutMs: input.timeoutMs,
    mounts: input.mounts,
    sandbox: SANDBOX,
  }
}

function planOf(input: ScriptInput): RunPlan {
  return {
    version: 1,
    kind: input.hook ? 'hook' : 'script',
    skill: input.skill,
    script: { path: input.script.path, sha256: input.script.sha256, bytes: input.script.bytes.byteLength },
    interpreter: { name: 'bash', path: '/usr/bin/bash', version: '5', source: 'extension', prefixes: [] },
    argv: ['/usr/bin/bash', ...(input.stopOnError ? ['-e'] : []), input.script.path, ...input.args],
    cwd: input.workspace,
    workspace: input.workspace,
    env: Object.entries({ ...input.env, ...(input.hook ? { SKILL_HOOK: input.hook } : {}) }).map(
      ([name, value]) => ({ name, value }),
    ),
    stdin: input.stdin,
    ...keysOf(input),
    timeoutMs: input.timeoutMs,
    mounts: [...input.mounts, { name: input.skill.name, treeDigest: input.skill.treeDigest }],
    sandbox: SANDBOX,
  }
}

function outcomeOf(
  ticket: RunTicket,
  id: string,
  { killed, exitCode }: { killed: boolean; exitCode: number },
): RunOutcome {
  const run: Run = {
    id,
    requestId: ticket.requestId,
    sessionId: ticket.sessionId,
    callId: ticket.callId,
    skillName: ticket.plan.skill?.name ?? '',
    script: ticket.plan.script?.path ?? '',
    treeDigest: ticket.plan.skill?.treeDigest ?? '',
    argv: ticket.plan.argv,
    cwd: ticket.plan.cwd,
    status: killed ? 'killed' : exitCode === 0 ? 'succeeded' : 'failed',
    backend: 'bwrap',
    exitCode: killed ? null : exitCode,
    signal: null,
    outputBytes: 0,
    truncated: false,
    interactive: false,
    startedAt: 1,
    endedAt: 2,
  }
  const said = {
    stdout: 'boiled\n',
    stderr: '',
    truncated: false,
    network: null,
    printedSecrets: [],
    statusText: 'It ended.',
  }
  return { run, ...said, durationMs: 1 }
}

function keysOf({ interactive, fullScreen }: Pick<ScriptInput, 'interactive' | 'fullScreen'>) {
  return fullScreen ? { interactive: true, fullScreen } : { interactive }
}
