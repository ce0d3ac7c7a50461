import { Worker } from 'node:worker_threads'
import { AppError } from '@shared/errors'
import { connect } from '@shared/ipc/client'
import type { Client, ContractDef } from '@shared/ipc/define'
import type { Log } from '../lib/log'
import { isLogLine, threadPort } from './thread-port'
import type { SkillHit, WorkerContract, WorkerData } from './worker-contract'

/** Search and the record, answered by the worker thread so that the main thread stays free. */
export interface WorkerClient {
  /** Best first, at most 500. */
  searchSkills(query: string): Promise<SkillHit[]>
  /** Every other question, by its name. */
  call: Client<WorkerContract>['call']
  /**
   * What else the thread answers: `started` is called with each of its workers, the first at once. A worker that dies
   * is then started again by itself.
   */
  serve<C extends ContractDef>(started: (client: Client<C>) => void): void
  close(): Promise<void>
}

export interface WorkerDeps {
  /** Entry of the worker, a CommonJS file. */
  file: string
  workerData: WorkerData
  log: Log
}

const MAX_HITS = 500
const RESTART_MS = 200

interface Link {
  worker: Worker
  client: Client<WorkerContract>
  dead: boolean
}

interface State {
  deps: WorkerDeps
  link: Link | null
  closed: boolean
  starters: ((client: Client<WorkerContract>) => void)[]
  restart: NodeJS.Timeout | undefined
}

/** Starts the worker. One that died is started again, and what was asked of it is asked once more. */
export function startWorker(deps: WorkerDeps): WorkerClient {
  const state: State = {
    deps,
    link: null,
    closed: false,
    starters: [],
    restart: undefined,
  }
  state.link = startLink(state)
  return {
    searchSkills: (query) => ask(state, ({ call }) => call('skills.search', { query, limit: MAX_HITS })),
    call: (name, input) => ask(state, ({ call }) => call(name, input)),
    serve(started) {
      // The same port and protocol; the thread answers more contracts than the client's type says.
      const starter = (client: Client<WorkerContract>) => started(client as Client<never>)
      state.starters.push(starter)
      starter(liveLink(state).client)
    },
    async close() {
      state.closed = true
      clearTimeout(state.restart)
      await state.link?.worker.terminate()
    },
  }
}

function startLink(state: State): Link {
  const { file, workerData, log } = state.deps
  const worker = new Worker(file, { workerData, execArgv: [] })
  const ends: (() => void)[] = []
  const port = threadPort(worker, (listener) => void ends.push(listener))
  const link: Link = { worker, client: connect<WorkerContract>(port), dead: false }
  worker.on('message', (message) => {
    if (isLogLine(message)) log.error(message.message)
  })
  worker.on('error', (error) => log.error('the worker thread failed', error))
  worker.on('exit', () => {
    link.dead = true
    for (const end of ends) end()
    if (!state.closed && state.starters.length > 0) restartSoon(state)
  })
  for (const started of state.starters) started(link.client)
  return link
}

/** Not at once: a worker that dies of what it is asked first would be started without end. */
function restartSoon(state: State): void {
  clearTimeout(state.restart)
  state.restart = setTimeout(() => !state.closed && liveLink(state), RESTART_MS)
  state.restart.unref()
}

/** Asks, and asks a new worker once more when the first one ended meanwhile. */
async function ask<T>(state: State, question: (client: Client<WorkerContract>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const link = liveLink(state)
    try {
      return await question(link.client)
    } catch (error) {
      if (!link.dead || state.closed) throw error
      if (attempt < 2) continue
      throw new AppError(
        'internal',
        'The background thread for search and records ended. Start Satchel again.',
      )
    }
  }
}

function liveLink(state: State): Link {
  if (state.closed) throw new AppError('cancelled', 'Satchel is closing.')
  if (!state.link || state.link.dead) state.link = startLink(state)
  return state.link
}
