import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Listed } from './compare'
import { seeded } from './seeded'
import { makeSkill } from './skill-text'
import type { MadeSkill, Verdict } from './skill-text'

/** What a generated tree holds, as a reader should find it. */
export interface Tree {
  /** A home folder: skills are in `.satchel/skills`. */
  home: string
  skillsDir: string
  skills: (Listed & { verdict: Verdict })[]
}

/** Raised when what is generated changes, so that older trees are made anew. */
const VERSION = 2

/** Everything that benchmarks keep between runs: trees, packages. */
export const cacheDir: string = join(tmpdir(), 'satchel-bench')

/** Skill `index` of the tree of this seed: the same bytes on every machine, whatever the size of the tree. */
export function skillAt(seed: number, index: number): MadeSkill {
  return makeSkill(seeded(Math.imul(seed, 0x9e3779b1) ^ index), index)
}

/** A tree of `count` skills; one that is there with the same seed and version is used again. */
export function treeOf(count: number, seed: number): Tree {
  const home = join(cacheDir, `home-${count}-seed${seed}-v${VERSION}`)
  const skillsDir = join(home, '.satchel', 'skills')
  const listFile = join(home, 'made.json')
  if (existsSync(listFile)) {
    return { home, skillsDir, skills: JSON.parse(readFileSync(listFile, 'utf8')) as Tree['skills'] }
  }
  rmSync(home, { recursive: true, force: true })
  const making = `${home}.${process.pid}`
  const skills = writeTree(join(making, '.satchel', 'skills'), count, seed)
  writeFileSync(join(making, 'made.json'), JSON.stringify(skills))
  renameSync(making, home)
  return { home, skillsDir, skills }
}

/** Writes the skills 0 to `count` below a folder. */
export function writeTree(dir: string, count: number, seed: number): Tree['skills'] {
  return Array.from({ length: count }, (_, index) => {
    const skill = skillAt(seed, index)
    writeSkill(dir, skill)
    const { folder, name, description, verdict } = skill
    return { folder, name, description, verdict }
  })
}

export function writeSkill(dir: string, { folder, files }: MadeSkill): void {
  const made = new Set<string>()
  for (const { path, text } of files) {
    const file = join(dir, folder, path)
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true })
    made.add(dirname(file))
    writeFileSync(file, text)
  }
}

/** Removes every tree and package of earlier runs. */
export function cleanCache(): void {
  rmSync(cacheDir, { recursive: true, force: true })
}
