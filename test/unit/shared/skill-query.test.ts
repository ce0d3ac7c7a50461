import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesOperators, operatorHints, operatorText, parseSkillQuery } from '@shared/skill-query'
import type { OperatorTerm, SkillFacets, SkillQuery } from '@shared/skill-query'

/** Any code point, halves of pairs included. */
const anyUnit = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))

const NOTHING: SkillQuery = { words: [], phrases: [], excluded: [], operators: [], unknown: [] }

const row = (change: Partial<SkillFacets> = {}): SkillFacets => ({
  name: 'pdf-forms',
  scope: 'personal',
  status: 'effective',
  scripts: 0,
  problems: 0,
  tokens: { catalogue: 50, body: 900, files: 0 },
  tags: [],
  tools: [],
  ...change,
})

const passes = (text: string, change: Partial<SkillFacets> = {}): boolean =>
  matchesOperators(parseSkillQuery(text), row(change))

describe('a query', () => {
  it.each<[string, Partial<SkillQuery>]>([
    ['', {}],
    ['  fill  forms ', { words: ['fill', 'forms'] }],
    ['"fill in" forms', { words: ['forms'], phrases: ['fill in'] }],
    ['“fill in”', { phrases: ['fill in'] }],
    ['"never closed', { phrases: ['never closed'] }],
    ['""', {}],
    ['scan -pdf -"by hand"', { words: ['scan'], excluded: ['pdf', 'by hand'] }],
    ['pdf-forms', { words: ['pdf-forms'] }],
    ['-', { words: ['-'] }],
    ['from:', {}],
    ['from: pdf', { words: ['pdf'] }],
    ['foo:bar', { words: ['foo:bar'], unknown: ['foo:bar'] }],
    ['-foo:bar', { excluded: ['foo:bar'], unknown: ['foo:bar'] }],
    ['status:purple', { words: ['status:purple'], unknown: ['status:purple'] }],
    ['tokens:many', { words: ['tokens:many'], unknown: ['tokens:many'] }],
    ['https://a.example/b', { words: ['https://a.example/b'] }],
    ['"from:personal"', { phrases: ['from:personal'] }],
    ['12:30', { words: ['12:30'] }],
  ])('%j is taken apart', (text, want) => {
    expect(parseSkillQuery(text)).toEqual({ ...NOTHING, ...want })
  })

  it.each<[string, Partial<OperatorTerm>]>([
    ['from:project', { operator: 'from', value: 'project' }],
    ['FROM:Project', { operator: 'from', value: 'Project' }],
    ['-from:"Claude Code"', { operator: 'from', value: 'Claude Code', negated: true }],
    ['status:eff', { operator: 'status', value: 'effective' }],
    [`status:"won't load"`, { operator: 'status', value: 'broken' }],
    ['status:“Won’t load”', { operator: 'status', value: 'broken' }],
    ['status:"not trusted yet"', { operator: 'status', value: 'not-trusted' }],
    ['status:problems', { operator: 'status', value: 'problems' }],
    ['has:ref', { operator: 'has', value: 'references' }],
    [String.raw`author:"Jo \"J\" Doe"`, { operator: 'author', value: 'Jo "J" Doe' }],
    ['tokens:>3000', { operator: 'tokens', value: '>3000', range: { min: 3001, max: Infinity } }],
    ['tokens:>=3k', { operator: 'tokens', value: '>=3k', range: { min: 3000, max: Infinity } }],
    ['tokens:<1.5K', { operator: 'tokens', value: '<1.5K', range: { min: 0, max: 1499 } }],
    ['tokens:<=20', { operator: 'tokens', value: '<=20', range: { min: 0, max: 20 } }],
    ['tokens:=20', { operator: 'tokens', value: '=20', range: { min: 20, max: 20 } }],
    ['tokens:1000..5k', { operator: 'tokens', value: '1000..5k', range: { min: 1000, max: 5000 } }],
    ['tokens:..5k', { operator: 'tokens', value: '..5k', range: { min: 0, max: 5000 } }],
    ['tokens:5k..', { operator: 'tokens', value: '5k..', range: { min: 5000, max: Infinity } }],
  ])('%j is an operator', (text, want) => {
    expect(parseSkillQuery(text)).toEqual({ ...NOTHING, operators: [{ negated: false, ...want }] })
  })

  it('never throws, and loses no word without a quote, a dash or a colon', () => {
    const piece = fc.constantFrom('"', '-', ':', '\\', ' ', 'from:', 'tokens:', '>', '..', '9', 'k', 'é', '“')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyUnit }),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => {
          const query = parseSkillQuery(text)
          expect(matchesOperators(query, row())).toBeTypeOf('boolean')
          if (!/["“”„:-]/u.test(text)) expect(query.words).toEqual(text.split(/\s+/u).filter(Boolean))
        },
      ),
    )
  })

  it('gives every operator back from its text', () => {
    const operator = fc.constantFrom(...operatorHints().map((hint) => hint.operator))
    fc.assert(
      fc.property(
        operator,
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.boolean(),
        (name, text, negated) => {
          const [term] = parseSkillQuery(operatorText({ operator: name, value: text, negated })).operators
          if (!term) {
            expect(text.trim() === '' || ['status', 'has', 'tokens'].includes(name)).toBe(true)
            return
          }
          expect(term).toMatchObject({ operator: name, negated })
          expect(parseSkillQuery(`word ${operatorText(term)} "a b"`).operators).toEqual([term])
        },
      ),
    )
  })

  it('keeps what stands in quotes, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyUnit }), (text) => {
        fc.pre(text.trim() !== '' && !/[“”„]/u.test(text))
        expect(
          parseSkillQuery(operatorText({ operator: 'name', value: text, negated: false })).operators,
        ).toEqual([{ operator: 'name', value: text, negated: false }])
      }),
    )
  })
})

describe('operators', () => {
  it.each<[string, Partial<SkillFacets>, boolean]>([
    ['words only', {}, true],
    ['from:personal', {}, true],
    ['from:project', {}, false],
    ['from:claude', { scope: 'shared', tool: 'Claude Code' }, true],
    ['from:claude-code', { scope: 'shared', tool: 'Claude Code' }, true],
    ['from:shared', { scope: 'shared', tool: 'Claude Code' }, true],
    ['from:office', { scope: 'plugin', package: 'office-kit' }, true],
    ['from:"!"', {}, false],
    ['from:personal from:project', {}, true],
    ['-from:personal', {}, false],
    ['from:personal -from:personal', {}, false],
    ['status:shadowed', { status: 'shadowed' }, true],
    ['status:shadowed', {}, false],
    ['-status:shadowed', {}, true],
    ['status:off status:broken', { status: 'broken' }, true],
    ['status:problems', { problems: 1 }, true],
    ['status:problems', { status: 'broken' }, true],
    ['status:problems', {}, false],
    ['status:off', { status: 'unavailable', byPolicy: true }, true],
    ['status:off-by-policy', { status: 'unavailable', byPolicy: true }, true],
    ['status:off-by-policy', { status: 'off' }, false],
    ['status:"Off by policy"', { status: 'unavailable', byPolicy: true }, true],
    ['status:not-in', { outside: true }, true],
    ['status:not-in-catalogue', {}, false],
    ['status:"Hidden from agent"', { hiddenFromModel: true }, true],
    ['status:hidden', { hiddenFromModel: true, status: 'off' }, false],
    ['status:agent-only', { userInvocable: false }, true],
    ['status:locked', { scope: 'enterprise' }, true],
    ['status:too-large', { tokens: { catalogue: 9, body: 5001, files: 0 } }, true],
    ['status:too-large', { tokens: { catalogue: 9, body: 5000, files: 0 } }, false],
    ['has:scripts', { scripts: 2 }, true],
    ['has:scripts', {}, false],
    ['has:scripts has:license', { scripts: 2 }, false],
    ['has:scripts has:license', { scripts: 2, license: 'MIT' }, true],
    ['has:references', { tokens: { catalogue: 1, body: 1, files: 9 } }, true],
    ['has:references', { references: false, tokens: { catalogue: 1, body: 1, files: 9 } }, false],
    ['has:problems', { problems: 3 }, true],
    ['has:license', {}, false],
    ['has:tests', {}, false],
    ['has:tests', { tests: true }, true],
    ['tool:bash', { tools: ['Read', 'Bash(git:*)'] }, true],
    ['tool:bash', { tools: ['Read'] }, false],
    ['tag:pdf tag:ocr', { tags: ['PDF', 'ocr'] }, true],
    ['tag:pdf tag:ocr', { tags: ['PDF'] }, false],
    ['-tag:pdf', { tags: ['PDF'] }, false],
    ['tokens:>900', {}, false],
    ['tokens:>=900', {}, true],
    ['tokens:500..1k', {}, true],
    ['tokens:>500 tokens:<800', {}, false],
    ['name:forms', {}, true],
    ['name:zip', {}, false],
    ['author:jo', { author: 'Jó Doe' }, true],
    ['author:jo', {}, false],
    ['license:mit', { license: 'MIT' }, true],
  ])('%j over %j: %j', (text, change, want) => {
    expect(passes(text, change)).toBe(want)
  })

  it('have an example each that is an operator, and values that all are understood', () => {
    for (const { operator, values, example } of operatorHints()) {
      expect(parseSkillQuery(example).operators).toHaveLength(1)
      for (const value of values) {
        const query = parseSkillQuery(`${operator}:${value}`)
        expect(query.operators).toMatchObject([{ operator, value }])
      }
    }
  })
})
