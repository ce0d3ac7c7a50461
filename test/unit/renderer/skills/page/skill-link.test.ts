import { describe, expect, test } from 'vitest'
import { lineOfAnchor, skillLink } from '../../../../../src/renderer/skills/page/skill-link'

const files = new Set(['SKILL.md', 'references/forms.md', 'scripts/run.py', 'a b.md'])

describe('a link inside a skill', () => {
  test.each([
    ['references/forms.md', { kind: 'file', path: 'references/forms.md', anchor: '' }],
    [
      './references//forms.md#Check-Boxes',
      { kind: 'file', path: 'references/forms.md', anchor: 'check-boxes' },
    ],
    ['scripts/run.py#L12', { kind: 'file', path: 'scripts/run.py', anchor: 'l12', line: 12 }],
    ['a%20b.md', { kind: 'file', path: 'a b.md', anchor: '' }],
    ['#fill-a-form', { kind: 'anchor', anchor: 'fill-a-form' }],
    ['references/ocr.md', { kind: 'missing' }],
    ['../other/SKILL.md', { kind: 'missing' }],
    ['references/../SKILL.md', { kind: 'missing' }],
    ['%2e%2e/SKILL.md', { kind: 'missing' }],
    ['/SKILL.md', { kind: 'missing' }],
    ['100%', { kind: 'missing' }],
  ])('%j leads to %j', (href, expected) => {
    expect(skillLink(href, files)).toEqual(expected)
  })
})

describe('the line of an anchor', () => {
  const text = '# Forms\n\n```\n# not-this\n```\n\n## Check boxes\n\ntext\n\n## Check boxes\n'

  test.each([
    ['forms', 1],
    ['check-boxes', 7],
    ['check-boxes-1', 11],
    ['not-this', undefined],
    ['', undefined],
  ])('%j stands in line %j', (anchor, line) => {
    expect(lineOfAnchor(text, anchor)).toBe(line)
  })
})
