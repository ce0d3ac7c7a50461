import { openSkillIndex } from '../../src/main/search/skill-index'
import type { Task } from '../child'
import { queriesFor, TYPOS } from '../lib/queries'

interface Args {
  file: string
  seed: number
  count: number
  limit: number
}

/**
 * Opening the index with the first query, then, as in the app, reading all names while nobody waits; after it queries
 * over names as they are typed, over bodies, and typos. The page cache is what the index may hold in memory (G3.3).
 */
export const indexQuery: Task<Args> = async ({ file, seed, count, limit }) => {
  const { meta, body } = queriesFor(seed, count)
  const opened = performance.now()
  const index = openSkillIndex({ file, readBody: () => '' })
  const first = index.search(body[0]!, limit)
  const ms = performance.now() - opened
  if (first.slice(0, 40).some(({ key, snippet }) => key === '' || snippet === '')) {
    throw new Error('a hit has no name or no snippet')
  }
  const idle = performance.now()
  while (!index.warm());
  const warm = performance.now() - idle
  const timesOf = (queries: readonly string[]) =>
    queries.map((query) => {
      const before = performance.now()
      index.search(query, limit)
      return performance.now() - before
    })
  const series = { meta: timesOf(meta), body: timesOf(body), typo: timesOf(TYPOS.map(([typed]) => typed)) }
  const foundOf = (query: string) => index.search(query, 1000).map(({ key }) => key)
  const typos = TYPOS.filter(([typed, meant]) =>
    foundOf(typed)
      .slice(0, 10)
      .some((folder) => folder.includes(meant)),
  ).length
  const found = Object.fromEntries([...meta, ...body].map((query) => [query, foundOf(query)]))
  index.close()
  return { ms, series, numbers: { typos, warm }, found }
}
