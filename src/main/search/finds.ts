import type { MetaHit } from './name-match'
import type { MetaRow } from './row-order'
import type { Term } from './search-words'
import { snippetOf } from './snippet'
import type { TextSearch } from './text-search'
import type { SkillHit } from './worker-contract'

/** Where the words were found, for the reader. */
export type Find = Pick<SkillHit, 'where' | 'file' | 'snippet'>

/** The words in the name, the tags or the description. */
export function metaSnippet(texts: TextSearch, { row, where }: MetaHit, terms: readonly Term[]): string {
  return snippetOf(texts.short(row.id)[where], tokensOf(terms), { inside: true }) ?? ''
}

/** Words that the row in memory lacks are looked for first: the reader doesn't see them yet. */
export function docFind(texts: TextSearch, row: MetaRow, terms: readonly Term[]): Find {
  const tokens = tokensOf(terms).sort((a, b) => Number(row.text.includes(a)) - Number(row.text.includes(b)))
  const { body, files } = texts.long(row.id)
  const need = tokens.slice(0, 1)
  const inBody = snippetOf(body, tokens, { need })
  if (inBody !== null) return { where: 'body', snippet: inBody }
  const path = files.split('\n').find((each) => snippetOf(each, need) !== null)
  if (path !== undefined) return { where: 'file', file: path, snippet: snippetOf(path, tokens) ?? path }
  const described = snippetOf(texts.short(row.id).description, tokens, { need })
  if (described !== null) return { where: 'description', snippet: described }
  return { where: 'body', snippet: snippetOf(body, tokens) ?? '' }
}

/** The words in a file, or in its path. Null when it is gone. */
export function fileFind(texts: TextSearch, rowid: number, terms: readonly Term[]): Find | null {
  const file = texts.file(rowid)
  if (!file) return null
  const tokens = tokensOf(terms)
  const snippet = snippetOf(file.text, tokens) ?? snippetOf(file.path, tokens) ?? ''
  return { where: 'file', file: file.path, snippet }
}

/** The words that were meant, in the name or the tags. */
export function nearFind(texts: TextSearch, row: MetaRow, meant: readonly string[]): Find {
  const { name, tags } = texts.short(row.id)
  const words = meant.flatMap((word) => word.split(' '))
  const inName = snippetOf(name, words)
  const inTags = inName === null ? snippetOf(tags, words) : null
  if (inTags !== null) return { where: 'tags', snippet: inTags }
  return { where: 'name', snippet: inName ?? name }
}

function tokensOf(terms: readonly Term[]): string[] {
  return [...new Set(terms.flatMap(({ tokens }) => tokens))]
}
