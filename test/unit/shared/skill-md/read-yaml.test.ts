import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fastYamlMap } from '@shared/skill-md/fast-yaml'
import { readYaml } from '@shared/skill-md/read-yaml'
import { repairPlainSlips, repairYaml } from '@shared/skill-md/repair'
import { parseYamlMap } from '@shared/skill-md/yaml-map'
import { damaged, frontmatter, REAL, slippedFrontmatter } from './frontmatters'

/** True when the quick repair took the text, which must then be just what the full parser would have led to. */
function compare(yaml: string): boolean {
  const quick = repairPlainSlips(yaml, 2)
  const map = quick && fastYamlMap(quick.yaml, 2)
  if (!map) return false
  const full = parseYamlMap(yaml, 2)
  expect(full.ok ? 'valid' : full.error.code, JSON.stringify(yaml)).toBe('yaml-invalid')
  expect(full.ok ? 0 : full.errors).toBeLessThan(50)
  expect(quick, JSON.stringify(yaml)).toEqual(repairYaml(yaml, 2))
  const again = parseYamlMap(quick.yaml, 2)
  expect(again.ok && again.map).toEqual(map)
  return true
}

const words = fc
  .array(
    fc.constantFrom(
      'Reads',
      'files',
      'use',
      ':',
      ': ',
      ' ',
      ' - ',
      ', ',
      "it's",
      '(a)',
      '/b',
      'x:y',
      '.',
      ' #',
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''))
const sentence = fc.tuple(words, words).map(([before, after]) => `Use${before}: ${after}`)

describe('the quick repair of slips', () => {
  it('says just what the full parser and the whole repair say', () => {
    let taken = 0
    const slips = fc
      .tuple(fc.oneof(fc.constantFrom(...REAL), frontmatter), sentence, fc.constantFrom('when', 'note', 'x'))
      .map(([yaml, text, key]) => `${yaml}\n${key}: ${text}`)
    fc.assert(
      fc.property(fc.oneof({ arbitrary: slips, weight: 4 }, slippedFrontmatter, damaged(REAL)), (yaml) => {
        if (compare(yaml)) taken += 1
      }),
      { numRuns: 1500 },
    )
    expect(taken).toBeGreaterThan(150)
  })

  it.each([
    ['a colon in a sentence', 'name: pdf\ndescription: Reads files. Note: forms too', true],
    ['a colon at the end as well', 'description: Use when: asked: ', true],
    ['a comment behind it', 'description: Use when: asked # often', false],
    ['a quoted text', 'description: "Use" when: asked', false],
    ['a list', 'tags: [a: b, c: d]', false],
    ['a value over two lines', 'description: Use when: asked\n  to read', false],
    ['the key twice', 'description: Use when: asked\ndescription: Other', false],
    ['no slip', 'name: pdf\ndescription: Reads files', false],
  ])('is for plain sentences only: %s', (_what, yaml, taken) => {
    expect(compare(yaml)).toBe(taken)
  })
})

describe('the marks of a merge conflict', () => {
  it.each([
    'name: pdf\n<<<<<<< HEAD\ndescription: A',
    'name: pdf\nmetadata:\n<<<<<<< HEAD\n  a: 1\n=======\n  a: 2\n>>>>>>> other',
    'name: pdf\ndescription: |\n  text\n<<<<<<< HEAD\n  more',
    "name: 'pdf\n<<<<<<< HEAD\n'",
    '<<<<<<< HEAD\nname: pdf',
    'name: pdf\n<<<<<<< HEAD: x\ndescription: A',
  ])('are an error wherever they are no part of a value: %s', (yaml) => {
    const full = parseYamlMap(yaml, 2)
    const { map, diagnostics } = readYaml(yaml, 2)
    expect(map !== null).toBe(full.ok)
    if (!full.ok) expect(diagnostics.map(({ code }) => code)).toEqual(['merge-conflict'])
  })
})
