import type { SessionDetail } from '@shared/domain/session'
import { shownIds, type Tree } from '../../db/branch-rows'

/** Where the branch that is shown could have gone another way, and how many branches there are. */
export function branchesOf(tree: Tree): SessionDetail['branches'] {
  if (isLine(tree)) return { count: 1, at: 1, points: [] }
  const shown = shownIds(tree)
  const children = new Map<string | null, string[]>()
  for (const { id, parentId } of tree.nodes) children.set(parentId, [...(children.get(parentId) ?? []), id])
  const points = tree.nodes.flatMap(({ id, parentId }) => {
    const siblings = children.get(parentId) ?? []
    return shown.has(id) && siblings.length > 1 ? [{ messageId: id, siblings }] : []
  })
  const ends = tree.nodes.filter(({ id }) => !children.has(id))
  const at = ends.findIndex(({ id }) => id === tree.leafId)
  return { count: Math.max(ends.length, 1), at: Math.max(at, 0) + 1, points }
}

/** Nearly every chat is one: each message follows the one before it. */
function isLine({ nodes, leafId }: Tree): boolean {
  if (nodes.at(-1)?.id !== leafId) return false
  return nodes.every(({ parentId }, at) => parentId === (nodes[at - 1]?.id ?? null))
}

/** The end of the branch that was written last under this message. */
export function newestEnd({ nodes }: Tree, messageId: string): string {
  const under = new Set([messageId])
  // A message always follows one that was said before it.
  for (const { id, parentId } of nodes) if (parentId !== null && under.has(parentId)) under.add(id)
  return [...under].at(-1) ?? messageId
}
