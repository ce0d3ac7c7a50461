import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NEARLY_EQUAL, nearlyEqual } from '@shared/skill-check/similar'
import { catalogueOverflow, checkTogether } from '@shared/skill-check/together'
import type { TogetherSkill } from '@shared/skill-check/together'

const skill = (key: string, over: Partial<TogetherSkill> = {}): TogetherSkill => ({
  key,
  name: key,
  folder: key,
  scope: 'personal',
  description: '',
  requires: [],
  effective: true,
  hidden: false,
  ...over,
})
const codes = (skills: TogetherSkill[], catalogueMax = 1000) =>
  Object.fromEntries(
    [...checkTogether(skills, { catalogueMax })].map(([key, found]) => [key, found.map(({ code }) => code)]),
  )

describe('names of skills beside each other', () => {
  it('says of the copy that is not used which one is, inside one scope', () => {
    const found = checkTogether(
      [
        skill('a', { name: 'pdf', folder: 'one', effective: false }),
        skill('b', { name: 'pdf', folder: 'two' }),
      ],
      { catalogueMax: 50 },
    )
    expect([...found.keys()]).toEqual(['a'])
    expect(found.get('a')).toEqual([
      {
        code: 'name-twice',
        severity: 'warning',
        message: 'The name "pdf" stands twice in Personal; the copy in "two" counts.',
        fix: 'Give one of them another name, or delete it.',
      },
    ])
  })

  it('names the place where the folders have the same name', () => {
    const [a, b] = ['~/x/pdf', '~/y/pdf'].map((location) =>
      skill(location, { name: 'pdf', folder: 'pdf', location }),
    )
    const found = checkTogether([a!, { ...b!, effective: false }], { catalogueMax: 50 })
    expect(found.get('~/y/pdf')?.[0]?.message).toBe(
      'The name "pdf" stands twice in Personal; the copy in "~/x/pdf" counts.',
    )
  })

  it('counts the first where a higher scope shadows both', () => {
    const skills = [
      skill('top', { name: 'pdf', scope: 'enterprise' }),
      skill('a', { name: 'pdf', effective: false }),
      skill('b', { name: 'pdf', effective: false }),
    ]
    expect(codes(skills)).toEqual({ b: ['name-twice'] })
  })

  it('has nothing to say of one name in two scopes: that is shadowing', () => {
    expect(
      codes([skill('a', { name: 'pdf' }), skill('b', { name: 'pdf', scope: 'project', effective: false })]),
    ).toEqual({})
  })

  it.each([
    ['case', 'PDF', 'pdf'],
    ['Unicode form', 'cafe\u0301', 'caf\u00e9'],
  ])('tells both of names that differ only by %s', (_what, one, two) => {
    expect(codes([skill('a', { name: one }), skill('b', { name: two, scope: 'bundled' })])).toEqual({
      a: ['names-alike'],
      b: ['names-alike'],
    })
  })

  it('tells of folders that differ only by case inside one scope, not across scopes', () => {
    const [a, b] = [skill('a', { folder: 'PDF' }), skill('b', { folder: 'pdf' })]
    expect(codes([a, b])).toEqual({ a: ['names-alike'], b: ['names-alike'] })
    expect(codes([a, { ...b, scope: 'project' }])).toEqual({})
  })
})

describe('what skills require of each other', () => {
  it('tells of a name that no skill has, and of one whose skill is not in use', () => {
    const skills = [
      skill('a', { requires: ['ocr', 'OFF', 'b@personal', 'gone@team'] }),
      skill('b'),
      skill('off', { effective: false }),
    ]
    expect(checkTogether(skills, { catalogueMax: 50 }).get('a')).toMatchObject([
      { code: 'requires-missing', message: 'It requires the skill "ocr", which is not there.' },
      { code: 'requires-unavailable', severity: 'info' },
      { code: 'requires-missing', message: 'It requires the skill "gone@team", which is not there.' },
    ])
  })
})

describe('the catalogue', () => {
  it('tells those beyond it, by name, and not hidden or unused ones', () => {
    const skills = [
      skill('d'),
      skill('a'),
      skill('h', { hidden: true }),
      skill('c'),
      skill('u', { effective: false }),
      skill('b'),
    ]
    expect(codes(skills, 2)).toEqual({ c: ['catalogue-full'], d: ['catalogue-full'] })
    expect(codes(skills, 4)).toEqual({})
  })

  it('is told of once for all', () => {
    expect(catalogueOverflow(50, 50)).toBeNull()
    expect(catalogueOverflow(132, 50)).toMatchObject({
      code: 'catalogue-full',
      severity: 'warning',
      message: 'Agents see 50 of 132 skills in the catalogue; the other 82 are called by name only.',
      fix: 'Turn off skills that are not needed here, or write "disable-model-invocation: true" into those that only people call.',
    })
  })
})

const PDF = 'Reads the text and the tables of PDF files and fills their forms. Use when a person names a PDF.'

describe('descriptions that say nearly the same', () => {
  const alike = (one: string, two: string, over: Partial<TogetherSkill> = {}) =>
    codes([skill('a', { description: one }), skill('b', { description: two, ...over })])

  it.each([
    ['the same words', PDF, PDF],
    [
      'case, order and punctuation',
      PDF,
      'Use when a PERSON names a pdf: fills forms of PDF files; reads tables & text.',
    ],
    ['plurals and little words', 'Extract table from PDF file', 'Extracts the tables from a PDF files'],
    ['one word of many', PDF, `${PDF} Quickly.`],
    ['the same signs', '从PDF文件中提取文本和表格', '从 PDF 文件中提取文本和表格。'],
  ])('are told of on both sides: %s', (_what, one, two) => {
    expect(alike(one, two)).toEqual({ a: ['description-alike'], b: ['description-alike'] })
  })

  it.each([
    ['another job', PDF, 'Writes the text and the styles of Word files. Use when a person names a DOCX.'],
    [
      'the opposite job in a short text',
      'Reads PDF files and extracts tables',
      'Merges PDF files and rotates pages',
    ],
    ['nothing to compare', '', ''],
    ['other signs', '从PDF文件中提取文本', '把图片转换为音频文件'],
  ])('are not told of: %s', (_what, one, two) => {
    expect(alike(one, two)).toEqual({})
  })

  it('name the other skill', () => {
    const found = checkTogether([skill('a', { description: PDF }), skill('b', { description: PDF })], {
      catalogueMax: 50,
    })
    expect(found.get('a')?.[0]?.message).toContain('"b"')
    expect(found.get('b')?.[0]?.message).toContain('"a"')
  })

  it('do not matter where an agent does not choose: unused and hidden skills', () => {
    expect(alike(PDF, PDF, { effective: false })).toEqual({})
    expect(alike(PDF, PDF, { hidden: true })).toEqual({})
  })

  it('made from one template are told apart by the word that only one of them has', () => {
    const skills = [
      'gmail',
      'slack',
      'jira',
      'notion',
      'linear',
      'asana',
      'trello',
      'figma',
      'stripe',
      'zoom',
    ].map((app) =>
      skill(app, {
        description: `Automate ${app} tasks through the gateway: search its tools first, then run them.`,
      }),
    )
    expect(codes(skills)).toEqual({})
  })

  it('stand at the threshold: weights of shared words over weights of all words', () => {
    // Two texts: a shared word weighs ln 2, a word of one text ln 3. 7 shared and 1 more: 4.85 / 5.95 = 0.815.
    const shared = 'alpha bravo carbon delta ember falcon granite'
    const pair = (words: string) =>
      nearlyEqual([
        { key: 'a', description: words },
        { key: 'b', description: `${words} hazel` },
      ]).size
    expect(NEARLY_EQUAL).toBe(0.8)
    expect(pair(shared)).toBe(2)
    // 6 shared and 1 more: 4.16 / 5.26 = 0.79.
    expect(pair(shared.replace(' granite', ''))).toBe(0)
  })

  it('finds what comparing every pair finds', () => {
    const word = fc.constantFrom(
      'alpha',
      'bravo',
      'carbon',
      'delta',
      'ember',
      'falcon',
      'granite',
      'hazel',
      'iris',
      'jade',
    )
    const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 9 }), { minLength: 2, maxLength: 9 })
    fc.assert(
      fc.property(texts, (lists) => {
        const items = lists.map((words, at) => ({ key: String(at), description: words.join(' ') }))
        const found = nearlyEqual(items)
        expect(new Set(found.keys())).toEqual(bruteForce(lists))
      }),
    )
  })

  it('takes well under a second for 10,000 skills, all alike, from templates, or unlike', () => {
    const word = (n: number) => `w${(n * 2654435761) % 4999}`
    const unlike = (n: number) => Array.from({ length: 25 }, (_, at) => word(n * 31 + at)).join(' ')
    const template = (n: number) =>
      `Automate app${n} tasks through the gateway: search the tools first, then run them all.`
    const flood = (n: number) => `${PDF} ${word(n)} ${word(n + 1)}`
    for (const make of [() => PDF, template, unlike, flood]) {
      const skills = Array.from({ length: 10_000 }, (_, n) =>
        skill(`s${n}`, { description: make(n), requires: [`s${n + 1}`] }),
      )
      const start = performance.now()
      const found = checkTogether(skills, { catalogueMax: 50 })
      expect(performance.now() - start).toBeLessThan(30_000)
      expect(found.size).toBeGreaterThanOrEqual(9950)
    }
  }, 30_000)
})

/** Every pair by the documented formula. */
function bruteForce(lists: readonly string[][]): Set<string> {
  const bags = lists.map((words) => [...new Set(words)].sort())
  const kinds = new Set(bags.map((words) => words.join(' ')))
  const holders = (word: string) => [...kinds].filter((kind) => kind.split(' ').includes(word)).length
  const weight = (words: readonly string[]) =>
    words.reduce((sum, word) => sum + Math.log(1 + kinds.size / holders(word)), 0)
  const found = new Set<string>()
  for (const [a, one] of bags.entries()) {
    for (const [b, two] of bags.entries()) {
      if (a === b) continue
      const shared = weight(one.filter((word) => two.includes(word)))
      if (shared / (weight(one) + weight(two) - shared) >= NEARLY_EQUAL - 1e-9)
        found.add(String(a)).add(String(b))
    }
  }
  return found
}
