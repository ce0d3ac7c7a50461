import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance, letterMask, nearness } from '../../../../src/main/search/edit-distance'
import { createNameMatch, metaText } from '../../../../src/main/search/name-match'
import type { NameMatch } from '../../../../src/main/search/name-match'
import { searchTerms } from '../../../../src/main/search/search-words'

const row = (id: number, name: string, change: { tags?: string[]; description?: string } = {}) => ({
  id,
  key: `personal:${name}`,
  text: metaText({ name, tags: [], description: '', ...change }),
})

function matchOf(...names: string[]): NameMatch {
  const match = createNameMatch()
  match.put(names.map((name, id) => row(id, name)))
  return match
}

const NAMES = [
  'pdf-processing',
  'git-commit-review',
  'csv-tools',
  'database-migration',
  'docker-deploy',
  'spreadsheet-report',
  'calendar-sync',
  'kubernetes-debug',
  'terraform-plan',
  'typescript-lint',
  'translate-text',
  'meeting-notes',
]

const near = (match: NameMatch, query: string): string[] =>
  match.findNear(searchTerms(query).terms, 5).map((hit) => hit.row.key.slice('personal:'.length))

describe('a query with a slip', () => {
  it.each([
    ['proccessing pdf', 'pdf-processing'],
    ['pfd', 'pdf-processing'],
    ['comit', 'git-commit-review'],
    ['cvs', 'csv-tools'],
    ['databse migraton', 'database-migration'],
    ['dokcer', 'docker-deploy'],
    ['spredsheet', 'spreadsheet-report'],
    ['calender', 'calendar-sync'],
    ['kuberentes', 'kubernetes-debug'],
    ['terrafrom', 'terraform-plan'],
    ['tpyescript', 'typescript-lint'],
    ['tranlsate', 'translate-text'],
    ['meetingnotes', 'meeting-notes'],
    ['kuberent', 'kubernetes-debug'],
  ])('%j still finds %j first', (query, want) => {
    expect(near(matchOf(...NAMES), query)[0]).toBe(want)
  })

  it('finds tags too, and takes a word of the description as it stands', () => {
    const match = createNameMatch()
    match.put([row(1, 'forms', { tags: ['invoice'], description: 'Fills them quickly.' }), row(2, 'else')])
    expect(near(match, 'invioce')).toEqual(['forms'])
    expect(near(match, 'invioce quickly')).toEqual(['forms'])
    expect(near(match, 'invioce slowly')).toEqual([])
  })

  it.each(['xyz', 'walrus', 'rocket', 'p', 'do'])('%j, which is near to nothing, finds nothing', (query) => {
    expect(near(matchOf(...NAMES), query)).toEqual([])
  })

  it('prefers the nearest', () => {
    const match = matchOf('reporter', 'reports', 'report')
    expect(near(match, 'reportt')).toEqual(['report', 'reports', 'reporter'])
  })
})

describe('rows in memory', () => {
  const found = (match: NameMatch, query: string, limit = 10) =>
    match.find(searchTerms(query).terms, limit).map((hit) => hit.row.key.slice('personal:'.length))

  it('answer the first search after a change like every other', () => {
    const match = matchOf('b-pdf', 'pdf-b', 'a-pdf', 'pdf-a', 'pdf')
    const want = ['pdf', 'pdf-a', 'pdf-b', 'a-pdf', 'b-pdf']
    expect([found(match, 'pdf'), found(match, 'pdf'), found(match, 'pdf')]).toEqual([want, want, want])
    expect(found(match, 'pdf', 2)).toEqual(['pdf', 'pdf-a'])
    expect(found(matchOf('b-pdf', 'pdf-b', 'pdf-a', 'pdf'), 'pdf', 2)).toEqual(['pdf', 'pdf-a'])
  })

  it('are replaced and removed by their id', () => {
    const match = matchOf('pdf', 'zip')
    match.put([row(0, 'walrus')])
    match.remove([1])
    expect([found(match, 'pdf'), found(match, 'zip'), found(match, 'walrus')]).toEqual([[], [], ['walrus']])
    expect(near(match, 'wlarus')).toEqual(['walrus'])
  })

  it('take one or two letters only where a word starts', () => {
    expect(found(matchOf('update', 'data'), 'da')).toEqual(['data'])
    expect(found(matchOf('update', 'data'), 'dat')).toEqual(['data', 'update'])
  })

  it('give the same with a limit, cut off there', () => {
    const word = fc.constantFrom('pdf', 'form', 'apdf', 'pdfs', 'zip')
    const words = fc.array(word, { maxLength: 2 }).map((list) => list.join(' '))
    const skill = fc.record({ name: word, tags: words.map((tags) => [tags]), description: words })
    const typed = fc.array(word, { minLength: 1, maxLength: 2 }).map((list) => list.join(' '))
    fc.assert(
      fc.property(fc.array(skill, { maxLength: 20 }), typed, fc.nat({ max: 6 }), (skills, query, limit) => {
        const match = createNameMatch()
        match.put(skills.map((each, id) => ({ id, key: `personal:${id}`, text: metaText(each) })))
        const first = found(match, query, limit)
        expect(first).toEqual(found(match, query, 100).slice(0, limit))
        expect(found(match, query, limit)).toEqual(first)
      }),
    )
  })

  it('answer the same once their words are collected', () => {
    const word = fc.constantFrom('pdf', 'form', 'apdf', 'pdfs', 'zip', 'pd', 'überform', '处理', 'f')
    const words = fc.array(word, { maxLength: 3 }).map((list) => list.join(' '))
    const skill = fc.record({ name: word, tags: words.map((tags) => [tags]), description: words })
    const term = fc.oneof(
      word,
      fc.array(word, { minLength: 2, maxLength: 3 }).map((list) => `"${list.join(' ')}"`),
    )
    const typed = fc.array(term, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))
    fc.assert(
      fc.property(fc.array(skill, { maxLength: 20 }), typed, fc.nat({ max: 12 }), (skills, query, limit) => {
        const rows = skills.map((each, id) => ({ id, key: `personal:${id}`, text: metaText(each) }))
        const [scanned, settled] = [createNameMatch(), createNameMatch()]
        for (const match of [scanned, settled]) match.put(rows)
        while (!settled.settle());
        const { terms } = searchTerms(query)
        expect(settled.find(terms, limit)).toEqual(scanned.find(terms, limit))
        const some = rows.map(({ id }) => id).filter((id) => id % 3 > 0)
        expect(settled.byTerms(some, terms, limit)).toEqual(scanned.byTerms(some, terms, limit))
      }),
      { numRuns: 500 },
    )
  })

  it('are put in order by how many of the words they hold, then by name', () => {
    const match = matchOf('z-pdf-form', 'a-pdf', 'b-form', 'b-zip', 'a-zip')
    const ids = [3, 4, 2, 1, 0, 99]
    const ordered = (limit: number) =>
      match
        .byTerms(ids, searchTerms('pdf form').terms, limit)
        .map(({ row: { key }, held }) => `${held} ${key.slice('personal:'.length)}`)
    const want = ['2 z-pdf-form', '1 a-pdf', '1 b-form', '0 a-zip', '0 b-zip']
    expect(ordered(10)).toEqual(want)
    expect(ordered(4)).toEqual(want.slice(0, 4))
  })

  it('find exactly the rows that hold every word', () => {
    const word = fc.constantFrom('pdf', 'form', 'scan', 'ab', 'formpdf')
    const words = fc.array(word, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), words, (names, query) => {
        const match = matchOf(...names.map((name) => name.join('-')))
        const want = names.filter((name) =>
          query.every((each) =>
            each.length > 2 ? name.join(' ').includes(each) : name.some((part) => part.startsWith(each)),
          ),
        )
        expect(found(match, query.join(' '), 100).toSorted()).toEqual(
          want.map((name) => name.join('-')).toSorted(),
        )
      }),
    )
  })
})

/** The definition, without any short cut. */
function slowDistance(a: string, b: string): number {
  const cost = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const change = a[i - 1] === b[j - 1] ? 0 : 1
    const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    return Math.min(
      at(i - 1, j) + 1,
      at(i, j - 1) + 1,
      at(i - 1, j - 1) + change,
      swap ? at(i - 2, j - 2) + 1 : Infinity,
    )
  }
  const known = new Map<number, number>()
  const at = (i: number, j: number): number => {
    const key = i * 100 + j
    const value = known.get(key) ?? cost(i, j)
    known.set(key, value)
    return value
  }
  return at(a.length, b.length)
}

describe('the distance of two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

  it('is what its definition says, up to the limit', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
        expect(distance(a, b, limit)).toBe(Math.min(limit + 1, slowDistance(a, b)))
      }),
    )
  })

  it('to the start of a word is the smallest to any of its starts', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
        const starts = Array.from({ length: b.length + 1 }, (_, end) => slowDistance(a, b.slice(0, end)))
        expect(distance(a, b, limit, true)).toBe(Math.min(limit + 1, ...starts))
      }),
    )
  })

  it('never lets the quick look refuse what is near enough', () => {
    const longer = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', '0', '1', '9', 'é'),
      minLength: 4,
      maxLength: 9,
    })
    fc.assert(
      fc.property(longer, longer, (a, b) => {
        const limit = a.length < 6 ? 1 : 2
        const slow = slowDistance(a, b)
        const plausible = slow < 2 || a[0] === b[0] || (a[0] === b[1] && a[1] === b[0])
        const got = nearness({ text: a, mask: letterMask(a), open: false }, { text: b, mask: letterMask(b) })
        expect(got).toBe(slow <= limit && plausible ? slow : null)
      }),
      { numRuns: 1000 },
    )
  })
})
