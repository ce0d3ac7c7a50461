import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputChunk } from '@shared/domain/run'
import { AppError } from '@shared/errors'
import { createRunRows } from '../db/run-rows'
import { createHeldWrites } from '../lib/held-writes'
import { getRun } from './context'
import { planPreparation } from './environments/plan'
import { execute } from './execute'
import { createInterpreters } from './interpreters'
import { createLimiter } from './limiter'
import { DEFAULT_LIMITS } from './limits'
import { printedBy } from './left-output'
import { secretsOfRun } from './lost-secrets'
import { readOutput } from './output-log'
import { planScript, planShell } from './plan'
import { recover } from './recover'
import { runNow, type ExecuteContext, type Notices } from './run-end'
import type { RunningProcess } from './runner'
import { createSandboxState } from './sandbox/state'
import type { Runs, RunsDeps } from './types'

export type { RunOutcome, Runs } from './types'

/** Quitting waits no longer for runs to be written as ended (`security.md` 6, shutdown). */
const QUIT_MS = 3000

/** Runs scripts: plans, executes, shows and ends them. `close` must be called before the database closes. */
export function createRuns(deps: RunsDeps & Notices): Runs {
  const folder = join(deps.dataDir, 'runs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const context: ExecuteContext = {
    deps,
    rows: createRunRows(deps.db),
    interpreters: createInterpreters({
      env: deps.env,
      loginPath: deps.loginPath,
      chosen: deps.chosenInterpreters,
    }),
    sandbox: createSandboxState(deps),
    limiter: deps.limiter ?? createLimiter({ env: deps.env, isRoot: deps.runAsRoot }),
    folder,
    running: new Map(),
    starting: new Map(),
    open: new Set(),
    closed: false,
    notice: deps.notice ?? (() => undefined),
    held: createHeldWrites(deps.log),
    unsaved: new Map(),
  }
  const planDeps = async () => ({
    interpreters: context.interpreters,
    backend: await context.sandbox.backend(),
    home: deps.env['HOME'],
    profile: deps.profile?.() ?? 'workspace-write',
    limits: deps.limits?.() ?? DEFAULT_LIMITS,
    allowedHosts: deps.allowedHosts?.() ?? null,
  })
  return {
    probe: context.sandbox.probe,
    sandbox: context.sandbox.view,
    interpreters: context.interpreters.list,
    planScript: async (input) => planScript(await planDeps(), input),
    planPreparation: async (input) => planPreparation(await planDeps(), input),
    planShell: async (input) => planShell(await planDeps(), input),
    execute: (ticket, signal) => execute(context, ticket, signal),
    get: (runId) => runNow(context, runId),
    output(runId, from, signal, answers = false) {
      getRun(context, runId)
      return output(context, runId, { from, signal, answers })
    },
    printed: (runId) => printedBy(folder, runId, secretsOfRun(context, runId)),
    input: (runId, data) => input(context, runId, data),
    resize: (runId, cols, rows) => resize(context, runId, cols, rows),
    kill: (runId, force) => kill(context, runId, force),
    recover: async () => {
      context.held.retry()
      return recover(context)
    },
    running: () => context.running.size,
    close: () => close(context),
  }
}

/** Of a run that still starts, what it will print. */
async function* output(
  { running, starting, folder }: ExecuteContext,
  runId: string,
  { from, signal, answers }: { from: number; signal: AbortSignal; answers: boolean },
): AsyncGenerator<OutputChunk, void, undefined> {
  await starting.get(runId)?.over
  const process = running.get(runId)
  const chunks = readOutput({ folder, runId, live: process?.live ?? null }, from, signal)
  yield* answers && process ? answeredOnce(process, chunks) : chunks
}

/** Says of each piece whether a terminal had it before, so that no question in it is answered twice. */
async function* answeredOnce(
  process: RunningProcess,
  chunks: AsyncIterable<OutputChunk>,
): AsyncGenerator<OutputChunk, void, undefined> {
  const before = process.answered
  for await (const chunk of chunks) {
    const end = chunk.offset + chunk.data.length
    process.answered = Math.max(process.answered, end)
    yield end <= before ? { ...chunk, again: true } : chunk
  }
}

async function input(context: ExecuteContext, runId: string, data: string): Promise<void> {
  if (!getRun(context, runId).interactive) {
    throw new AppError('bad_input', 'This run takes no input: it was not allowed as an interactive one.')
  }
  await context.starting.get(runId)?.over
  context.running.get(runId)?.input(data)
}

async function resize(context: ExecuteContext, runId: string, cols: number, rows: number): Promise<void> {
  await context.starting.get(runId)?.over
  context.running.get(runId)?.resize(cols, rows)
}

async function kill(context: ExecuteContext, runId: string, force: boolean): Promise<void> {
  context.starting.get(runId)?.giveUp('person')
  context.running.get(runId)?.stop('person', force)
}

async function close(context: ExecuteContext): Promise<void> {
  context.closed = true
  for (const { giveUp } of context.starting.values()) giveUp('quit')
  for (const process of context.running.values()) process.stop('quit', true)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, QUIT_MS)
  })
  await Promise.race([Promise.allSettled(context.open), limit])
  clearTimeout(timer)
  context.held.close()
}
