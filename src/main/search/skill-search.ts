import { docFind, fileFind, metaSnippet, nearFind } from './finds'
import type { Find } from './finds'
import type { Names } from './name-match'
import { byWords } from './row-order'
import type { MetaRow } from './row-order'
import { allOf, anyOf, searchTerms } from './search-words'
import type { Term } from './search-words'
import { skillOf } from './text-search'
import type { Ranked, TextSearch } from './text-search'
import type { SkillHit } from './worker-contract'

export interface SearchParts {
  names: Names
  texts: TextSearch
}

/**
 * Hits that are looked at first. They have a snippet; what comes after them is not worth its cost, which is more than the
 * search's. With as many found in names, tags and descriptions, bodies are not ranked, and single files are left alone.
 */
const PAGE = 40
/** Where more bodies match than this, those come first whose name, tags or description hold more of the words. */
const RANKED = 500
/** Spelling is doubted when there are fewer hits than this, none of them in a name, tag or description. */
const DOUBTFUL = 3

/** Each kind of find ranks before the next. */
const SCORE = { meta: 100, body: 50, file: 40, typo: 30, any: 10 }

interface Search extends SearchParts {
  terms: readonly Term[]
  limit: number
  excluded: ReadonlySet<number>
  found: Map<number, SkillHit>
}

/**
 * Best first, at most `limit`, the first 40 with a snippet, the same whatever the order of indexing: names, tags and
 * descriptions with all words; then bodies and file names; then single files; then names nearly spelled so; then
 * skills with any of the words.
 */
export function searchSkillTexts(parts: SearchParts, query: string, limit: number): SkillHit[] {
  const { terms, excluded } = searchTerms(query)
  if (terms.length === 0) return []
  const without = excluded.length === 0 ? [] : parts.texts.ids(anyOf(excluded))
  const search: Search = { ...parts, terms, limit, excluded: new Set(without), found: new Map() }
  addMeta(search)
  const known = search.found.size > 0
  const all = allOf(terms)
  addDocs(search, all, SCORE.body)
  addFiles(search, all, SCORE.file)
  if (!known) addTypos(search)
  if (search.found.size === 0 && terms.length > 1) {
    addDocs(search, anyOf(terms), SCORE.any)
    addFiles(search, anyOf(terms), 0)
  }
  return [...search.found.values()]
}

function addMeta(search: Search): void {
  const { names, texts, terms, limit, excluded, found } = search
  const hits = names.find(terms, limit + excluded.size).filter(({ row }) => !excluded.has(row.id))
  for (const hit of hits.slice(0, limit)) {
    const snippet = found.size < PAGE ? metaSnippet(texts, hit, terms) : ''
    keep(search, hit.row, { where: hit.where, snippet }, SCORE.meta - hit.tier)
  }
}

function addDocs(search: Search, expression: string, base: number): void {
  const { names, texts, terms, limit, excluded, found } = search
  if (found.size >= limit) return
  const ids = texts.ids(expression)
  if (found.size >= PAGE || ids.length > RANKED) return addMany(search, ids, base)
  const matches = texts.docs(expression, limit + excluded.size)
  names.expect(matches.map(({ rowid }) => rowid))
  for (const { rowid, rank } of inOrder(search, matches, (id) => id)) {
    if (found.size >= limit) return
    const row = names.get(rowid)
    if (!row || !isFresh(search, rowid)) continue
    keep(search, row, found.size < PAGE ? docFind(texts, row, terms) : UNSEEN, base + portion(rank))
  }
}

/** In a text that is not looked at. */
const UNSEEN: Find = { where: 'body', snippet: '' }

/** A rank of so many takes ten times as long as finding them, and says little. */
function addMany(search: Search, ids: readonly number[], base: number): void {
  const { names, texts, terms, limit, excluded, found } = search
  const most = limit + excluded.size + found.size
  for (const { row, held } of names.byTerms(ids, terms, most)) {
    if (found.size >= limit) return
    if (!isFresh(search, row.id)) continue
    const find = found.size < PAGE ? docFind(texts, row, terms) : UNSEEN
    keep(search, row, find, base + (9 * held) / terms.length)
  }
}

function addFiles(search: Search, expression: string, base: number): void {
  const { names, texts, terms, limit, excluded, found } = search
  if (found.size >= Math.min(PAGE, limit)) return
  const matches = texts.files(expression, limit + excluded.size)
  names.expect(matches.map(({ rowid }) => skillOf(rowid)))
  for (const { rowid, rank } of inOrder(search, matches, skillOf)) {
    if (found.size >= limit) return
    const row = names.get(skillOf(rowid))
    if (!row || !isFresh(search, row.id)) continue
    const find = fileFind(texts, rowid, terms)
    if (find) keep(search, row, find, base + portion(rank))
  }
}

function addTypos(search: Search): void {
  const { names, texts, terms, excluded, found, limit } = search
  if (found.size >= Math.min(DOUBTFUL, limit)) return
  for (const { row, distance, meant } of names.findNear(terms, limit + excluded.size)) {
    if (found.size >= limit) return
    if (isFresh(search, row.id)) keep(search, row, nearFind(texts, row, meant), SCORE.typo - distance)
  }
}

function keep({ found }: Search, { id, key }: MetaRow, find: Find, score: number): void {
  found.set(id, { key, score, ...find })
}

function isFresh({ excluded, found }: Search, id: number): boolean {
  return !excluded.has(id) && !found.has(id)
}

/** By rank; equal ones in the order of their rows, then by rowid, which within a skill follows the path. */
function inOrder({ names }: Search, matches: readonly Ranked[], idOf: (rowid: number) => number): Ranked[] {
  return matches.toSorted((a, b) => {
    if (a.rank !== b.rank) return a.rank - b.rank
    const [rowA, rowB] = [names.get(idOf(a.rowid)), names.get(idOf(b.rowid))]
    return (rowA && rowB ? byWords(rowA, rowB) : 0) || a.rowid - b.rowid
  })
}

/** A rank of bm25, which is negative, as a part of 10. */
function portion(rank: number): number {
  return (-rank / (1 - rank)) * 9.9
}
