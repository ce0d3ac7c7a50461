import { Worker } from 'node:worker_threads'
import type { AuditEvent, AuditVerdict } from '@shared/domain/audit'
import { AppError } from '@shared/errors'
import { connect } from '@shared/ipc/client'
import type { Client, ContractDef } from '@shared/ipc/define'
import type { Log } from '../lib/log'
import { isLogLine, threadPort } from './thread-port'
import type { IndexedSkill, SkillHit, WorkerContract, WorkerData } from './worker-contract'

/** Search and the record, answered by the worker thread so that the main thread stays free. */
export interface WorkerClient {
  /** Brings the index to exactly these skills; sends only what changed. One at a time. */
  indexSkills(skills: readonly IndexableSkill[]): Promise<void>
  /** Best first, at most 500. */
  searchSkills(query: string): Promise<SkillHit[]>
  /** Newest first; `before` is a sequence number. */
  queryAudit(query: { before?: number | undefined; limit: number }): Promise<AuditEvent[]>
  verifyAudit(): Promise<AuditVerdict>
  /**
   * What else the thread answers: `started` is called with each of its workers, the first at once. A worker that dies
   * is then started again by itself.
   */
  serve<C extends ContractDef>(started: (client: Client<C>) => void): void
  close(): Promise<void>
}

/** A skill of the registry; of `unread` ones nothing may be read. */
export type IndexableSkill = IndexedSkill & { unread: boolean }

export interface WorkerDeps {
  /** Entry of the worker, a CommonJS file. */
  file: string
  workerData: WorkerData
  log: Log
}

const MAX_HITS = 500
const RESTART_MS = 200
/** Requests stay well under 1 MB. */
const BATCH = 200

interface Link {
  worker: Worker
  client: Client<WorkerContract>
  dead: boolean
}

interface State {
  deps: WorkerDeps
  link: Link | null
  closed: boolean
  /** What the index should hold, to fill it again after damage. */
  skills: readonly IndexedSkill[]
  indexing: Promise<void>
  starters: ((client: Client<WorkerContract>) => void)[]
  restart: NodeJS.Timeout | undefined
}

/** Starts the worker. One that died is started again, and what was asked of it is asked once more. */
export function startWorker(deps: WorkerDeps): WorkerClient {
  const state: State = {
    deps,
    link: null,
    closed: false,
    skills: [],
    indexing: Promise.resolve(),
    starters: [],
    restart: undefined,
  }
  state.link = startLink(state)
  return {
    indexSkills(skills) {
      const next = state.indexing.then(() => syncIndex(state, skills))
      state.indexing = next.catch(() => undefined)
      return next
    },
    searchSkills: (query) => searchSkills(state, query),
    queryAudit: ({ before, limit }) =>
      ask(state, ({ call }) => call('audit.query', before === undefined ? { limit } : { before, limit })),
    verifyAudit: () => ask(state, ({ call }) => call('audit.verify', {})),
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

async function syncIndex(state: State, all: readonly IndexableSkill[]): Promise<void> {
  state.skills = all
    .filter(({ unread }) => !unread)
    .map(({ key, name, description, tags, skillMd, rootDir, stamp }) => ({
      key,
      name,
      description,
      tags,
      skillMd,
      rootDir,
      stamp,
    }))
  await fillIndex(state)
}

async function fillIndex(state: State): Promise<void> {
  const { skills } = state
  const stamps = await ask(state, ({ call }) => call('skills.stamps', {}))
  const known = new Map(stamps.map(({ key, stamp }) => [key, stamp]))
  const wanted = new Set(skills.map(({ key }) => key))
  const remove = stamps.filter(({ key }) => !wanted.has(key)).map(({ key }) => key)
  const upsert = skills.filter(({ key, stamp }) => known.get(key) !== stamp)
  for (let at = 0; at < Math.max(upsert.length, remove.length); at += BATCH) {
    const batch = { upsert: upsert.slice(at, at + BATCH), remove: remove.slice(at, at + BATCH) }
    await ask(state, ({ call }) => call('skills.index', batch))
  }
}

async function searchSkills(state: State, query: string): Promise<SkillHit[]> {
  const find = () => ask(state, ({ call }) => call('skills.search', { query, limit: MAX_HITS }))
  const first = await find()
  // With no skills from here the scanner fills it, in the thread itself.
  if (!first.damaged || state.skills.length === 0) return first.hits
  await fillIndex(state)
  return (await find()).hits
}
