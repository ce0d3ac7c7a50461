import { array, assert, constant, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shownIds, type Tree } from '../../../../../src/main/db/branch-rows'
import { branchesOf, newestEnd } from '../../../../../src/main/sessions/history/branch-tree'

/** Any tree: each message follows one that was said before it, or begins the chat. */
const trees = array(nat(), { minLength: 1, maxLength: 30 }).chain((numbers) => {
  const nodes = numbers.map((n, at) => {
    const parent = n % (at + 1)
    return { id: `m${at}`, parentId: parent === at ? null : `m${parent}` }
  })
  return record({
    nodes: constant(nodes),
    leafId: constantFrom(...nodes.map(({ id }) => id)),
  })
})

describe('branches of a chat', () => {
  test('whichever message is chosen, the branch that is then shown holds it', () => {
    assert(
      property(trees, nat(), (tree: Tree, n) => {
        const chosen = tree.nodes[n % tree.nodes.length]!.id
        const end = newestEnd(tree, chosen)
        expect(tree.nodes.some(({ parentId }) => parentId === end)).toBe(false)
        expect(shownIds({ ...tree, leafId: end }).has(chosen)).toBe(true)
      }),
    )
  })

  test('every branch can be reached by going to siblings only', () => {
    assert(
      property(trees, (tree: Tree) => {
        const ends = tree.nodes.filter(({ id }) => tree.nodes.every(({ parentId }) => parentId !== id))
        const reached = new Set<string>()
        const todo = [newestEnd(tree, tree.leafId!)]
        for (let leafId = todo.pop(); leafId !== undefined; leafId = todo.pop()) {
          if (reached.has(leafId)) continue
          reached.add(leafId)
          const { points } = branchesOf({ ...tree, leafId })
          todo.push(...points.flatMap(({ siblings }) => siblings.map((id) => newestEnd(tree, id))))
        }
        expect([...reached].sort()).toEqual(ends.map(({ id }) => id).sort())
        expect(branchesOf(tree).count).toBe(ends.length)
      }),
    )
  })

  test('a parent that is lost or follows itself ends the walk', () => {
    const lost: Tree = { nodes: [{ id: 'b', parentId: 'a' }], leafId: 'b' }
    expect([...shownIds(lost)]).toEqual(['b'])
    const loop: Tree = {
      nodes: [
        { id: 'a', parentId: 'b' },
        { id: 'b', parentId: 'a' },
      ],
      leafId: 'b',
    }
    expect([...shownIds(loop)]).toEqual(['b', 'a'])
  })
})
