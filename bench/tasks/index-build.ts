import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSkillIndex } from '../../src/main/search/skill-index'
import type { Task } from '../child'
import type { Listed } from '../lib/compare'
import { bodyOf, textsOf } from '../lib/texts'

interface Args {
  skillsDir: string
  /** List of the skills of the tree. */
  list: string
  /** File of the index to make. */
  file: string
  /** Reading the files is part of what is measured. */
  withReading: boolean
}

/** As the scanner sends them to the index. */
const BATCH = 100

/** The index of a whole tree, made from nothing. */
export const indexBuild: Task<Args> = async ({ skillsDir, list, file, withReading }) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const skills = (JSON.parse(readFileSync(list, 'utf8')) as Listed[]).map((skill) => ({
    key: skill.folder,
    name: skill.name,
    description: skill.description,
    tags: [],
    skillMd: join(skillsDir, skill.folder, 'SKILL.md'),
    rootDir: join(skillsDir, skill.folder),
    stamp: '1',
  }))
  const known = withReading ? null : new Map(skills.map((skill) => [skill.rootDir, textsOf(skill.rootDir)]))
  const bodies = withReading ? null : new Map(skills.map(({ skillMd }) => [skillMd, bodyOf(skillMd)]))
  const started = performance.now()
  const index = openSkillIndex({
    file,
    readBody: (skillMd) => bodies?.get(skillMd) ?? bodyOf(skillMd),
    readTexts: (rootDir) => known?.get(rootDir) ?? textsOf(rootDir),
  })
  for (let at = 0; at < skills.length; at += BATCH) {
    index.index({ upsert: skills.slice(at, at + BATCH), remove: [] })
  }
  const ms = performance.now() - started
  // As in the app when nobody waits.
  while (!index.warm());
  index.close()
  return { ms }
}
