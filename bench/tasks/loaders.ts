import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Task } from '../child'
import type { Listed } from '../lib/compare'

interface Args {
  /** Folder of skills. */
  dir: string
  /** Folder of the package. */
  package: string
}

interface Fields {
  name?: unknown
  description?: unknown
}

/** `readProperties` of the npm package skills-ref for every folder, one after the other. */
export const skillsRef: Task<Args> = async ({ dir, package: folder }) => {
  const entry = pathToFileURL(join(folder, 'dist', 'index.js')).href
  const { readProperties } = (await import(/* @vite-ignore */ entry)) as {
    readProperties(dir: string): Promise<Fields>
  }
  return timed(async () => {
    const listed: Listed[] = []
    for (const name of readdirSync(dir)) {
      const fields = await readProperties(join(dir, name)).catch(() => null) // it refuses broken ones
      if (fields) listed.push(listedOf(name, fields))
    }
    return listed
  })
}

/** What most loaders are: read the whole file, `gray-matter` it. */
export const grayMatter: Task<Args> = async ({ dir, package: folder }) => {
  const matter = createRequire(join(folder, 'package.json'))(folder) as (text: string) => { data: Fields }
  return timed(async () =>
    readdirSync(dir).flatMap((name) => {
      try {
        const { data } = matter(readFileSync(join(dir, name, 'SKILL.md'), 'utf8'))
        return data.name === undefined ? [] : [listedOf(name, data)]
      } catch {
        return [] // it throws on YAML that needs a repair
      }
    }),
  )
}

/** The loader of pi, `loadSkillsFromDir`, on the whole folder. */
export const pi: Task<Args> = async ({ dir, package: folder }) => {
  const entry = pathToFileURL(join(folder, 'dist', 'core', 'skills.js')).href
  const { loadSkillsFromDir } = (await import(/* @vite-ignore */ entry)) as {
    loadSkillsFromDir(options: { dir: string; source: string }): { skills: (Fields & { baseDir: string })[] }
  }
  return timed(async () =>
    loadSkillsFromDir({ dir, source: 'path' }).skills.map((skill) =>
      listedOf(basename(skill.baseDir), skill),
    ),
  )
}

async function timed(work: () => Promise<Listed[]>): Promise<{ ms: number; listed: Listed[] }> {
  const started = performance.now()
  const listed = await work()
  return { ms: performance.now() - started, listed }
}

function listedOf(folder: string, { name, description }: Fields): Listed {
  return { folder, name: textOf(name), description: textOf(description) }
}

/** A loader that gives something else than text has not found the same. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
