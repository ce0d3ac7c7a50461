import { AppError } from '@shared/errors'
import { decodeSkillMd, parseSkillMd, type ParsedSkill } from '@shared/skill-md'
import type { Store } from '../../skills/store/store'

/** A skill as it was loaded: its text, and the fields that act (`runtime.md` 6). */
export interface LoadedBody extends Pick<ParsedSkill, 'model' | 'context' | 'agent' | 'hooks' | 'execution'> {
  body: string
  frontmatter: Record<string, unknown>
  /** What may be called while it is active; null: everything. */
  allowedTools: string[] | null
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
  return loadedBody(parseSkillMd(decoded.text, { folderName: name }))
}

/** What of a parsed skill acts once it is loaded. */
export function loadedBody(parsed: ParsedSkill): LoadedBody {
  const { body, frontmatter, model, context, agent, hooks, execution } = parsed
  const allowedTools = parsed.restrictsTools ? parsed.allowedTools : null
  return { body, frontmatter, allowedTools, model, context, agent, hooks, execution }
}
