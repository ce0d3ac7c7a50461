import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRebuildable } from '../../../../src/main/db/open'
import { openSkillIndex } from '../../../../src/main/search/skill-index'
import type { SkillIndex } from '../../../../src/main/search/skill-index'
import { later, tempDir } from '../skills/support'

const BODIES: Record<string, string> = {
  pdf: 'Use OCR to deskew scanned pages before you extract text.',
  mail: 'Write a letter. Attach the pdf.',
  csv: 'Sum the columns of a table. Ärger mit Umlauten.',
}

function open(file = join(tempDir(), 'index.db')): { file: string; index: SkillIndex } {
  const index = openSkillIndex({ file, readBody: (path) => BODIES[path] ?? '' })
  later(() => index.close())
  return { file, index }
}

const doc = (name: string, change: { description?: string; stamp?: string } = {}) => ({
  key: `personal:${name}`,
  name,
  description: `About ${name}.`,
  skillMd: name,
  stamp: '1',
  ...change,
})

function filled(): { file: string; index: SkillIndex; keys: (query: string) => string[] } {
  const opened = open()
  opened.index.index({ upsert: Object.keys(BODIES).map((name) => doc(name)), remove: [] })
  return { ...opened, keys: (query) => opened.index.search(query, 10).map(({ key }) => key.slice(9)) }
}

describe('full-text search', () => {
  it.each([
    ['pdf', ['pdf', 'mail']],
    ['PDF', ['pdf', 'mail']],
    ['desk', ['pdf']],
    ['text extract', ['pdf']],
    ['arger', ['csv']],
    ['pdf columns', ['pdf', 'csv', 'mail']],
    ['nothing-like-this', []],
    ['', []],
    ['"', []],
  ])('%j finds %j, names before descriptions before bodies', (query, want) => {
    const found = filled().keys(query)
    expect(query === 'pdf columns' ? found.sort() : found).toEqual(
      query === 'pdf columns' ? [...want].sort() : want,
    )
  })

  it('shows the words around the match as plain text', () => {
    const [hit] = filled().index.search('deskew', 10)
    expect(hit?.snippet).toBe('Use OCR to deskew scanned pages before you extract text.')
  })

  it('never fails, for any query', () => {
    const { index } = filled()
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.constantFrom('a AND', 'NEAR(', '"', "'", 'name:x', '*', '^a', 'a NOT b', '{a}', '-a'),
        ),
        (query) => {
          expect(Array.isArray(index.search(query, 5))).toBe(true)
        },
      ),
    )
  })

  it('gives at most as many as asked for', () => {
    const { index } = filled()
    expect(index.search('pdf', 1)).toHaveLength(1)
  })
})

describe('the index', () => {
  it('replaces a changed skill and forgets a removed one', () => {
    const { index, keys } = filled()
    index.index({ upsert: [doc('pdf', { description: 'Zebra.', stamp: '2' })], remove: ['personal:mail'] })
    expect(keys('zebra')).toEqual(['pdf'])
    expect(keys('pdf')).toEqual(['pdf'])
    expect(keys('letter')).toEqual([])
    expect(index.stamps().sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: 'personal:csv', stamp: '1' },
      { key: 'personal:pdf', stamp: '2' },
    ])
  })

  it('is still there after it was closed', () => {
    const { file, index } = filled()
    index.close()
    const again = open(file)
    expect(again.index.search('deskew', 10)).toHaveLength(1)
  })

  it.each([
    ['a damaged file', (file: string) => writeFileSync(file, 'no database at all '.repeat(500))],
    [
      'an index of another version',
      (file: string) => {
        const sql = openRebuildable(file, 'PRAGMA user_version = 99')
        sql.close()
      },
    ],
  ])('%s is made anew', (_what, damage) => {
    const { file, index } = filled()
    index.close()
    for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) writeFileSync(file + suffix, '')
    damage(file)
    const again = open(file)
    expect(again.index.stamps()).toEqual([])
    again.index.index({ upsert: [doc('pdf')], remove: [] })
    expect(again.index.search('deskew', 10)).toHaveLength(1)
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
  })
})
