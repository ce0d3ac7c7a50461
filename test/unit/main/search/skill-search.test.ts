import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doc, filled, keysOf, openIndex } from './support'

/** Any code point, halves of pairs included. */
const anyUnit = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))

describe('full-text search', () => {
  it.each([
    ['pdf', ['pdf', 'mail']],
    ['PDF', ['pdf', 'mail']],
    ['desk', ['pdf']],
    ['text extract', ['pdf']],
    ['arger', ['csv']],
    ['ÄRGER', ['csv']],
    ['A\u0308rger', ['csv']],
    ['处理', ['csv']],
    ['理处', []],
    ['"write a letter"', ['mail']],
    ['"letter a write"', []],
    ['pdf -letter', ['pdf']],
    ['-letter', []],
    ['logo', ['pdf']],
    ['despeckle', ['pdf']],
    ['pdf despeckle', ['pdf']],
    ['from:project pdf status:shadowed', ['pdf', 'mail']],
    ['from:project', []],
    ['nothing-like-this', []],
    ['', []],
    ['"', []],
    ['***', []],
  ])('%j finds %j', (query, want) => {
    expect(filled().keys(query)).toEqual(want)
  })

  it.each(['hookify', 'Writing Hookify Rules', 'q21', 'hokify rules', '"hookify rules" writing'])(
    'finds a skill by %j, its name as written or its handle',
    (query) => {
      const { index, keys } = filled([doc('q21', { label: 'Writing Hookify Rules' })])
      expect(keys(query)).toEqual(['q21'])
      expect(index.search(query, 1)[0]?.where).toBe('name')
    },
  )

  it('takes skills with any of the words where none has all', () => {
    expect(filled().keys('deskew columns').sort()).toEqual(['csv', 'pdf'])
  })

  it('ranks names before tags, those before descriptions, those before file names and bodies', () => {
    const bodies = { inBody: 'A zebra.' }
    const { index } = openIndex(undefined, bodies)
    const upsert = [
      doc('a-body', { skillMd: 'inBody' }),
      doc('a-text', { description: 'Feeds a zebra.' }),
      doc('a-part', { description: 'Feeds zzzebras.' }),
      doc('a-tag', { tags: ['wild', 'zebra'] }),
      doc('the-zebra'),
      doc('zebra-care'),
      doc('zebra'),
      doc('azebrab'),
    ]
    index.index({ upsert, remove: [] })
    expect(keysOf(index, 'zebra')).toEqual([
      'zebra',
      'zebra-care',
      'the-zebra',
      'azebrab',
      'a-tag',
      'a-text',
      'a-part',
      'a-body',
    ])
  })

  it('never fails, for any query', () => {
    const { index } = filled()
    const piece = fc.constantFrom(
      'a AND',
      'NEAR(',
      '"',
      "'",
      'name:',
      '*',
      '^a',
      ' NOT ',
      '{a}',
      '-a',
      '\0',
      '处',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyUnit }),
          fc.array(piece).map((pieces) => pieces.join(' ')),
        ),
        (query) => {
          expect(Array.isArray(index.search(query, 5))).toBe(true)
        },
      ),
    )
  })

  it('answers a query of thousands of words', () => {
    const { index } = filled()
    expect(keysOf(index, 'pdf '.repeat(5000))[0]).toBe('pdf')
    expect(index.search('-x '.repeat(5000), 5)).toEqual([])
  })

  it('gives at most as many as asked for', () => {
    const { index } = filled()
    expect(index.search('pdf', 1)).toHaveLength(1)
  })

  it('gives falling scores', () => {
    const { index } = filled([doc('pdf-forms'), doc('forms', { description: 'Fills a pdf.' })])
    const scores = index.search('pdf', 10).map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores).toHaveLength(4)
  })
})

describe('a hit says where it is and shows it', () => {
  it.each([
    ['pdf', { where: 'name', snippet: '\ue000pdf\ue001' }],
    ['about pdf', { where: 'description', snippet: '\ue000About\ue001 \ue000pdf\ue001.' }],
    [
      'ocr',
      { where: 'body', snippet: 'Use \ue000OCR\ue001 to deskew scanned pages before you extract text.' },
    ],
    [
      'pdf deskew',
      { where: 'body', snippet: 'Use OCR to \ue000deskew\ue001 scanned pages before you extract text.' },
    ],
    [
      'despeckle',
      {
        where: 'file',
        file: 'references/tesseract_setup.md',
        snippet: 'Binarise first. Then \ue000despeckle\ue001 the page.',
      },
    ],
    ['dark', { where: 'file', file: 'assets/Logo-Dark.png', snippet: 'assets/Logo-\ue000Dark\ue001.png' }],
    ['处理', { where: 'body', snippet: expect.stringContaining('数据\ue000处理\ue001的方法') as string }],
  ])('%j', (query, want) => {
    const [hit] = filled().index.search(query, 10)
    expect(hit).toMatchObject(want)
  })

  it('in the tags', () => {
    const { index } = filled([doc('draw', { tags: ['vector', 'svg'] })])
    expect(index.search('svg', 10)).toMatchObject([{ where: 'tags', snippet: 'vector, \ue000svg\ue001' }])
  })

  it('in the part of a long description that is not kept in memory', () => {
    const { index } = filled([
      doc('long', { description: `${'Word after word. '.repeat(40)}Walrus at last.` }),
    ])
    const [hit] = index.search('walrus', 10)
    expect(hit).toMatchObject({ where: 'description' })
    expect(hit?.snippet).toMatch(/^….*\ue000Walrus\ue001 at last\.$/u)
  })

  it('with marks of its own only, whatever stands in a skill', () => {
    const bodies = { evil: 'before \ue000fake\ue001 walrus' }
    const { index } = openIndex(undefined, bodies)
    index.index({ upsert: [doc('evil')], remove: [] })
    expect(index.search('walrus', 1)[0]?.snippet).toBe('before fake \ue000walrus\ue001')
  })

  it('for the first forty; the rest are found without', () => {
    const { index } = filled(Array.from({ length: 150 }, (_, at) => doc(`zebra-${at}`)))
    const hits = index.search('zebra', 500)
    expect(hits).toHaveLength(150)
    expect(hits.slice(0, 40).every(({ snippet }) => snippet !== '')).toBe(true)
    expect(hits.slice(40).every(({ snippet }) => snippet === '')).toBe(true)
  })
})

describe('below a page of names that match', () => {
  const bodies = { once: 'One zebra in a body of many more words than that.', often: 'Zebra, zebra, zebra.' }
  const named = Array.from({ length: 40 }, (_, at) => doc(`zebra-${at}`))
  const more = [doc('b-often', { skillMd: 'often' }), doc('a-once', { skillMd: 'once' })]

  it('bodies follow by name, without a snippet', () => {
    const { index } = openIndex(undefined, bodies)
    index.index({ upsert: [...named, ...more], remove: [] })
    expect(index.search('zebra', 500).slice(40)).toMatchObject([
      { key: 'personal:a-once', where: 'body', snippet: '' },
      { key: 'personal:b-often', where: 'body', snippet: '' },
    ])
    expect(index.search('zebra', 41)).toHaveLength(41)
    expect(keysOf(index, 'zebra -many', 500)).not.toContain('a-once')
  })

  it('and with fewer of them by how well they match', () => {
    const { index } = openIndex(undefined, bodies)
    index.index({ upsert: [...named.slice(1), ...more], remove: [] })
    expect(keysOf(index, 'zebra', 500).slice(39)).toEqual(['b-often', 'a-once'])
  })
})

describe('more bodies than are ranked', () => {
  it('come with those first whose names and texts hold more of the words, from the file and from memory', () => {
    const bodies = Object.fromEntries(
      Array.from({ length: 510 }, (_, at) => [`b${at}`, `A zebra at the lake.${' zebra'.repeat(at % 7)}`]),
    )
    const { index } = openIndex(undefined, bodies)
    const upsert = Array.from({ length: 510 }, (_, at) =>
      doc(`s${String(at).padStart(3, '0')}`, {
        skillMd: `b${at}`,
        description: at === 400 ? 'For a lake.' : 'For a sea.',
      }),
    )
    index.index({ upsert, remove: [] })
    const cold = index.search('zebra lake', 500)
    expect(cold.map(({ key }) => key.slice('personal:'.length)).slice(0, 3)).toEqual(['s400', 's000', 's001'])
    expect(cold[1]?.snippet).toContain('\ue000zebra\ue001')
    expect(cold).toHaveLength(500)
    while (!index.warm());
    expect(index.search('zebra lake', 500)).toEqual(cold)
    const scores = cold.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
})

describe('one letter', () => {
  it('is the start of a word in names, and a word in bodies', () => {
    const { index } = openIndex(undefined, { letter: 'Plan z.', word: 'A zebra.' })
    index.index({
      upsert: [doc('zoo'), doc('a', { skillMd: 'letter' }), doc('b', { skillMd: 'word' })],
      remove: [],
    })
    expect(keysOf(index, 'z')).toEqual(['zoo', 'a'])
    expect(keysOf(index, 'ze')).toEqual(['b'])
  })

  it('after other words is the start of one everywhere', () => {
    const { index } = openIndex(undefined, { word: 'A zebra at the lake.' })
    index.index({ upsert: [doc('b', { skillMd: 'word' })], remove: [] })
    expect(keysOf(index, 'lake z')).toEqual(['b'])
  })

  it('of a script without spaces is looked for as it is', () => {
    expect(filled().keys('理')).toEqual(['csv'])
  })
})

describe('names', () => {
  it.each(['pdf-forms', 'pdf forms', 'PDF_Forms'])('the skill whose name is %j comes first', (query) => {
    const { keys } = filled([
      doc('pdf-forms-extra'),
      doc('a-pdf-forms'),
      doc('other', { description: 'pdf forms pdf forms', tags: ['pdf', 'forms'] }),
      doc('pdf-forms'),
    ])
    expect(keys(query)[0]).toBe('pdf-forms')
  })

  it('whatever it is, the skill whose name is the query comes first', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,2}$/)
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const { index } = openIndex()
        index.index({ upsert: names.map((each) => doc(each, { description: names.join(' ') })), remove: [] })
        for (const each of names) expect(keysOf(index, each)[0]).toBe(each)
        index.close()
      }),
      { numRuns: 25 },
    )
  })

  it('are found with a slip of the finger, marked as they are', () => {
    const { index } = filled([doc('pdf-processing')])
    expect(index.search('proccessing pdf', 5)).toMatchObject([
      {
        key: 'personal:pdf-processing',
        where: 'name',
        snippet: '\ue000pdf\ue001-\ue000processing\ue001',
      },
    ])
  })

  it('nearly alike are not offered when the word is known', () => {
    const { keys } = filled([doc('zebra-9'), doc('zebra-99'), doc('zebrt')])
    expect(keys('zebra')).toEqual(['zebra-9', 'zebra-99'])
    expect(keys('zebro')).toEqual(['zebra-9', 'zebra-99', 'zebrt'])
  })
})
