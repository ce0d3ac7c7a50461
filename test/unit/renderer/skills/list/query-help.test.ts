import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillQuery } from '@shared/skill-query'
import {
  completions,
  knownValues,
  queryNote,
  unknownWords,
} from '../../../../../src/renderer/skills/list/query-help'
import { makeSkill } from '../skills'

const labels = (typed: string, known = {}) => completions(typed, known).map(({ label }) => label)

describe('completions', () => {
  it('offers every operator for an empty box and after a space', () => {
    expect(labels('')).toContain('from:')
    expect(labels('')).toContain('license:')
  })

  it.each([
    ['fr', ['from:']],
    ['pdf sta', ['status:']],
    ['FR', ['from:']],
    ['f', []],
    ['pdf', []],
    ['from:pr', ['from:project']],
    ['-from:pr', ['from:project']],
    ['from:project', []],
    ['has:', ['has:scripts', 'has:problems', 'has:license']],
    ['tokens:>', ['tokens:>3000']],
    ['colour:r', []],
    ['from:"a b', []],
  ])('for %j offers %j', (typed, expected) => {
    expect(labels(typed)).toEqual(expected)
  })

  it('replaces only the last piece, keeps its dash, and goes on after a value', () => {
    expect(completions('pdf -sta', {})[0]?.text).toBe('pdf -status:')
    expect(completions('pdf -status:sh', {})[0]?.text).toBe('pdf -status:shadowed ')
  })

  it('offers values that the skills have, quoted where they need it', () => {
    const known = knownValues([
      makeSkill('a', { tags: ['paper', 'print'], author: 'Jo Doe', tool: 'Claude Code' }),
      makeSkill('b', { tags: ['print'], tools: ['Bash(python3:*)', 'Bash(git:*)'] }),
    ])
    expect(labels('tag:p', known)).toEqual(['tag:print', 'tag:paper'])
    expect(labels('author:', known)).toEqual(['author:"Jo Doe"'])
    expect(labels('from:cl', known)).toEqual(['from:"Claude Code"'])
    expect(labels('tool:', known)).toEqual(['tool:Bash'])
  })

  it('offers only what is understood, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        for (const { text } of completions(typed, { tag: ['a b', '"', '\\'] })) {
          expect(text.startsWith(typed.replace(/\S*$/, ''))).toBe(true)
          if (text.endsWith(' '))
            expect(parseSkillQuery(text).unknown.length).toBeLessThanOrEqual(
              parseSkillQuery(typed).unknown.length,
            )
        }
      }),
    )
  })
})

describe('unknownWords', () => {
  it.each([
    ['', ''],
    ['pdf from:project', ''],
  ])('says nothing of %j', (typed, words) => {
    expect(unknownWords(parseSkillQuery(typed).unknown)).toBe(words)
  })

  it('names an operator that there is not, and those there are', () => {
    expect(unknownWords(parseSkillQuery('colour:red').unknown)).toMatch(
      /^There is no operator “colour:”\. Searched for as text\. There are from: status: /,
    )
  })

  it('names a value that an operator can’t have, and those it can', () => {
    expect(unknownWords(parseSkillQuery('status:purple').unknown)).toMatch(
      /^status: can’t be “purple”\. Searched for as text\. It can be effective, shadowed/,
    )
  })
})

describe('queryNote', () => {
  const list = { skills: [makeSkill('a', { package: 'office' })], roots: [] }
  const note = (typed: string) => queryNote(parseSkillQuery(typed), list)

  it.each(['pdf', 'from:personal', 'from:pers', '-from:bundled', 'from:office', 'from:cursor', 'from:'])(
    'says nothing of %j',
    (typed) => {
      expect(note(typed)).toBe('')
    },
  )

  it('says in the words of the command that a place is not known, beside what else is not understood', () => {
    const unknown = '"from:bogus" names no scope, tool or plugin that is known here.'
    expect(note('pdf -from:bogus')).toBe(unknown)
    expect(note('from:bogus colour:red')).toMatch(/^There is no operator “colour:”.* "from:bogus" names/)
  })
})
