import type { ActiveSkill } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { moveLeaf, readTree, skillsAt } from '../../db/branch-rows'
import { insertMessage, listMessages, type MessageRow } from '../../db/message-rows'
import { updateSession, type SessionRow } from '../../db/session-rows'
import { carrySummary } from './branch-summary'
import { newestEnd } from './branch-tree'
import type { SessionDeps } from '../deps'
import { snapshotOf } from './detail'
import { invokeSkills, tellInvoked, type Invoked } from '../turn/invoke'
import { need } from '../turn/turn'

/**
 * Branches of a chat (R1, `ux.md` 3.1): nothing said is rewritten. Another text or another answer becomes a sibling of
 * the old one; which end is shown is the only thing that changes. Active skills are those of the place one goes to.
 */

/** Puts `row`, a message of the person, in the place of an earlier one; the skills that it names are loaded anew. */
export function branchAtMessage(deps: SessionDeps, messageId: string, row: MessageRow): void {
  const old = shownMessage(deps, row.sessionId, messageId)
  if (old.role !== 'user') throw wrongRole('Only a message of your own can be edited.')
  let invoked: Invoked = { message: row, calls: [], note: null }
  go(deps, row.sessionId, {
    leafId: parentOf(deps, old),
    skills: skillsAt(deps.db.sql, old.id, 'before'),
    write: () => {
      insertMessage(deps.db.sql, row)
      invoked = invokeSkills(deps, need(deps, row.sessionId), row)
      carrySummary(deps, need(deps, row.sessionId))
    },
  })
  tellInvoked(deps, invoked)
}

/** Goes back to where this answer began, for another one. */
export function branchAtAnswer(deps: SessionDeps, sessionId: string, messageId: string): void {
  const old = shownMessage(deps, sessionId, messageId)
  const parentId = parentOf(deps, old)
  if (old.role !== 'assistant' || parentId === null) throw wrongRole('Only an answer can be tried again.')
  go(deps, sessionId, {
    leafId: parentId,
    skills: skillsAt(deps.db.sql, old.id, 'before'),
    write: () => carrySummary(deps, need(deps, sessionId)),
  })
}

/** Shows the branch that was written last under this message. */
export function showBranch(deps: SessionDeps, sessionId: string, messageId: string): void {
  const tree = readTree(deps.db.sql, sessionId)
  if (!tree.nodes.some(({ id }) => id === messageId)) throw notThere()
  const leafId = newestEnd(tree, messageId)
  if (leafId === tree.leafId) return
  go(deps, sessionId, { leafId, skills: skillsAt(deps.db.sql, leafId, 'after') })
}

interface Place {
  leafId: string | null
  /** Null: not known, those of now stay. */
  skills: ActiveSkill[] | null
  /** What is written together with the move. */
  write?: () => void
}

function go(deps: SessionDeps, sessionId: string, { leafId, skills, write }: Place): void {
  const before = need(deps, sessionId)
  const after = skills ?? before.activeSkills
  deps.db.durable(() => {
    moveLeaf(deps.db.sql, sessionId, leafId)
    updateSession(deps.db.sql, sessionId, { activeSkills: after, updatedAt: deps.now() })
    noteSkills(deps, before, after)
    write?.()
  })
  deps.live.reset(sessionId, () => snapshotOf(deps, need(deps, sessionId)))
  deps.emit({ t: 'sessions.changed' })
  if (!isSame(before.activeSkills, after)) {
    const about = `skills of the branch in ${sessionId}`
    deps.emit({ t: 'notice', level: 'info', message: skillsWords(after), about, sessionId })
  }
}

/** The record of what was active stays whole: a person's choice of a branch loads and unloads. */
function noteSkills(deps: SessionDeps, before: SessionRow, after: readonly ActiveSkill[]): void {
  const note = (
    action: 'skill.loaded' | 'skill.unloaded',
    { name, key, digest, step, tokens }: ActiveSkill,
  ) =>
    deps.audit.append({
      actor: 'person',
      action,
      sessionId: before.id,
      target: name,
      data: { key, digest, step, tokens, by: 'branch' },
    })
  const isIn = (list: readonly ActiveSkill[]) => (skill: ActiveSkill) =>
    list.some(({ key, digest }) => key === skill.key && digest === skill.digest)
  for (const skill of before.activeSkills) if (!isIn(after)(skill)) note('skill.unloaded', skill)
  for (const skill of after) if (!isIn(before.activeSkills)(skill)) note('skill.loaded', skill)
}

function isSame(a: readonly ActiveSkill[], b: readonly ActiveSkill[]): boolean {
  const text = (list: readonly ActiveSkill[]) => list.map(({ key, digest }) => `${key} ${digest}`).join('\n')
  return text(a) === text(b)
}

function skillsWords(active: readonly ActiveSkill[]): string {
  const names = active.map(({ name }) => name).join(', ')
  return active.length === 0
    ? 'No skill is active here: none was at this point of the chat.'
    : `Active skills are those of this point of the chat again: ${names}.`
}

function shownMessage(deps: SessionDeps, sessionId: string, messageId: string): MessageRow {
  const found = listMessages(deps.db.sql, sessionId).find(
    ({ id, status }) => id === messageId && status !== 'queued',
  )
  if (!found) throw notThere()
  return found
}

function parentOf(deps: SessionDeps, { id, sessionId }: MessageRow): string | null {
  return readTree(deps.db.sql, sessionId).nodes.find((node) => node.id === id)?.parentId ?? null
}

function notThere(): AppError {
  return new AppError(
    'not_found',
    'This message is not part of the branch that is shown. Open the chat again.',
  )
}

function wrongRole(message: string): AppError {
  return new AppError('bad_input', message)
}
