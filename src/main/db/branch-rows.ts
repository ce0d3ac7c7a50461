import { z } from 'zod'
import { ActiveSkill } from '@shared/domain/session'
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

const nodesOf = createRowMemory<RawNode, TreeNode>({
  table: 'messages',
  columns: 'parent_id, status',
  order: 'seq',
  toRow: ({ id, parent_id, status }) => (status === 'queued' ? null : { id, parentId: parent_id }),
  isSame: (before, now) => before.parentId === now.parentId,
})

export function readTree(sql: Connection, sessionId: string): Tree {
  const nodes = nodesOf.list(sql, sessionId)
  const session = prepared(sql, 'SELECT leaf_id AS leafId FROM sessions WHERE id = ?').get(sessionId)
  const leafId = (session as Pick<Tree, 'leafId'> | undefined)?.leafId
  // An end that is lost must not hide the chat.
  const known = nodes.findLast(({ id }) => id === leafId) ?? nodes.at(-1)
  return { nodes, leafId: known?.id ?? null }
}

/** The ids from the beginning of the chat to the end of the branch that is shown. */
export function shownIds({ nodes, leafId }: Tree): ReadonlySet<string> {
  const known = shownOf.get(nodes)
  if (known?.leafId === leafId) return known.shown
  const shown = walk(nodes, leafId)
  shownOf.set(nodes, { leafId, shown })
  return shown
}

/** The nodes stay the same list while nothing is said. */
const shownOf = new WeakMap<readonly TreeNode[], { leafId: string | null; shown: ReadonlySet<string> }>()

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
  const known = filtered.get(rows)
  if (known?.shown === shown) return known.on as readonly Row[]
  const on = rows.filter(isOn)
  filtered.set(rows, { shown, on })
  return on
}

const filtered = new WeakMap<readonly object[], { shown: ReadonlySet<string>; on: readonly object[] }>()

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
