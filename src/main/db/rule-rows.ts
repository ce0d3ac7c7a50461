import { Rule, type Rule as RuleOf } from '@shared/domain/rule'
import { readJson } from './json-column'
import type { Connection } from './open'

const Body = Rule.pick({
  effect: true,
  match: true,
  agent: true,
  project: true,
  lifetime: true,
  expiresAt: true,
  createdFrom: true,
  justification: true,
  example: true,
}).nullable()

interface Raw {
  id: string
  chat_id: string | null
  state: string
  body: string
  created_at: number
  last_used_at: number | null
  use_count: number
}

export function insertRule(sql: Connection, rule: RuleOf): void {
  sql
    .prepare(
      `INSERT INTO rules (id, chat_id, state, body, created_at, last_used_at, use_count)
       VALUES (@id, @chatId, @state, @body, @createdAt, @lastUsedAt, @useCount)`,
    )
    .run(columnsOf(rule))
}

/** Writes what may change: its state, how long it holds, and which arguments it leaves open. */
export function updateRule(sql: Connection, rule: RuleOf): void {
  const { id, state, body } = columnsOf(rule)
  sql.prepare('UPDATE rules SET state = @state, body = @body WHERE id = @id').run({ id, state, body })
}

export function noteRuleUse(sql: Connection, id: string, at: number): void {
  sql.prepare('UPDATE rules SET last_used_at = ?, use_count = use_count + 1 WHERE id = ?').run(at, id)
}

export function getRule(sql: Connection, id: string): RuleOf | null {
  const raw = sql.prepare('SELECT * FROM rules WHERE id = ?').get(id) as Raw | undefined
  return raw ? ruleOf(raw) : null
}

/** The newest first. `damaged`: so many that are not revoked can't be read; each may be one that denies. */
export function listRules(sql: Connection): { rules: RuleOf[]; damaged: number } {
  const raws = sql.prepare('SELECT * FROM rules ORDER BY created_at DESC, id').all() as Raw[]
  const rules = raws.map(ruleOf).filter((rule) => rule !== null)
  return { rules, damaged: raws.length - rules.length }
}

function columnsOf(rule: RuleOf) {
  const { id, chatId, state, createdAt, lastUsedAt, useCount } = rule
  return { id, chatId, state, createdAt, lastUsedAt, useCount, body: JSON.stringify(Body.parse(rule)) }
}

function ruleOf(raw: Raw): RuleOf | null {
  const body = readJson(Body, raw.body, null)
  if (!body || !isState(raw.state)) return null
  return {
    ...body,
    id: raw.id,
    chatId: raw.chat_id,
    state: raw.state,
    origin: 'own',
    createdAt: raw.created_at,
    lastUsedAt: raw.last_used_at,
    useCount: raw.use_count,
  }
}

function isState(state: string): state is RuleOf['state'] {
  return state === 'on' || state === 'off' || state === 'revoked'
}
