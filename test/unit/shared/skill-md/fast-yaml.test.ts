import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { fastYamlMap } from '@shared/skill-md/fast-yaml'
import { repairYaml } from '@shared/skill-md/repair'
import { parseYamlMap } from '@shared/skill-md/yaml-map'
import { damaged, frontmatter, REAL, slippedFrontmatter } from './frontmatters'
import { tries } from '../../../helpers/sample'

type Path = 'fast' | 'full' | 'repair' | 'broken'

/** Compares both readers and tells which path a text takes through `parseSkillMd`. */
function compare(yaml: string): Path {
  const fast = fastYamlMap(yaml, 2)
  const full = parseYamlMap(yaml, 2)
  if (fast) {
    expect(full.ok, JSON.stringify(yaml)).toBe(true)
    if (!full.ok) return 'broken'
    // Strict: -0 is not 0, prototypes count, and so does a field called "constructor".
    if (!isDeepStrictEqual(fast, full.map)) expect(fast, JSON.stringify(yaml)).toEqual(full.map)
    expect(isDeepStrictEqual(fast, full.map), JSON.stringify(yaml)).toBe(true)
    expect(JSON.stringify(fast.values)).toBe(JSON.stringify(full.map.values))
    expect([...fast.texts]).toEqual([...full.map.texts])
    expect([...fast.lines]).toEqual([...full.map.lines])
    return 'fast'
  }
  if (full.ok) return 'full'
  const repaired = repairYaml(yaml, 2)
  return repaired && parseYamlMap(repaired.yaml, 2).ok ? 'repair' : 'broken'
}

describe('the fast reader of frontmatter', () => {
  const shares: string[] = []
  afterAll(() => console.log(shares.join('\n')))

  const generators: [string, fc.Arbitrary<string>, Path, number][] = [
    ['plain fields', frontmatter, 'fast', tries(4000)],
    ['fields with a slip', slippedFrontmatter, 'repair', tries(1500)],
    ['damaged real ones', damaged(REAL), 'broken', tries(3000)],
  ]
  it.each(generators)('gives exactly what the full parser gives: %s', (what, arbitrary, path, numRuns) => {
    const counts: Record<Path, number> = { fast: 0, full: 0, repair: 0, broken: 0 }
    fc.assert(
      fc.property(arbitrary, (yaml) => {
        counts[compare(yaml)] += 1
      }),
      { numRuns },
    )
    shares.push(
      `${what}: ${Object.entries(counts)
        .map(([name, n]) => `${name} ${n}`)
        .join(', ')}`,
    )
    expect(counts[path]).toBeGreaterThan(numRuns / 10)
  })

  it.each(REAL.filter((yaml) => !yaml.includes('review')))('takes real frontmatter: %s', (yaml) => {
    expect(compare(yaml)).toBe('fast')
  })

  it.each([
    ['one more line', 'description: Reads files\n  and fills forms.\nname: pdf', 'fast'],
    ['lines of several depths', 'description: Reads files\n    and\n forms.  \nname: pdf', 'fast'],
    ['a line that looks like an item', 'description: Reads\n  - files', 'fast'],
    ['a number on each line', 'version: 1\n  2', 'fast'],
    ['below a nested key', 'metadata:\n  note: one\n    two\n  author: x', 'fast'],
    ['a line that looks like a field', 'description: Reads\n  when: asked', 'repair'],
    ['a line that is a comment', 'description: Reads\n  # files', 'full'],
    ['an empty line in between', 'description: Reads\n\n  files', 'full'],
    ['a quoted first line', 'description: "Reads"\n  files', 'broken'],
    ['a quote over two lines', 'description: "Reads\n  files"', 'full'],
  ] as const)('of a plain value over several lines: %s', (_what, yaml, path) => {
    expect(compare(yaml)).toBe(path)
  })

  it('joins the lines of a plain value with spaces', () => {
    const map = fastYamlMap('description: Reads files\n  and forms.\nname: pdf', 2)
    expect(map?.values).toEqual({ description: 'Reads files and forms.', name: 'pdf' })
    expect(map?.lines.get('name')).toBe(4)
  })
})
