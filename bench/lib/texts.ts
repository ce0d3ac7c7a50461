import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTexts } from '../../src/main/search/skill-texts'
import type { SkillTexts } from '../../src/main/search/skill-texts'

/** What is indexed of a generated skill's other files: chosen by the app's own rule, so that both sides index the same. */
export function textsOf(dir: string): SkillTexts {
  const found = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((real) => ({
      real,
      path: real.slice(dir.length + 1).replaceAll('\\', '/'),
      size: statSync(real).size,
    }))
  return readTexts(found, (real) => readFileSync(real))
}

/** The text after the frontmatter. */
export function bodyOf(skillMd: string): string {
  const text = readFileSync(skillMd, 'utf8')
  const fence = text.indexOf('\n---', 3)
  return fence < 0 ? text : text.slice(fence + 4)
}
