import { createHash } from 'node:crypto'
import { isLegalName } from '@shared/skill-md/skill-name'
import {
  checkPaths,
  MAX_SOURCE_BYTES,
  MAX_SOURCE_FILES,
  refusal,
  shown,
  storedSource,
  storeSource,
} from './source-store'
import type { StoredSource } from './source-store'

/**
 * Writes a skill that a program holds in memory into `sourcesDir/<hash>/name/`, or finds it there: scripts run from
 * files, and what is shown must be what runs. Throws `bad_input` with the reason, as for an archive.
 */
export async function writeMemorySkill(
  skill: { name: string; files: Readonly<Record<string, string | Uint8Array>> },
  sourcesDir: string,
): Promise<StoredSource> {
  if (!isLegalName(skill.name)) throw refusal(`${shown(skill.name)} is no name for a skill`)
  const entries = Object.entries(skill.files)
  const paths = checkPaths(entries.map(([path]) => path))
  const files = entries
    .map(([, content], at) => ({ path: paths[at]!, content: Buffer.from(content as Uint8Array) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const size = files.reduce((sum, { content }) => sum + content.length, 0)
  if (files.length > MAX_SOURCE_FILES || size > MAX_SOURCE_BYTES) {
    throw refusal(`it has more than ${MAX_SOURCE_FILES} files or 50 MB`)
  }
  const id = hashOf(skill.name, files)
  const known = await storedSource(sourcesDir, id)
  return (
    known ??
    storeSource(
      { sourcesDir, id, name: skill.name },
      files.map(({ path, content }) => ({ path, executable: false, bytes: () => Promise.resolve(content) })),
    )
  )
}

function hashOf(name: string, files: readonly { path: string; content: Buffer }[]): string {
  const hash = createHash('sha256').update(JSON.stringify(['memory', name, files.length]))
  for (const { path, content } of files) hash.update(JSON.stringify([path, content.length])).update(content)
  return hash.digest('hex')
}
