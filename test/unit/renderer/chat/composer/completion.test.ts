import { describe, expect, test } from 'vitest'
import type { SkillSummary } from '@shared/domain/skill'
import { nameAtCaret, optionsFor, withName } from '../../../../../src/renderer/chat/composer/completion'

const skill = (name: string, more: Partial<SkillSummary> = {}) =>
  ({ key: name, name, status: 'effective', userInvocable: true, ...more }) as SkillSummary
const SKILLS = [
  skill('code-review'),
  skill('deploy'),
  skill('review'),
  skill('internal', { userInvocable: false }),
  skill('shadowed', { status: 'shadowed' }),
]

describe('nameAtCaret', () => {
  test.each([
    ['/', { sign: '/', word: '', from: 0, to: 1 }],
    ['/rev', { sign: '/', word: 'rev', from: 0, to: 4 }],
    ['  /rev', { sign: '/', word: 'rev', from: 2, to: 6 }],
    ['see @rev', { sign: '@', word: 'rev', from: 4, to: 8 }],
    ['/review and @', { sign: '@', word: '', from: 12, to: 13 }],
  ])('%s names a skill at its end', (text, expected) => {
    expect(nameAtCaret(text, text.length)).toEqual(expected)
  })

  test.each(['', 'rev', 'a /rev', '/home/rev', '/review now', 'me@rev', '@review now'])(
    '%s names none at its end',
    (text) => {
      expect(nameAtCaret(text, text.length)).toBeNull()
    },
  )
})

describe('optionsFor', () => {
  const names = (text: string) => optionsFor(nameAtCaret(text, text.length)!, SKILLS).map(({ name }) => name)

  test('are the skills that a person may call here, those that begin with the word first', () => {
    expect(names('/')).toEqual(['code-review', 'deploy', 'review'])
    expect(names('/REV')).toEqual(['review', 'code-review'])
    expect(names('@int')).toEqual([])
    expect(names('@shadow')).toEqual([])
  })

  test('are also skills that are broken for agents only', () => {
    const bare = skill('bare', { status: 'broken', byHand: true })
    expect(optionsFor(nameAtCaret('/', 1)!, [bare, skill('bad', { status: 'broken' })])).toEqual([bare])
  })

  test('are few', () => {
    const many = Array.from({ length: 500 }, (_, i) => skill(`skill-${i}`))
    expect(optionsFor(nameAtCaret('/', 1)!, many)).toHaveLength(8)
  })
})

test('taking one writes its name with a blank, and leaves the rest', () => {
  const text = 'see @rev and more'
  expect(withName(text, nameAtCaret(text, 8)!, 'review')).toEqual({ text: 'see @review and more', caret: 12 })
  expect(withName('/rev', nameAtCaret('/rev', 4)!, 'review')).toEqual({ text: '/review ', caret: 8 })
})
