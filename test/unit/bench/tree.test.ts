import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'
import { queriesFor, TYPOS } from '../../../bench/lib/queries'
import { skillAt, writeTree } from '../../../bench/lib/tree'

const dir = mkdtempSync(join(tmpdir(), 'satchel-bench-tree-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const skills = Array.from({ length: 2000 }, (_, index) => skillAt(1, index))
const textOf = (skill: (typeof skills)[number]) => skill.files.find(({ path }) => path === 'SKILL.md')!.text

describe('skillAt', () => {
  it('makes the same skill for the same seed and place', () => {
    expect(skillAt(7, 123)).toEqual(skillAt(7, 123))
  })

  it('makes another for another seed', () => {
    expect(textOf(skillAt(7, 123))).not.toBe(textOf(skillAt(8, 123)))
  })

  it('gives every skill a folder of its own', () => {
    expect(new Set(skills.map(({ folder }) => folder)).size).toBe(skills.length)
  })

  it('names each file of a skill once', () => {
    for (const { files } of skills) expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  })

  it.each([
    ['broken', 0.004, 0.018],
    ['lenient', 0.002, 0.014],
  ] as const)('makes the share of %s skills that real ones have', (verdict, least, most) => {
    const share = skills.filter((skill) => skill.verdict === verdict).length / skills.length
    expect(share).toBeGreaterThan(least)
    expect(share).toBeLessThan(most)
  })

  it('writes descriptions as long as real ones: half of them below 230 characters, 1 % above 600', () => {
    const lengths = skills.map(({ description }) => description.length).sort((a, b) => a - b)
    expect(lengths[1000]).toBeGreaterThan(150)
    expect(lengths[1000]).toBeLessThan(230)
    expect(lengths[1980]).toBeGreaterThan(600)
  })

  it('knows what a reader finds in it: name, description, and whether it is of use', () => {
    for (const skill of skills) {
      const parsed = parseSkillMd(textOf(skill).replace(/^\uFEFF/, ''), { folderName: skill.folder })
      expect({ folder: skill.folder, broken: parsed.broken }).toEqual({
        folder: skill.folder,
        broken: skill.verdict === 'broken',
      })
      if (skill.verdict === 'broken') continue
      expect(parsed.frontmatter['name']).toBe(skill.name)
      expect(parsed.description.replace(/\s+/g, ' ').trim()).toBe(skill.description)
    }
  })
})

describe('writeTree', () => {
  it('writes the files of each skill and says what it wrote', () => {
    const list = writeTree(dir, 20, 3)
    expect(readdirSync(dir).sort()).toEqual(list.map(({ folder }) => folder).sort())
    for (const [index, { folder }] of list.entries()) {
      for (const { path, text } of skillAt(3, index).files) {
        expect(readFileSync(join(dir, folder, path), 'utf8')).toBe(text)
      }
    }
    expect(existsSync(join(dir, list[0]!.folder, 'SKILL.md'))).toBe(true)
  })
})

describe('queriesFor', () => {
  it('asks the same for the same seed', () => {
    expect(queriesFor(1, 100)).toEqual(queriesFor(1, 100))
  })

  it('holds twelve typos, none of them the word that was meant', () => {
    expect(TYPOS).toHaveLength(12)
    for (const [typed, meant] of TYPOS) expect(typed).not.toContain(meant)
  })
})
