import { z } from 'zod'
import { AgentMode, AgentScope } from '@shared/domain/agent'
import { ActiveSkill, AgentModel, SessionState } from '@shared/domain/session'
import type { Connection } from './open'
import { prepared } from './prepared'
import { readJson } from './json-column'

/** What a chat is that a call began: for a skill with `context: fork` (R12), or for a task of another agent (R15). */
export const Fork = z.object({
  parentId: z.string(),
  /** Who works here. */
  kind: z.enum(['skill', 'agent']).default('skill'),
  /** The chat of a person in which it all began. */
  rootId: z.string(),
  callId: z.string(),
  /** Keys and names of the skills and agents that led to it, its own last (R14). */
  chain: z.array(z.object({ key: z.string(), name: z.string() })),
  /** The agent that the skill or the call names, if any. */
  agent: z.string().nullable(),
  /** The agent that the skill names and that was not there: the chat's own works in its place. */
  missingAgent: z.string().optional(),
})
export type Fork = z.infer<typeof Fork>

/** What a chat is that tries the unsaved text of a skill (ADR 0040): in no list, gone when it is closed. */
export const Trial = z.object({
  /** Key of the copy whose text is tried. */
  of: z.string(),
  /** As the unsaved text names it. */
  name: z.string(),
  /** Tree digest of what is tried. */
  digest: z.string(),
  /** Of what was saved then. */
  saved: z.string(),
})
export type Trial = z.infer<typeof Trial>

export interface SessionRow {
  id: string
  title: string
  projectDir: string | null
  model: string
  state: SessionState
  activeSkills: ActiveSkill[]
  draft: string
  createdAt: number
  updatedAt: number
  /** Name of the agent, where its file came from, and the digest of the file; '' follows the file of now. */
  agent: string
  agentScope: AgentScope
  agentDigest: string
  /** What the person said of models that other agents prefer. */
  agentModels: AgentModel[]
  /** How its requests are decided; left out: as its agent says. */
  mode?: AgentMode
  /** Left out: an ordinary chat. */
  fork?: Fork
  trial?: Trial
}

interface Raw {
  id: string
  title: string
  project_dir: string | null
  model: string
  state: string
  active_skills: string
  draft: string
  created_at: number
  updated_at: number
  agent: string
  agent_scope: string
  agent_digest: string
  agent_models: string
  fork: string | null
  mode: string | null
  trial: string | null
}

export function insertSession(sql: Connection, row: SessionRow): void {
  prepared(
    sql,
    `INSERT INTO sessions (id, title, project_dir, model, state, active_skills, draft, created_at, updated_at, agent,
         agent_scope, agent_digest, agent_models, parent_id, fork, trial)
       VALUES (@id, @title, @projectDir, @model, @state, @activeSkills, @draft, @createdAt, @updatedAt, @agent,
         @agentScope, @agentDigest, @agentModels, @parentId, @fork, @trial)`,
  ).run({
    ...row,
    activeSkills: JSON.stringify(row.activeSkills),
    agentModels: JSON.stringify(row.agentModels),
    parentId: row.fork?.parentId ?? null,
    fork: row.fork ? JSON.stringify(row.fork) : null,
    trial: row.trial ? JSON.stringify(row.trial) : null,
  })
}

export function getSession(sql: Connection, id: string): SessionRow | null {
  const raw = prepared(sql, 'SELECT * FROM sessions WHERE id = ?').get(id) as Raw | undefined
  return raw ? toRow(raw) : null
}

/** Those that a person began, without those that try a skill. */
export function listSessions(sql: Connection): SessionRow[] {
  const raws = prepared(
    sql,
    'SELECT * FROM sessions WHERE parent_id IS NULL AND trial IS NULL ORDER BY updated_at DESC',
  ).all()
  return (raws as Raw[]).map(toRow)
}

/** Those that try the unsaved text of a skill. */
export function listTrials(sql: Connection): (SessionRow & { trial: Trial })[] {
  const raws = prepared(sql, 'SELECT * FROM sessions WHERE trial IS NOT NULL ORDER BY created_at').all()
  return (raws as Raw[]).map(toRow).map((row) => ({ ...row, trial: row.trial ?? NO_TRIAL }))
}

/** One that can't be read any more is still none of the chats. */
const NO_TRIAL: Trial = { of: '', name: '', digest: '', saved: '' }

/** Those that are not idle, forks too. */
export function listBusySessions(sql: Connection): SessionRow[] {
  return (prepared(sql, `SELECT * FROM sessions WHERE state <> 'idle'`).all() as Raw[]).map(toRow)
}

/** The chats that this one began, theirs, and so on; not itself. */
export function listForks(sql: Connection, id: string): SessionRow[] {
  const raws = prepared(sql, 'SELECT * FROM sessions WHERE parent_id = ? ORDER BY created_at').all(
    id,
  ) as Raw[]
  return raws.map(toRow).flatMap((fork) => [fork, ...listForks(sql, fork.id)])
}

/** The chat of a person in which this one began; its own id when it is one. */
export function rootIdOf({ id, fork }: Pick<SessionRow, 'id' | 'fork'>): string {
  return fork?.rootId ?? id
}

const COLUMNS = {
  title: 'title',
  model: 'model',
  state: 'state',
  draft: 'draft',
  updatedAt: 'updated_at',
  activeSkills: 'active_skills',
  agent: 'agent',
  agentScope: 'agent_scope',
  agentDigest: 'agent_digest',
  agentModels: 'agent_models',
  mode: 'mode',
} as const

export type SessionPatch = Partial<Pick<SessionRow, Exclude<keyof typeof COLUMNS, 'mode'>>> & {
  /** Null: as its agent says. */
  mode?: AgentMode | null
}

export function updateSession(sql: Connection, id: string, patch: SessionPatch): void {
  const names = (Object.keys(patch) as (keyof typeof COLUMNS)[]).filter((name) => patch[name] !== undefined)
  if (names.length === 0) return
  const values = names.map((name) => {
    const value = patch[name]
    return Array.isArray(value) ? JSON.stringify(value) : value
  })
  const set = names.map((name) => `${COLUMNS[name]} = ?`).join(', ')
  prepared(sql, `UPDATE sessions SET ${set} WHERE id = ?`).run(...values, id)
}

export function deleteSession(sql: Connection, id: string): void {
  prepared(sql, 'DELETE FROM sessions WHERE id = ?').run(id)
}

/** Takes the next number of the chat's ledger. */
export function takeStep(sql: Connection, id: string): number {
  return take(sql, id, 'next_step')
}

/** Takes the next number of the chat's messages. */
export function takeSeq(sql: Connection, id: string): number {
  return take(sql, id, 'next_seq')
}

function take(sql: Connection, id: string, column: 'next_step' | 'next_seq'): number {
  const row = prepared(
    sql,
    `UPDATE sessions SET ${column} = ${column} + 1 WHERE id = ? RETURNING ${column} - 1 AS taken`,
  ).get(id) as { taken: number }
  return row.taken
}

// Made once: making a schema takes longer than reading a row with it.
const ActiveSkills = z.array(ActiveSkill)
const AgentModels = z.array(AgentModel)
const State = SessionState.catch('interrupted')
const Scope = AgentScope.catch('project')
// One that is not known must not allow more than what is.
const Mode = AgentMode.catch('every-time')
const StoredFork = Fork.nullable()
const StoredTrial = Trial.nullable()

function toRow(raw: Raw): SessionRow {
  return {
    id: raw.id,
    title: raw.title,
    projectDir: raw.project_dir,
    model: raw.model,
    state: State.parse(raw.state),
    activeSkills: readJson(ActiveSkills, raw.active_skills, []),
    draft: raw.draft,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
    agent: raw.agent,
    // A place that is not known must not be taken for one that a person chose.
    agentScope: Scope.parse(raw.agent_scope),
    agentDigest: raw.agent_digest,
    agentModels: readJson(AgentModels, raw.agent_models, []),
    ...(raw.mode === null ? {} : { mode: Mode.parse(raw.mode) }),
    ...(raw.fork === null ? {} : forkIn(raw.fork)),
    ...(raw.trial === null ? {} : { trial: readJson(StoredTrial, raw.trial, null) ?? NO_TRIAL }),
  }
}

function forkIn(text: string): { fork?: Fork } {
  const fork = readJson(StoredFork, text, null)
  return fork ? { fork } : {}
}
