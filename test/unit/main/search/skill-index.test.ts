import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRebuildable } from '../../../../src/main/db/open'
import { openIndexFile } from '../../../../src/main/search/index-file'
import { later, tempDir } from '../skills/support'
import { doc, filled, keysOf, openIndex } from './support'
import { tries } from '../../../helpers/sample'

describe('the index', () => {
  it('replaces a changed skill and forgets a removed one', () => {
    const { index, keys } = filled()
    expect(keys('letter')).toEqual(['mail'])
    index.index({
      upsert: [doc('pdf', { description: 'Zebra.', rootDir: 'none', stamp: '2' })],
      remove: ['personal:mail', 'personal:never-there'],
    })
    expect(keys('zebra')).toEqual(['pdf'])
    expect(keys('pdf')).toEqual(['pdf'])
    expect(keys('about pdf')).toEqual(['pdf', 'csv'])
    expect(keys('letter')).toEqual([])
    expect(keys('despeckle')).toEqual([])
    expect(keys('logo')).toEqual([])
    expect(index.stamps().sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: 'personal:csv', stamp: '1' },
      { key: 'personal:pdf', stamp: '2' },
    ])
  })

  it('answers the same whatever the order in which skills came', () => {
    const word = fc.constantFrom('pdf', 'form', 'forms', 'scan', 'table', 'zebra')
    const skill = fc.record({
      name: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join('-')),
      description: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
      body: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    })
    const list = fc.array(skill, { minLength: 2, maxLength: 12 })
    const query = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(list, query, fc.integer({ min: 1, max: 4 }), fc.nat(), (skills, text, limit, turn) => {
        const bodies = Object.fromEntries(skills.map(({ body }, at) => [`b${at}`, body]))
        const docs = skills.map(({ name, description }, at) =>
          doc(name, { key: `personal:${at}`, description, skillMd: `b${at}` }),
        )
        const at = turn % docs.length
        const answers = [docs, docs.toReversed(), [...docs.slice(at), ...docs.slice(0, at)]].map((order) => {
          const { index } = openIndex(undefined, bodies)
          for (const each of order) index.index({ upsert: [each], remove: [] })
          const twice = [index.search(text, limit), index.search(text, limit)]
          index.close()
          expect(twice[1]).toEqual(twice[0])
          return twice[0]
        })
        expect(answers[1]).toEqual(answers[0])
        expect(answers[2]).toEqual(answers[0])
      }),
      { numRuns: tries(25) },
    )
  })

  it('is still there after it was closed', () => {
    const { file, index } = filled()
    index.close()
    const again = openIndex(file)
    expect(again.index.fresh).toBe(false)
    expect(again.index.search('deskew', 10)).toHaveLength(1)
  })

  it('answers the first question from the file as it answers the next from memory', () => {
    const word = fc.constantFrom('pdf', 'form', 'forms', 'scan', 'zebra', 'überform', '处理', 'z')
    const words = (max: number) => fc.array(word, { minLength: 1, maxLength: max })
    const skill = fc.record({ name: words(2), tags: words(2), text: words(3), body: words(4) })
    const query = fc
      .tuple(words(2), fc.constantFrom('', ' -scan', ' zebro', ' "pdf form"'))
      .map(([typed, more]) => `${typed.join(' ').slice(0, -1)}${more}`)
    fc.assert(
      fc.property(
        fc.array(skill, { maxLength: 60 }),
        query,
        fc.constantFrom(3, 500),
        (skills, text, limit) => {
          const bodies = Object.fromEntries(skills.map(({ body }, at) => [`b${at}`, body.join(' ')]))
          const { index, file } = openIndex(undefined, bodies)
          const upsert = skills.map(({ name, tags, text: said }, at) =>
            doc(name.join('-'), { key: `k${at}`, tags, description: said.join(' '), skillMd: `b${at}` }),
          )
          index.index({ upsert, remove: [] })
          const cold = index.search(text, limit)
          const known = openIndex(file, bodies).index
          while (!known.warm());
          expect(known.search(text, limit)).toEqual(cold)
          const kept = openIndex(file, bodies).index
          expect(kept.search(text, limit)).toEqual(cold)
          kept.close()
          expect(index.search(text, limit)).toEqual(cold)
          known.close()
          index.close()
        },
      ),
      { numRuns: tries(40) },
    )
  })

  it('puts many bodies in the same order by kept words as in memory, and forgets kept words when it is written', () => {
    const bodies = { all: 'zebra and form' }
    const names = Array.from({ length: 620 }, (_, at) => ['pdf', 'zebra', 'form', 'zebra-form'][at % 4]!)
    const upsert = names.map((name, at) =>
      doc(`${name}-${(at * 37) % 620}`, { key: `k${at}`, skillMd: 'all' }),
    )
    const { index, file } = openIndex(undefined, bodies)
    index.index({ upsert, remove: [] })
    while (!index.warm());
    for (const query of ['zebra', 'form zebra', '"zebra and"', 'zebra-form-3', 'm ze']) {
      const cold = openIndex(file, bodies).index
      expect(cold.search(query, 500)).toEqual(index.search(query, 500))
      cold.close()
    }
    index.index({ upsert: [doc('zebra', { key: 'new' })], remove: ['k1'] })
    const cold = openIndex(file, bodies).index
    expect(cold.search('zebra', 500)[0]!.key).toBe('new')
    expect(cold.search('zebra', 500)).toEqual(index.search('zebra', 500))
  })

  it('sees what another process wrote, in memory too', () => {
    const { file, index, keys } = filled()
    expect(keys('zebra')).toEqual([])
    const other = openIndex(file)
    other.index.index({ upsert: [doc('zebra')], remove: ['personal:pdf'] })
    expect(keys('zebra')).toEqual(['zebra'])
    index.index({ upsert: [doc('zebra-two')], remove: [] })
    expect(keys('zebra')).toEqual(['zebra', 'zebra-two'])
    expect(keysOf(other.index, 'zebra')).toEqual(['zebra', 'zebra-two'])
    expect(keysOf(other.index, 'deskew')).toEqual([])
  })

  it('writes all of a change or nothing', () => {
    const { index, keys } = filled()
    const twice = [doc('zebra'), doc('zebra')]
    expect(() => index.index({ upsert: twice, remove: ['personal:pdf'] })).toThrowError(/UNIQUE/)
    expect(keys('zebra')).toEqual([])
    expect(keys('deskew')).toEqual(['pdf'])
  })

  it.each([
    ['a damaged file', (file: string) => writeFileSync(file, 'no database at all '.repeat(500))],
    [
      'an index of another version',
      (file: string) => {
        const sql = openRebuildable(file, 'UPDATE search_state SET version = 99')
        sql.close()
      },
    ],
    [
      'an index from before there were versions',
      (file: string) => {
        const sql = openRebuildable(file, 'DROP TABLE search_state')
        sql.close()
      },
    ],
  ])('%s is made anew', (_what, damage) => {
    const { file, index } = filled()
    index.close()
    for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) writeFileSync(file + suffix, '')
    damage(file)
    const again = openIndex(file)
    expect([index.fresh, again.index.fresh]).toEqual([true, true])
    expect(again.index.stamps()).toEqual([])
    expect(again.index.search('deskew', 10)).toEqual([])
    again.index.index({ upsert: [doc('pdf')], remove: [] })
    expect(again.index.search('deskew', 10)).toHaveLength(1)
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
  })

  it('of another version leaves tables alone that are not its own', () => {
    const { file, index } = filled()
    index.close()
    const sql = openRebuildable(file, 'CREATE TABLE scan (path); UPDATE search_state SET version = 1')
    later(() => void sql.close())
    openIndex(file)
    expect(sql.prepare('SELECT count(*) FROM scan').pluck().get()).toBe(0)
  })

  it('keeps at most 2 MB of pages in memory', () => {
    const { sql } = openIndexFile(join(tempDir(), 'index.db'))
    later(() => void sql.close())
    expect(sql.pragma('cache_size', { simple: true })).toBe(-2000)
  })
})
