import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Decision } from '@shared/domain/approval'
import type { SessionState } from '@shared/domain/session'
import { Settings } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import type { AppEvent } from '@shared/events'
import { createAgents, type Agents } from '../../../../src/main/agents/registry'
import { createBroker } from '../../../../src/main/approvals/broker'
import { createRules } from '../../../../src/main/approvals/rules/rules'
import { createAudit } from '../../../../src/main/audit/audit'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import { listCalls, type CallRow } from '../../../../src/main/db/call-rows'
import { listMessages, type MessageRow } from '../../../../src/main/db/message-rows'
import { openDb } from '../../../../src/main/db/open'
import { registerProgram } from '../../../../src/main/db/programs'
import type { RequestRow } from '../../../../src/main/db/request-rows'
import { getSession, type SessionRow } from '../../../../src/main/db/session-rows'
import type { HistoryEntry, LlmRequest } from '../../../../src/main/llm/types'
import { createMcp } from '../../../../src/main/mcp/servers'
import { createEnvironments } from '../../../../src/main/runs/environments/service'
import { killRuns } from '../../../../src/main/runs/process-tree'
import type { RunTicket } from '../../../../src/main/runs/types'
import type { SessionDeps } from '../../../../src/main/sessions/deps'
import { createLive } from '../../../../src/main/sessions/history/live'
import { createOwner } from '../../../../src/main/sessions/turn/owner'
import { recoverSessions } from '../../../../src/main/sessions/turn/recover'
import { createSessions, type Sessions } from '../../../../src/main/sessions/service'
import { createSkillBodies } from '../../../../src/main/sessions/instructions/skill-bodies'
import { createWorkspaces } from '../../../../src/main/sessions/workspace'
import { createStore } from '../../../../src/main/skills/store/store'
import { writeFiles } from '../../../helpers/app'
import { localRegistry } from '../../../helpers/registry'
import {
  noUndo,
  scriptedModel,
  scriptedRuns,
  type Answer,
  type ScriptedCall,
  type ScriptedRun,
} from './scripted'

export interface KitOptions {
  /** Personal skills by name; those of `SKILL` when left out. */
  skills?: Record<string, Record<string, string>>
  answers?: Answer[]
  /** A folder that was used before. */
  home?: string
  settings?: Partial<Settings>
  /** Puts another part in the place of one that is scripted. */
  change?: (deps: SessionDeps, dataDir: string) => void
  /** Models that are set up. */
  models?: string[]
}

/** The sessions part with real rows, skills and snapshots; a scripted model, and runs that start nothing. */
export interface Kit {
  home: string
  agents: Agents
  deps: SessionDeps
  sessions: Sessions
  answers: Answer[]
  /** What the model was asked, in order. */
  asked: LlmRequest[]
  /** Tickets whose approval was spent. */
  ran: RunTicket[]
  run: ScriptedRun
  events: AppEvent[]
  errors: string[]
  projects: { dir: string; name: string; trusted: boolean; openedAt: number }[]
  chat(projectDir?: string | null): string
  /** Sends and waits for the end of the turn. */
  say(id: string, text: string, state?: SessionState): Promise<void>
  until(id: string, state: SessionState, timeoutMs?: number): Promise<void>
  row(id: string): SessionRow
  messages(id: string): MessageRow[]
  calls(id: string): CallRow[]
  waiting(id: string): RequestRow
  decide(row: RequestRow, choice: Decision['choice'], note?: string): Promise<RequestRow>
  actions(): string[]
  /** Who said what, in order. */
  said(id: string): string[]
  /** Answers that load the skill and ask to run its script, and those after them. */
  askToBoil(more?: Answer[]): void
  /** Quits and starts again on the same data. */
  restart(answers?: Answer[]): Promise<Kit>
  /** As a crash would: nothing is ended or written any more. */
  crash(answers?: Answer[]): Promise<Kit>
  /** What the kernel does for a program that was killed. */
  killed(): void
  remove(): Promise<void>
}

export const SKILL = {
  'SKILL.md': '---\nname: jam\ndescription: Boils jam.\n---\n# Jam\nRun `scripts/boil.sh`.\n',
  'references/rules.md': 'one\ntwo\nthree\n',
  'scripts/boil.sh': 'echo boiled\n',
}
export const LOAD: ScriptedCall = { name: 'skills_load', input: { names: ['jam'] } }
export const READ: ScriptedCall = { name: 'skills_read', input: {} }
export const BOIL: ScriptedCall = { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } }

export async function createKit(options: KitOptions = {}): Promise<Kit> {
  const home = options.home ?? realpathSync(mkdtempSync(join(tmpdir(), 'satchel-kit-')))
  const dataDir = join(home, 'data')
  const skills = options.skills ?? (options.home === undefined ? { jam: SKILL } : {})
  for (const [name, files] of Object.entries(skills))
    writeFiles(join(home, '.satchel', 'skills', name), files)
  mkdirSync(join(home, 'resources', 'skills'), { recursive: true })
  const db = openDb(join(dataDir, 'satchel.db'))
  const program = registerProgram(join(dataDir, 'programs'), 'window')
  const now = () => Date.now()
  const events: AppEvent[] = []
  const errors: string[] = []
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (message: string, error?: unknown) => void errors.push(`${message}: ${String(error)}`),
  }
  const projects: Kit['projects'] = []
  const registry = localRegistry({
    homeDir: home,
    resourcesDir: join(home, 'resources'),
    projects: () => projects,
    scanner: { watch: false },
    log,
  })
  await registry.refresh()
  const store = createStore({ dataDir })
  const audit = createAudit({ db, now })
  const answers = [...(options.answers ?? [])]
  const asked: LlmRequest[] = []
  const ran: RunTicket[] = []
  const run: ScriptedRun = { before: async () => undefined, during: async () => undefined }
  const agents = createAgents({
    places: () => ({
      homeDir: home,
      resourcesDir: join(home, 'resources'),
      policyDir: null,
      projects: projects.map(({ dir }) => dir),
    }),
    rules: (dir) => ({
      projectOverPersonal: false,
      trusted: projects.some((project) => project.dir === dir && project.trusted),
    }),
    onChange: () => undefined,
  })
  const mcp = createMcp({
    homeDir: home,
    env: process.env,
    fetch,
    off: () => deps.settings().mcpOff,
    endMarked: (mark) => killRuns(new Set([mark])),
    changed: () => undefined,
    notice: (message) => void events.push({ t: 'notice', level: 'warning', message }),
    version: '1.0.0',
    record: audit.append,
    now,
    log,
  })
  const deps: SessionDeps = {
    agents,
    mcp,
    whyBlocked: () => null,
    isModelReady: (model) => model === 'practice/scripted' || model.startsWith('ready/'),
    db,
    audit,
    broker: createBroker({ db, audit, now }),
    rules: createRules({ db, audit, now }),
    registry,
    store,
    snapshots: {
      read: (digest, path) => store.read(digest, path),
      files: async (digest) => (await store.manifest(digest)).files,
      current: async () => null,
    },
    runs: scriptedRuns(db.durable, run, ran),
    environments: createEnvironments({ db, dataDir, audit: audit.append, now }),
    undo: noUndo,
    secrets: { held: () => [], list: () => [], wishes: () => [] },
    hosts: { given: () => [] },
    llm: scriptedModel(answers, asked, options.models),
    live: createLive(log),
    inTurn: new Set(),
    owner: createOwner({ db, program, now, log }),
    bodies: createSkillBodies(store),
    currentDigest: () => null,
    settings: () => Settings.parse(options.settings ?? {}),
    workspaceOf: createWorkspaces(dataDir),
    hiddenFolders: [dataDir],
    writingDir: join(dataDir, 'writing'),
    isTrusted: (dir) => projects.some((project) => project.dir === dir && project.trusted),
    emit: (event) => void events.push(event),
    now,
    log,
  }
  options.change?.(deps, dataDir)
  recoverSessions(deps)
  const sessions = createSessions(deps)
  const end = () => {
    registry.close()
    db.close()
    program.release()
  }
  const kit: Kit = {
    home,
    agents,
    deps,
    sessions,
    answers,
    asked,
    ran,
    run,
    events,
    errors,
    projects,
    chat: (projectDir = null) => sessions.create({ projectDir, model: 'practice/scripted' }).id,
    async say(id, text, state = 'idle') {
      sessions.send(id, text)
      await kit.until(id, state)
    },
    until: (id, state, timeout = 5000) =>
      vi.waitFor(
        () => {
          const row = getSession(db.sql, id)
          if (row?.state !== state || deps.inTurn.has(id)) throw new Error(`${row?.state}, not ${state}`)
        },
        { interval: 2, timeout },
      ),
    row: (id) => getSession(db.sql, id)!,
    messages: (id) => [...listMessages(db.sql, id)],
    calls: (id) => [...listCalls(db.sql, id)],
    waiting(id) {
      const [row, ...more] = deps.broker.pending(id)
      if (!row || more.length > 0) throw new Error(`${more.length + (row ? 1 : 0)} requests wait`)
      return row
    },
    decide: (row, choice, note) =>
      sessions.decide({
        requestId: row.id,
        revision: row.revision,
        planHash: row.planHash,
        choice,
        acknowledged: row.findings.map(({ id }) => id),
        ...(note === undefined ? {} : { note }),
      }),
    actions: () =>
      queryAudit(db.sql, { limit: 200 })
        .map(({ action }) => action)
        .reverse(),
    said: (id) =>
      listMessages(db.sql, id).map(({ role, parts }) => {
        const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
        return `${role}: ${text}`
      }),
    askToBoil: (more = []) => void answers.push({ calls: [LOAD] }, { calls: [BOIL] }, ...more),
    async restart(next = []) {
      await sessions.close()
      await mcp.close()
      end()
      return createKit({ ...options, home, answers: next })
    },
    killed: program.release,
    async crash(next = []) {
      end()
      return createKit({ ...options, home, answers: next })
    },
    async remove() {
      if (db.sql.open) {
        await sessions.close()
        await mcp.close()
        end()
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
  return kit
}

/** The code of the AppError that the work ends with; `none` when it ends well. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Every request's history begins with the whole history of the one before: nothing is rewritten. */
export function brokenPrefix(asked: readonly LlmRequest[]): string | null {
  for (const [index, { history }] of asked.entries()) {
    const before: readonly HistoryEntry[] = asked[index - 1]?.history ?? []
    const start = JSON.stringify(history.slice(0, before.length))
    if (start !== JSON.stringify(before)) return `request ${index + 1} rewrites the one before`
  }
  return null
}
