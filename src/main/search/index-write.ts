import type { Connection } from '../db/open'
import { metaText, searchedName } from './name-match'
import type { MetaRow } from './row-order'
import { indexable } from './search-words'
import type { SkillTexts } from './skill-texts'
import type { IndexedSkill } from './worker-contract'

/** Reads what is indexed of a skill besides its record. Neither may throw: what can't be read is empty. */
export interface SkillReaders {
  /** Body of a SKILL.md. */
  readBody(skillMd: string): string
  /** Files of a skill and the text of the small ones. */
  readTexts?: ((rootDir: string) => SkillTexts) | undefined
}

export interface IndexChanges {
  upsert: readonly IndexedSkill[]
  remove: readonly string[]
}

/** What a write did to the rows in memory. */
export interface WrittenRows {
  put: MetaRow[]
  removed: number[]
}

export interface IndexWriter {
  /** In one transaction; files are read before it begins, so that others wait less. */
  write(changes: IndexChanges): WrittenRows
}

/** Files of one skill that have a row of their own; `rowid` of `files_text` counts on it. */
export const FILES_PER_SKILL = 1024

const NO_TEXTS: SkillTexts = { paths: [], texts: [] }

export function createIndexWriter(sql: Connection, readers: SkillReaders): IndexWriter {
  let ready: ReturnType<typeof prepareWrites> | null = null
  return {
    write({ upsert, remove }) {
      ready ??= prepareWrites(sql)
      const docs = upsert.map((skill) => toDoc(skill, readers))
      return ready.immediate(docs, remove)
    },
  }
}

interface Doc {
  key: string
  stamp: string
  meta: string
  /** In the order of the columns. */
  columns: string[]
  files: { path: string; text: string }[]
}

function toDoc(skill: IndexedSkill, { readBody, readTexts }: SkillReaders): Doc {
  const { paths, texts } = readTexts?.(skill.rootDir) ?? NO_TEXTS
  const columns = [
    searchedName(skill),
    skill.tags.join(', '),
    skill.description,
    paths.join('\n'),
    readBody(skill.skillMd),
  ]
  return {
    key: skill.key,
    stamp: skill.stamp,
    meta: metaText(skill),
    columns: columns.map(clean),
    files: texts
      .slice(0, FILES_PER_SKILL)
      .map(({ path, text }) => ({ path: clean(path), text: clean(text) })),
  }
}

/** Without the marks of snippets, which no text of a skill may set. */
function clean(text: string): string {
  return indexable(/[\ue000\ue001]/u.test(text) ? text.replace(/[\ue000\ue001]/gu, ' ') : text)
}

function prepareWrites(sql: Connection) {
  const statements = prepare(sql)
  return sql.transaction((docs: readonly Doc[], remove: readonly string[]) => apply(statements, docs, remove))
}

type Statements = ReturnType<typeof prepare>

function prepare(sql: Connection) {
  return {
    forget: sql.prepare<[string]>('DELETE FROM docs WHERE key = ? RETURNING id').pluck(),
    forgetText: sql.prepare<[number]>('DELETE FROM docs_text WHERE rowid = ?'),
    forgetFiles: sql.prepare<[number, number]>('DELETE FROM files_text WHERE rowid >= ? AND rowid < ?'),
    add: sql.prepare<[string, string, string]>('INSERT INTO docs (key, stamp, text) VALUES (?, ?, ?)'),
    addText: sql.prepare(
      'INSERT INTO docs_text (rowid, name, tags, description, files, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addFile: sql.prepare('INSERT INTO files_text (rowid, path, text, skill) VALUES (?, ?, ?, ?)'),
    next: sql.prepare('UPDATE search_state SET generation = generation + 1'),
  }
}

function apply(statements: Statements, docs: readonly Doc[], remove: readonly string[]): WrittenRows {
  const removed = [...remove, ...docs.map(({ key }) => key)].flatMap((key) => forget(statements, key))
  const put = docs.map((doc) => add(statements, doc))
  statements.next.run()
  return { put, removed }
}

function forget({ forget, forgetText, forgetFiles }: Statements, key: string): number[] {
  const id = forget.get(key) as number | undefined
  if (id === undefined) return []
  forgetText.run(id)
  forgetFiles.run(id * FILES_PER_SKILL, (id + 1) * FILES_PER_SKILL)
  return [id]
}

function add({ add, addText, addFile }: Statements, { key, stamp, meta, columns, files }: Doc): MetaRow {
  const id = Number(add.run(key, stamp, meta).lastInsertRowid)
  addText.run(id, ...columns)
  for (const [at, { path, text }] of files.entries())
    addFile.run(id * FILES_PER_SKILL + at, path, text, columns[0])
  return { id, key, text: meta }
}
