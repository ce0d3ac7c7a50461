import type { Connection } from '../db/open'
import { lazyStatement } from '../db/prepared'
import { createColdNames, NAME_COLUMNS, toRow } from './cold-names'
import type { NameColumns } from './cold-names'
import { openIndexFile } from './index-file'
import { createIndexWriter } from './index-write'
import type { IndexChanges, SkillReaders } from './index-write'
import { hasKeptWords, keepWords, readKeptWords } from './kept-words'
import { createNameMatch } from './name-match'
import type { NameMatch, Names } from './name-match'
import type { MetaRow } from './row-order'
import { searchSkillTexts } from './skill-search'
import { createTextSearch } from './text-search'
import type { SkillHit } from './worker-contract'

/** Full text of names, tags, descriptions, bodies and files. A file that can be rebuilt at any time. */
export interface SkillIndex {
  /** It was empty when it was opened: a new one, or one that had to be made anew. */
  fresh: boolean
  stamps(): { key: string; stamp: string }[]
  /** In one transaction. */
  index(changes: IndexChanges): void
  /**
   * The words and phrases of what was typed, operators left aside (their answer depends on the project; a query of
   * operators only finds nothing here). Best first; snippets mark the words by U+E000 and U+E001. Never fails because
   * of a query.
   */
  search(query: string, limit: number): SkillHit[]
  /**
   * One step, of at most some tens of milliseconds, of making ready what the next search would read or collect: for moments
   * when nobody waits. True when there is nothing left to do.
   */
  warm(): boolean
  close(): void
}

export type SkillIndexDeps = SkillReaders & { file: string }

/** Opens the index; one that is damaged or of another version is made anew, without a word. */
export function openSkillIndex(deps: SkillIndexDeps): SkillIndex {
  const { sql, fresh } = openIndexFile(deps.file)
  const writer = createIndexWriter(sql, deps)
  const texts = createTextSearch(sql)
  const names = currentNames(sql)
  return {
    fresh,
    stamps: () => sql.prepare('SELECT key, stamp FROM docs').all() as { key: string; stamp: string }[],
    index(changes) {
      const before = names.generation()
      const { put, removed } = writer.write(changes)
      names.follow(before, put, removed)
    },
    search: (query, limit) => searchSkillTexts({ names: names.get(), texts }, query, limit),
    warm: names.warm,
    close: () => void sql.close(),
  }
}

interface CurrentNames {
  /** Those of the file at first, then those in memory; loaded again when another connection wrote. */
  get(): Names
  warm(): boolean
  generation(): number
  /** Takes over what this connection wrote after that generation, unless somebody else wrote between. */
  follow(before: number, put: readonly MetaRow[], removed: readonly number[]): void
}

/** The rows in memory, read when they are asked for a second time. */
function currentNames(sql: Connection): CurrentNames {
  const names = createNameMatch()
  const readGeneration = lazyStatement(sql, 'SELECT generation FROM search_state', 'values')
  const generation = () => readGeneration().get() as number
  const rows = lazyStatement(sql, `SELECT ${NAME_COLUMNS} FROM docs`, 'arrays')
  let loaded = -1
  let asked = false
  const load = () => {
    const now = generation()
    if (now === loaded) return names
    names.clear()
    names.put((rows().all() as NameColumns[]).map(toRow))
    loaded = now
    return names
  }
  return {
    generation,
    get() {
      if (asked || loaded >= 0) return load()
      asked = true
      return createColdNames({ sql, kept: once(() => readKeptWords(sql, generation())), load })
    },
    warm() {
      if (generation() !== loaded) load()
      else if (names.settle()) return keepSettled(sql, names, loaded)
      return false
    },
    follow(before, put, removed) {
      if (loaded !== before || generation() !== before + 1) return
      names.remove(removed)
      names.put(put)
      loaded = before + 1
    },
  }
}

/** True when they are kept already. */
function keepSettled(sql: Connection, names: NameMatch, generation: number): boolean {
  const settled = names.settled()
  if (!settled || hasKeptWords(sql, generation)) return true
  keepWords(sql, generation, settled)
  return true
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
