import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '@shared/domain/skill'
import {
  contents,
  costShare,
  isTooLarge,
  partProblems,
  problemPlace,
  problemWords,
  sortProblems,
  statusWords,
  tokenWords,
} from '../../../../../src/renderer/skills/preview/skill-facts'
import { makeSkill } from '../skills'

describe('statusWords', () => {
  it.each([
    [makeSkill('a'), 'ok', 'Effective'],
    [makeSkill('a', { status: 'shadowed', shadowedBy: 'personal' }), 'off', 'Shadowed by Personal'],
    [makeSkill('a', { status: 'broken' }), 'bad', 'Won’t load'],
    [makeSkill('a', { status: 'not-trusted' }), 'warn', 'Not trusted yet'],
    [makeSkill('a', { status: 'off' }), 'off', 'Off'],
    [makeSkill('a', { status: 'off', hiddenFromModel: true }), 'off', 'Off'],
    [makeSkill('a', { status: 'unavailable' }), 'off', 'Not available'],
    [makeSkill('a', { status: 'unavailable', parent: 'k' }), 'off', 'Inside another'],
    [makeSkill('a', { hiddenFromModel: true }), 'off', 'Hidden from agent'],
    [makeSkill('a', { userInvocable: false }), 'ok', 'Agent only'],
    [makeSkill('a', { status: 'unavailable', byPolicy: true }), 'off', 'Off by policy'],
    [makeSkill('a', { status: 'broken', problems: 2 }), 'bad', 'Won’t load (2 errors)'],
  ])('has a tone and a word for each status (%#)', (skill, tone, word) => {
    expect(statusWords(skill)).toMatchObject({ tone, word })
  })

  it('says that the catalogue has no room, only of what an agent would be told of', () => {
    expect(statusWords(makeSkill('a'), true).word).toBe('Not in catalogue')
    expect(statusWords(makeSkill('a', { hiddenFromModel: true }), true).word).toBe('Hidden from agent')
    expect(statusWords(makeSkill('a', { status: 'off' }), true).word).toBe('Off')
  })

  it('calls a text too large above the guide of the format, while it is used', () => {
    const tokens = (body: number) => ({ catalogue: 1, body, files: 0 })
    expect(isTooLarge(makeSkill('a', { tokens: tokens(5000) }))).toBe(false)
    expect(isTooLarge(makeSkill('a', { tokens: tokens(5001) }))).toBe(true)
    expect(isTooLarge(makeSkill('a', { tokens: tokens(9000), status: 'off' }))).toBe(false)
  })

  it('gives statuses of the same tone icons of their own', () => {
    const off = [
      makeSkill('a', { status: 'off' }),
      makeSkill('a', { status: 'shadowed' }),
      makeSkill('a', { status: 'unavailable' }),
      makeSkill('a', { status: 'unavailable', parent: 'k' }),
      makeSkill('a', { hiddenFromModel: true }),
    ].map((skill) => statusWords(skill).icon)
    expect(new Set(off).size).toBe(off.length)
  })
})

describe('tokenWords', () => {
  it('shows what the catalogue and the text cost', () => {
    expect(tokenWords(makeSkill('a', { tokens: { catalogue: 47, body: 3180, files: 9 } }))).toBe('47 / 3,180')
  })

  it('shows no cost of a skill that won’t load', () => {
    expect(tokenWords(makeSkill('a', { status: 'broken' }))).toBe('— / —')
  })
})

describe('contents', () => {
  it('shows SKILL.md, then folders with counts', () => {
    const file = (path: string, isScript = false) => ({ path, size: 1, isScript })
    const fileList = [
      file('SKILL.md'),
      file('notes.txt'),
      file('scripts/a.py', true),
      file('scripts/b.txt'),
      file('references/x.md'),
    ]
    expect(contents({ fileList, body: 'a\nb' })).toEqual([
      { name: 'SKILL.md', kind: 'skill', text: '2 lines of text' },
      { name: 'notes.txt', kind: 'file', text: '' },
      { name: 'references/', kind: 'folder', text: '1 file' },
      { name: 'scripts/', kind: 'scripts', text: '1 script, 1 file' },
    ])
  })
})

describe('contents of a skill whose file is written in lower case', () => {
  it('lists it once, by the name it has', () => {
    const fileList = [{ path: 'skill.md', size: 1, isScript: false }]
    expect(contents({ fileList, body: 'a' })).toEqual([
      { name: 'skill.md', kind: 'skill', text: '1 line of text' },
    ])
  })

  it('lists both where there are two', () => {
    const fileList = ['SKILL.md', 'skill.md'].map((path) => ({ path, size: 1, isScript: false }))
    expect(contents({ fileList, body: 'a' }).map(({ name, kind }) => [name, kind])).toEqual([
      ['SKILL.md', 'skill'],
      ['skill.md', 'file'],
    ])
  })
})

describe('costShare', () => {
  it.each([
    [0, 9000, 0],
    [47, 8960, 1],
    [3180, 8960, 32],
    [30_000, 30_000, 100],
  ])('%i tokens beside %i fill %i percent', (tokens, largest, percent) => {
    expect(costShare(tokens, largest)).toBe(percent)
  })
})

describe('sortProblems', () => {
  it('puts errors first, then by line', () => {
    const problem = (severity: Diagnostic['severity'], line: number): Diagnostic => ({
      code: 'c',
      severity,
      message: '',
      line,
    })
    const sorted = sortProblems([
      problem('info', 1),
      problem('error', 9),
      problem('warning', 2),
      problem('error', 3),
    ])
    expect(sorted.map((p) => `${p.severity} ${p.line}`)).toEqual([
      'error 3',
      'error 9',
      'warning 2',
      'info 1',
    ])
  })
})

describe('problems', () => {
  const found = (code: string, severity: Diagnostic['severity']): Diagnostic => ({
    code,
    severity,
    message: code,
  })
  const all = [
    found('description-alike', 'warning'),
    found('link-missing', 'warning'),
    found('yaml', 'error'),
    found('note', 'info'),
  ]

  it('of a skill alone are told apart from those that it has beside others, as its row counts them', () => {
    const { own, beside } = partProblems(all)
    expect(own.map(({ code }) => code)).toEqual(['yaml', 'link-missing'])
    expect(beside.map(({ code }) => code)).toEqual(['description-alike'])
  })

  it('are errors and warnings where it won’t load, for that its row counts errors', () => {
    const { own } = partProblems(all)
    expect(problemWords({ status: 'broken' }, own)).toBe('1 error, 1 warning')
    expect(problemWords({ status: 'effective' }, own)).toBe('2 problems')
  })
})

describe('problemPlace', () => {
  it.each([
    [{}, 'SKILL.md'],
    [{ line: 4 }, 'SKILL.md:4'],
    [{ line: 4, column: 2 }, 'SKILL.md:4:2'],
    [{ file: 'scripts/a.sh' }, 'scripts/a.sh'],
    [{ file: 'scripts/a.sh', line: 9 }, 'scripts/a.sh:9'],
    [{ column: 3 }, 'SKILL.md'],
  ])('writes %j as %s', (place, words) => {
    expect(problemPlace({ code: 'c', severity: 'error', message: '', ...place })).toBe(words)
  })
})
