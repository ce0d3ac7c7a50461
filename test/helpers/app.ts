import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RequestSummary } from '@shared/domain/approval'
import type { SessionEvent } from '@shared/domain/session'
import type { SkillList, SkillSummary } from '@shared/domain/skill'
import type { AppEvent } from '@shared/events'
import { createApp, type App } from '../../src/main/app'
import type { AppDeps } from '../../src/main/app/deps'
import { builtWorker } from './worker'

/** What new skills begin with, as it is shipped. */
const TEMPLATES = join(import.meta.dirname, '../../resources/templates')

/** Files of a skill folder by relative path; SKILL.md among them. */
export type SkillFiles = Record<string, string>

export interface TestAppOptions {
  /** Personal skills by folder name. */
  skills?: Record<string, SkillFiles>
  /** Practice scenarios: the scripted turns of the model. */
  scenarios?: unknown[]
  /** A folder that was used before: the app starts on what is there. */
  home?: string
  deps?: Partial<AppDeps>
}

export interface TestApp {
  app: App
  home: string
  dataDir: string
  /** A folder with files, to be opened as a project. */
  project(name: string, files?: Record<string, string>): string
  /** What the app said it could not explain. */
  errors: string[]
  events: AppEvent[]
  /** Closes the app and keeps its folders, for a second start. */
  stop(): Promise<void>
  /** Closes the app and removes everything. */
  remove(): Promise<void>
}

/** The whole app in plain Node: real SQLite, real files, real sandbox; a model that follows scenario files. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const home = options.home ?? realpathSync(mkdtempSync(join(tmpdir(), 'satchel-app-')))
  const dataDir = join(home, 'data')
  const practiceDir = join(home, 'practice')
  for (const [name, files] of Object.entries(options.skills ?? {})) {
    writeFiles(join(home, '.satchel', 'skills', name), files)
  }
  mkdirSync(join(home, 'resources', 'skills'), { recursive: true })
  cpSync(TEMPLATES, join(home, 'resources', 'templates'), { recursive: true })
  mkdirSync(practiceDir, { recursive: true })
  options.scenarios?.forEach((scenario, n) =>
    writeFileSync(join(practiceDir, `${n}.practice.json`), JSON.stringify(scenario)),
  )
  const errors: string[] = []
  const app = await createApp({
    dataDir,
    resourcesDir: join(home, 'resources'),
    homeDir: home,
    policyDir: null,
    env: { PATH: process.env['PATH'], HOME: home },
    workerFile: await builtWorker(),
    secrets: NO_KEYRING,
    desktop: NO_DESKTOP,
    fetch,
    now: () => Date.now(),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, error) => errors.push(`${message}: ${String(error)}`),
    },
    version: '0.0.0',
    runtime: 'test',
    practiceDir,
    ...options.deps,
  })
  const events: AppEvent[] = []
  const closing = new AbortController()
  void collect(app.handlers['events']({}, closing.signal), events)
  const stop = async () => {
    closing.abort()
    await app.close()
  }
  return {
    app,
    home,
    dataDir,
    errors,
    events,
    project(name, files = {}) {
      const dir = join(home, 'projects', name)
      mkdirSync(dir, { recursive: true })
      writeFiles(dir, files)
      return dir
    },
    stop,
    async remove() {
      await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const NO_KEYRING: AppDeps['secrets'] = {
  available: false,
  backend: 'none',
  reason: 'Tests have no keyring.',
  seal: () => {
    throw new Error('sealed without a keyring')
  },
  open: () => {
    throw new Error('opened without a keyring')
  },
}

const NO_DESKTOP: AppDeps['desktop'] = {
  pickFolder: async () => null,
  pickNewFile: async () => null,
  openExternal: async () => undefined,
  reveal: async () => undefined,
  dragFile: () => undefined,
  hasTerminal: () => false,
  openTerminal: async () => undefined,
}

export function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

async function collect<T>(source: AsyncIterable<T>, into: T[]): Promise<void> {
  for await (const value of source) into.push(value)
}

/** The list of skills as a page puts it together from its first complete change. */
export async function listSkills(app: App, projectDir: string | null): Promise<SkillList> {
  const closing = new AbortController()
  const rows = new Map<string, SkillSummary>()
  for await (const change of app.handlers['skills.watch']({ projectDir }, closing.signal)) {
    for (const row of change.rows) rows.set(row.key, row)
    if (!change.totals) continue
    closing.abort()
    return { ...change.totals, skills: [...rows.values()] }
  }
  throw new Error('the list of skills ended before it was complete')
}

/** A chat as a page would follow it. */
export interface WatchedChat {
  id: string
  events: SessionEvent[]
  /** Waits until the condition holds for what was seen so far. */
  until<T>(what: string, found: (events: readonly SessionEvent[]) => T | undefined | null | false): Promise<T>
  /** Waits until a turn that began after the last such wait has come to this state. */
  state(state: 'idle' | 'awaiting_approval' | 'interrupted'): Promise<void>
  close(): void
}

export function watchChat(app: App, sessionId: string): WatchedChat {
  const events: SessionEvent[] = []
  const closing = new AbortController()
  const waiting = new Set<() => void>()
  const settled = { at: 0 }
  void (async () => {
    for await (const event of app.handlers['sessions.watch']({ sessionId }, closing.signal)) {
      events.push(event)
      for (const check of waiting) check()
    }
  })()
  const until: WatchedChat['until'] = (what, found) =>
    new Promise((resolve, reject) => {
      const guard = setTimeout(() => reject(new Error(`never seen: ${what}`)), 40_000)
      const check = () => {
        const value = found(events)
        if (!value) return
        clearTimeout(guard)
        waiting.delete(check)
        resolve(value)
      }
      waiting.add(check)
      check()
    })
  return {
    id: sessionId,
    events,
    until,
    async state(state) {
      await until(`state ${state}`, (seen) => {
        const states = seen
          .slice(settled.at)
          .flatMap((event) => (event.t === 'session' ? [event.session.state] : []))
        return states.includes('running') && states.at(-1) === state
      })
      settled.at = events.length
    },
    close: () => closing.abort(),
  }
}

/** The request that waits in this chat; there must be one. */
export async function waitingRequest(app: App, sessionId: string): Promise<RequestSummary> {
  const list = await app.handlers['approvals.list']({})
  const found = list.find((request) => request.sessionId === sessionId)
  if (!found) throw new Error('no request waits in this chat')
  return found
}

/** Allows it as the review would, every serious finding ticked. */
export async function allow(app: App, request: RequestSummary): Promise<RequestSummary> {
  return app.handlers['approvals.decide']({
    requestId: request.id,
    revision: request.revision,
    planHash: request.planHash,
    choice: 'once',
    acknowledged: request.findings
      .filter((finding) => finding.level === 'serious')
      .map((finding) => finding.id),
  })
}
