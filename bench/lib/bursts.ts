import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is done to a folder of skills, many times at once. */
export type Burst = 'writes' | 'replaces' | 'new folders' | 'renames' | 'edits after rename' | 'deletions'

export const BURSTS: readonly (readonly [burst: Burst, times: number])[] = [
  ['writes', 1000],
  ['replaces', 1000],
  ['new folders', 1000],
  ['renames', 500],
  ['edits after rename', 100],
  ['deletions', 500],
]

/** Folder to description, as it must be found after everything that was done; changed by each burst. */
export type Expected = Map<string, string>

/** Does a burst to the folders of `names`, as many as there are, and says what must be found then. */
export function applyBurst(
  dir: string,
  burst: Burst,
  names: readonly string[],
): [folder: string, description: string][] {
  const changes = names.map((name, at) => DO[burst](dir, name, `${burst} ${at}`))
  const gone = burst === 'renames' ? names.map((name): [string, string] => [name, '']) : []
  return [...gone, ...changes]
}

/** Adds what a burst said to what must be found. An empty description: the folder is gone. */
export function expectAfter(expected: Expected, changes: readonly (readonly [string, string])[]): void {
  for (const [folder, description] of changes) {
    if (description === '') expected.delete(folder)
    else expected.set(folder, description)
  }
}

/** Folders that a burst of so many works on: its own new ones, renamed ones, or the first there are. */
export function namesFor(burst: Burst, times: number, expected: Expected): string[] {
  if (burst === 'new folders') return Array.from({ length: times }, (_, at) => `new-skill-${at}`)
  const all = [...expected.keys()]
  if (burst === 'deletions') return all.filter((name) => name.startsWith('new-skill-')).slice(0, times)
  if (burst === 'edits after rename') return all.filter((name) => name.endsWith(RENAMED)).slice(0, times)
  return all.filter((name) => !name.startsWith('new-skill-')).slice(0, times)
}

/** SKILL.md of a skill whose name is its folder's. */
export function skillMd(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it.\n`
}

const RENAMED = '-renamed'

const DO: Record<Burst, (dir: string, name: string, description: string) => [string, string]> = {
  writes(dir, name, description) {
    writeFileSync(join(dir, name, 'SKILL.md'), skillMd(name, description))
    return [name, description]
  },
  replaces(dir, name, description) {
    const file = join(dir, name, 'SKILL.md')
    writeFileSync(`${file}.tmp`, skillMd(name, description))
    renameSync(`${file}.tmp`, file)
    return [name, description]
  },
  'new folders'(dir, name, description) {
    mkdirSync(join(dir, name))
    writeFileSync(join(dir, name, 'SKILL.md'), skillMd(name, description))
    mkdirSync(join(dir, name, 'scripts'))
    writeFileSync(join(dir, name, 'scripts', 'x.py'), 'print(1)\n')
    return [name, description]
  },
  renames(dir, name, description) {
    // Written first, so that what is found under the new name can be told from what was under the old one.
    writeFileSync(join(dir, name, 'SKILL.md'), skillMd(`${name}${RENAMED}`, description))
    renameSync(join(dir, name), join(dir, `${name}${RENAMED}`))
    return [`${name}${RENAMED}`, description]
  },
  'edits after rename'(dir, name, description) {
    writeFileSync(join(dir, name, 'SKILL.md'), skillMd(name, description))
    return [name, description]
  },
  deletions(dir, name) {
    rmSync(join(dir, name), { recursive: true })
    return [name, '']
  },
}
