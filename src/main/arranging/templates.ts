import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { SkillTemplate } from '@shared/domain/arranging'
import { parseSkillMd } from '@shared/skill-md'
import { namedSkillMd } from '@shared/skill-md/new-skill'
import type { NewFile } from './operation'

const Index = z.array(z.object({ id: z.string(), title: z.string(), about: z.string() }))

/** What new skills begin with: folders of `resources/templates`. */
export interface Templates {
  list(): SkillTemplate[]
  /** The files of a new skill: its own name in them, and its own description where one is given. Null: no such template. */
  files(id: string, skill: { name: string; description: string }): NewFile[] | null
}

export function createTemplates(resourcesDir: string): Templates {
  const dir = join(resourcesDir, 'templates')
  const index = () => Index.parse(JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8')))
  return {
    list: () => index().map((entry) => lookInside(entry, filesIn(join(dir, entry.id)))),
    files(id, skill) {
      const isKnown = index().some((entry) => entry.id === id)
      return isKnown ? filesIn(join(dir, id)).map((file) => named(file, skill)) : null
    },
  }
}

function lookInside(entry: z.infer<typeof Index>[number], files: readonly NewFile[]): SkillTemplate {
  const texts = files.map(({ path, bytes }) => ({ path, text: Buffer.from(bytes).toString('utf8') }))
  const skillMd = texts.find(({ path }) => path === 'SKILL.md')?.text ?? ''
  const { description } = parseSkillMd(skillMd, { folderName: entry.id })
  return { ...entry, description, files: texts }
}

/** SKILL.md first, then by path. */
function filesIn(dir: string): NewFile[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ at: join(dir, name), path: name.split(sep).join('/') }))
    .filter(({ at }) => statSync(at).isFile())
    .sort((a, b) => order(a.path) - order(b.path) || (a.path < b.path ? -1 : 1))
    .map(({ at, path }) => ({ path, bytes: readFileSync(at), executable: isScript(relative(dir, at)) }))
}

function order(path: string): number {
  return path === 'SKILL.md' ? 0 : 1
}

/** By its folder: a packed app may lose the permission bit. */
function isScript(path: string): boolean {
  return path.split(sep)[0] === 'scripts'
}

function named(file: NewFile, skill: { name: string; description: string }): NewFile {
  if (file.path !== 'SKILL.md') return file
  return { ...file, bytes: Buffer.from(namedSkillMd(Buffer.from(file.bytes).toString('utf8'), skill)) }
}
