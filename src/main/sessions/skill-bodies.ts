import { AppError } from '@shared/errors'
import { decodeSkillMd, parseSkillMd } from '@shared/skill-md'
import type { Store } from '../skills/store'

export interface LoadedBody {
  body: string
  frontmatter: Record<string, unknown>
  allowedTools: string[]
}

/** Bodies of skills by digest, read from snapshots only: what was loaded is what stays in the chat. */
export interface SkillBodies {
  get(digest: string, name: string): Promise<LoadedBody>
}

const KEPT = 50

export function createSkillBodies(store: Store): SkillBodies {
  const kept = new Map<string, LoadedBody>()
  return {
    async get(digest, name) {
      const known = kept.get(digest)
      if (known) return known
      const loaded = await readBody(store, digest, name)
      kept.set(digest, loaded)
      const oldest = kept.keys().next().value
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
      return loaded
    },
  }
}

async function readBody(store: Store, digest: string, name: string): Promise<LoadedBody> {
  const { files } = await store.manifest(digest)
  const skillMd = files.find((file) => /^skill\.md$/i.test(file.path))
  if (!skillMd)
    throw new AppError('not_found', `The snapshot of "${name}" has no SKILL.md. Load the skill again.`)
  const decoded = decodeSkillMd(await store.read(digest, skillMd.path))
  const parsed = parseSkillMd(decoded.text, { folderName: name })
  return { body: parsed.body, frontmatter: parsed.frontmatter, allowedTools: parsed.allowedTools }
}
