import { z } from 'zod'
import { ActiveSkill } from '@shared/domain/session'
import { commonStart } from '../lib/list-memo'
import { readJson } from './json-column'
import type { Connection } from './open'
import { prepared } from './prepared'
import { createRowMemory } from './row-memory'

/** The messages of a chat as a tree: each follows another, siblings follow the same one. Nothing in it is rewritten. */
export interface Tree {
  /** In the order in which they were said. Messages in the queue are not part of it. */
  nodes: readonly TreeNode[]
  /** The end of the branch that is shown. */
  leafId: string | null
}

export interface TreeNode {
  id: string
  parentId: string | null
}

interface RawNode {
  id: string
  parent_id: string | null
  status: string
}

export const nodesOf = createRowMemory<RawNode, TreeNode>({
  table: 'messages',
  columns: 'parent_id, status',
  order: 'seq',
  toRow: ({ id, parent_id, status }) => (status === 'queued' ? null : { id, parentId: parent_id }),
  isSame: (before, now) => before.parentId === now.parentId,
})

export function readTree(sql: Connection, sessionId: string): Tree {
  const nodes = nodesOf.list(sql, sessionId)
  const leafId = leafOf(sql, sessionId)
  // An end that is lost must not hide the chat.
  const known = nodes.findLast(({ id }) => id === leafId) ?? nodes.at(-1)
  return { nodes, leafId: known?.id ?? null }
}

/** The end of the branch that is shown, as it is stored. */
export function leafOf(sql: Connection, sessionId: string): string | null {
  const session = prepared(sql, 'SELECT leaf_id AS leafId FROM sessions WHERE id = ?').get(sessionId)
  return (session as Pick<Tree, 'leafId'> | undefined)?.leafId ?? null
}

/** The ids from the beginning of the chat to the end of the branch that is shown. */
export function shownIds({ nodes, leafId }: Tree): ReadonlySet<string> {
  const [first] = nodes
  if (!first) return new Set()
  const last = shownOf.get(first)
  if (last?.nodes === nodes && last.leafId === leafId) return last.shown
  const shown = (last && grown(last, { nodes, leafId })) ?? walk(nodes, leafId)
  shownOf.set(first, { nodes, leafId, shown })
  return shown
}

interface Shown extends Tree {
  shown: ReadonlySet<string>
}

/** By the first message of a chat. */
const shownOf = new WeakMap<TreeNode, Shown>()
/** Sets that came of one another by adding to the branch have the same first one. */
const roots = new WeakMap<ReadonlySet<string>, object>()

/** What was said since, behind the end that was shown; null: the branch is another one. */
function grown(last: Shown, { nodes, leafId }: Tree): ReadonlySet<string> | null {
  if (commonStart(last.nodes, nodes) < last.nodes.length) return null
  const later = new Map(nodes.slice(last.nodes.length).map(({ id, parentId }) => [id, parentId]))
  const added: string[] = []
  let id = leafId
  for (; id !== null && id !== last.leafId && added.length < later.size && later.has(id);) {
    added.push(id)
    id = later.get(id) ?? null
  }
  if (id !== last.leafId) return null
  const shown = new Set(last.shown)
  for (const one of added.toReversed()) shown.add(one)
  roots.set(shown, rootOf(last.shown))
  return shown
}

function rootOf(shown: ReadonlySet<string>): object {
  return roots.get(shown) ?? shown
}

function walk(nodes: readonly TreeNode[], leafId: string | null): ReadonlySet<string> {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
  const shown = new Set<string>()
  // A loop can only come from damage.
  for (let id = leafId; id !== null && parents.has(id) && !shown.has(id); id = parents.get(id) ?? null) {
    shown.add(id)
  }
  return shown
}

/** Of the rows those that are on the branch; the same list for the same rows and branch. */
export function onBranch<Row extends object>(
  rows: readonly Row[],
  shown: ReadonlySet<string>,
  isOn: (row: Row) => boolean,
): readonly Row[] {
  const [first] = rows
  if (!first) return rows
  const last = filtered.get(first)
  if (last?.rows === rows && last.shown === shown) return last.on as readonly Row[]
  // Where every row was on the branch, and that only grew, those of before still are.
  const isKnown = last !== undefined && last.on === last.rows && rootOf(last.shown) === rootOf(shown)
  const from = isKnown && last.shown.size <= shown.size ? commonStart<object>(last.rows, rows) : 0
  const on = rows.every((row, at) => at < from || isOn(row)) ? rows : rows.filter(isOn)
  filtered.set(first, { rows, shown, on })
  return on
}

interface Filtered {
  rows: readonly object[]
  shown: ReadonlySet<string>
  /** The rows themselves where all are on the branch. */
  on: readonly object[]
}

/** By the first row of a chat. */
const filtered = new WeakMap<object, Filtered>()

/** Makes a new message the end of the branch that is shown, and notes the skills that are active now. */
export function appendToBranch(sql: Connection, { id, sessionId }: { id: string; sessionId: string }): void {
  prepared(
    sql,
    `UPDATE messages SET
         parent_id = (SELECT leaf_id FROM sessions WHERE id = @sessionId),
         skills_before = (SELECT active_skills FROM sessions WHERE id = @sessionId)
       WHERE id = @id`,
  ).run({ id, sessionId })
  setLeaf(sql, sessionId, id)
}

/** Goes to another end: the skills that are active now are kept with the end that is left. */
export function moveLeaf(sql: Connection, sessionId: string, leafId: string | null): void {
  prepared(
    sql,
    `UPDATE messages SET skills_after = (SELECT active_skills FROM sessions WHERE id = @sessionId)
       WHERE id = (SELECT leaf_id FROM sessions WHERE id = @sessionId)`,
  ).run({ sessionId })
  setLeaf(sql, sessionId, leafId)
}

/** Active skills when this message was said, or when the branch that ends with it was left; null: not known. */
export function skillsAt(sql: Connection, id: string, when: 'before' | 'after'): ActiveSkill[] | null {
  const row = prepared(sql, `SELECT skills_${when} AS skills FROM messages WHERE id = ?`).get(id)
  const text = (row as { skills: string | null } | undefined)?.skills ?? null
  return readJson(z.array(ActiveSkill).nullable(), text, null)
}

function setLeaf(sql: Connection, sessionId: string, leafId: string | null): void {
  prepared(sql, 'UPDATE sessions SET leaf_id = ? WHERE id = ?').run(leafId, sessionId)
}
