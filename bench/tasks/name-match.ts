import { readFileSync } from 'node:fs'
import { createNameMatch, metaText } from '../../src/main/search/name-match'
import { searchTerms } from '../../src/main/search/search-words'
import type { Task } from '../child'
import type { Listed } from '../lib/compare'
import { queriesFor } from '../lib/queries'

interface Args {
  list: string
  seed: number
  limit: number
}

/** The part of a search that looks at names, tags and the start of descriptions, without full text. */
export const nameMatch: Task<Args> = async ({ list, seed, limit }) => {
  const skills = JSON.parse(readFileSync(list, 'utf8')) as Listed[]
  const started = performance.now()
  const names = createNameMatch()
  names.put(skills.map((skill, id) => ({ id, key: skill.folder, text: metaText({ ...skill, tags: [] }) })))
  const ms = performance.now() - started
  const query = queriesFor(seed, skills.length).meta.map((text) => {
    const before = performance.now()
    names.find(searchTerms(text).terms, limit)
    return performance.now() - before
  })
  return { ms, series: { query } }
}
