import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { scannerOf } from './scan-support'
import { makeSkill, rootFor, tempDir } from './support'

const skillMd = (description: string) => `---\nname: csv\ndescription: ${description}\n---\n`

/** The file of the index as it is now, with what its journal holds. */
function copyIndex(from: string, to: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(from + suffix)) cpSync(from + suffix, to + suffix)
}

function rowsOf(file: string): string {
  const sql = new Database(file)
  const rows = sql.prepare('SELECT facts FROM scan').pluck().all()
  sql.close()
  return rows.join('\n')
}

it('a crash between telling of a change and keeping it costs only that the skill is read again', async () => {
  const base = tempDir()
  const root = join(base, 'skills')
  makeSkill(join(root, 'csv'), 'csv')
  makeSkill(join(root, 'pdf'), 'pdf')
  const [indexFile, left] = [join(base, 'index.db'), join(base, 'left.db')]
  const told: string[] = []
  const first = scannerOf([rootFor(root)], {
    indexFile,
    onDelta({ upsert, complete }) {
      told.push(...upsert.map(({ description }) => description))
      // What a process leaves that ends in this moment.
      if (complete && told.includes('Changed.')) copyIndex(indexFile, left)
    },
  })
  await first.look()
  writeFileSync(join(root, 'csv', 'SKILL.md'), skillMd('Changed.'))
  await first.look()
  expect(rowsOf(left)).not.toContain('Changed.')
  expect(rowsOf(left)).toContain('"pdf"')
  const next = scannerOf([rootFor(root)], { indexFile: left })
  await next.look()
  expect(next.records().map(({ name, description }) => [name, description])).toEqual(
    first.records().map(({ name, description }) => [name, description]),
  )
  expect(next.records().some(({ description }) => description === 'Changed.')).toBe(true)
})
