import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openRebuildable } from '../../src/main/db/open'
import type { Connection } from '../../src/main/db/open'
import type { Task } from '../child'
import type { Listed } from '../lib/compare'
import { queriesFor } from '../lib/queries'
import { bodyOf, textsOf } from '../lib/texts'

interface BuildArgs {
  skillsDir: string
  /** List of the skills of the tree. */
  list: string
  /** File of the index to make. */
  file: string
  /** Reading the files is part of what is measured. */
  withReading: boolean
}

interface Doc {
  columns: string[]
  files: { path: string; text: string }[]
}

const SCHEMA = `
PRAGMA cache_size = -2000;
CREATE VIRTUAL TABLE docs USING fts5 (name, tags, description, files, body, tokenize = "unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE files USING fts5 (path, text, tokenize = "unicode61 remove_diacritics 2");
`

/** The texts that are indexed of a tree, put into FTS5 tables in one transaction, with no code in between. */
export const bareBuild: Task<BuildArgs> = async ({ skillsDir, list, file, withReading }) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const skills = JSON.parse(readFileSync(list, 'utf8')) as Listed[]
  const sql = openRebuildable(file, SCHEMA)
  const addDoc = sql.prepare('INSERT INTO docs (name, tags, description, files, body) VALUES (?, ?, ?, ?, ?)')
  const addFile = sql.prepare('INSERT INTO files (path, text) VALUES (?, ?)')
  const insert = sql.transaction((docs: Iterable<Doc>) => {
    for (const { columns, files } of docs) {
      addDoc.run(...columns)
      for (const { path, text } of files) addFile.run(path, text)
    }
  })
  const read = skills.map((skill) => () => docOf(join(skillsDir, skill.folder), skill))
  const before = withReading ? null : read.map((one) => one())
  const started = performance.now()
  insert(before ?? lazily(read))
  const ms = performance.now() - started
  sql.close()
  return { ms, numbers: { fileMb: statSync(file).size / 2 ** 20 } }
}

function* lazily(read: readonly (() => Doc)[]): Generator<Doc> {
  for (const one of read) yield one()
}

function docOf(dir: string, { name, description }: Listed): Doc {
  const { paths, texts } = textsOf(dir)
  return { columns: [name, '', description, paths.join('\n'), bodyOf(join(dir, 'SKILL.md'))], files: texts }
}

interface QueryArgs {
  file: string
  /** List of the skills of the tree, in the order of their rows. */
  list: string
  seed: number
  count: number
  limit: number
}

/** Hits that the search of the app gives with a snippet. */
const PAGE = 40

/** The best `limit` rows of a full-text search, with nothing around it; the first query gives the names of the first page. */
export const bareQuery: Task<QueryArgs> = async (args) => measure(args, 'page')

/** The same; what the first query gives is what the app's gives: names of all its rows, and snippets of the first page. */
export const bareAnswer: Task<QueryArgs> = async (args) => measure(args, 'all')

async function measure(
  { file, list, seed, count, limit }: QueryArgs,
  told: 'page' | 'all',
): ReturnType<Task<QueryArgs>> {
  const { body } = queriesFor(seed, count)
  const folders = (JSON.parse(readFileSync(list, 'utf8')) as Listed[]).map(({ folder }) => folder)
  const opened = performance.now()
  const sql = openRebuildable(file, 'PRAGMA cache_size = -2000;')
  const find = sql.prepare(
    'SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 16, 8, 4, 2, 1) LIMIT ?',
  )
  const ids = find.pluck().all(matchOf(body[0]!), limit) as number[]
  const answer = tell(sql, told === 'all' ? ids : ids.slice(0, PAGE))
  if (told === 'all') answer.snippets = snippetsOf(sql, body[0]!)
  const open = performance.now() - opened
  const first = Math.min(PAGE, ids.length)
  if (answer.names.length < first || (told === 'all' && answer.snippets.length < first)) {
    throw new Error('a hit has no name or no snippet')
  }
  const times = body.map((query) => {
    const before = performance.now()
    find.all(matchOf(query), limit)
    return performance.now() - before
  })
  const rows = sql.prepare('SELECT rowid FROM docs WHERE docs MATCH ? LIMIT 1000').pluck()
  const found = Object.fromEntries(
    body.map((query) => [query, (rows.all(matchOf(query)) as number[]).map((rowid) => folders[rowid - 1]!)]),
  )
  sql.close()
  return { ms: open, series: { query: times }, found }
}

interface Told {
  names: string[]
  snippets: string[]
}

/** Names of rows in their order. */
function tell(sql: Connection, ids: readonly number[]): Told {
  const name = sql.prepare('SELECT name FROM docs WHERE rowid = ?').pluck()
  return { names: ids.map((id) => name.get(id) as string), snippets: [] }
}

/** In one statement, which is faster than one for each row. */
function snippetsOf(sql: Connection, query: string): string[] {
  const snippets = sql.prepare(
    `SELECT snippet(docs, -1, '[', ']', '…', 24) FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ${PAGE}`,
  )
  return snippets.pluck().all(matchOf(query)) as string[]
}

/** All words, the last as the start of one: what the search of the app asks first. */
function matchOf(query: string): string {
  return `${query
    .split(' ')
    .map((word) => `"${word}"`)
    .join(' AND ')}*`
}
