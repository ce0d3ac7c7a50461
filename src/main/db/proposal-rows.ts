import type { Connection } from './open'

/** One file of a proposal: what it is now and what it would be. */
export interface ProposedFile {
  path: string
  /** Null: there is none yet, or it is no text. */
  before: string | null
  /** Null: it would be deleted. */
  after: string | null
}

/** A change of a skill that an agent asks for; a person decides (`management.md` 2.13). */
export interface ProposalRow {
  id: string
  sessionId: string
  callId: string
  step: number
  model: string
  /** The copy that it was made for; null: a new skill. */
  skillKey: string | null
  skillName: string
  /** Digest of the files that it was made for; null: a new skill. */
  baseDigest: string | null
  scope: 'personal' | 'project' | null
  files: ProposedFile[]
  justification: string
  evidence: unknown[]
  tokenChange: number
  /** It touches scripts, hooks, allowed-tools or execution. */
  marked: boolean
  changeHash: string
  createdAt: number
}

export interface KnownProposal {
  id: string
  status: 'open' | 'accepted' | 'declined' | 'stale'
  reason: string | null
}

export function insertProposal(sql: Connection, row: ProposalRow): void {
  sql
    .prepare(
      `INSERT INTO proposals (id, session_id, call_id, step, model, skill_key, skill_name, base_digest, scope, files,
         justification, evidence, token_change, marked, change_hash, status, created_at)
       VALUES (@id, @sessionId, @callId, @step, @model, @skillKey, @skillName, @baseDigest, @scope, @files,
         @justification, @evidence, @tokenChange, @marked, @changeHash, 'open', @createdAt)`,
    )
    .run({
      ...row,
      files: JSON.stringify(row.files),
      evidence: JSON.stringify(row.evidence),
      marked: row.marked ? 1 : 0,
    })
}

/** The same change of the same skill that still waits or was declined, the last one first. */
export function findProposal(sql: Connection, changeHash: string): KnownProposal | null {
  const row = sql
    .prepare(
      `SELECT id, status, reason FROM proposals WHERE change_hash = ? AND status IN ('open', 'declined')
       ORDER BY created_at DESC, rowid DESC LIMIT 1`,
    )
    .get(changeHash)
  return (row as KnownProposal | undefined) ?? null
}
