import type { ActiveSkill } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { SessionDeps } from '../deps'
import { skillDir } from '../instructions/prompt'

/** Properties of skills by digest. */
export type Properties = ReadonlyMap<string, Record<string, unknown>>

/** Read before what is active is looked at, so that nothing comes between that look and what is written. */
export async function propertiesOf(
  { bodies }: Pick<SessionDeps, 'bodies'>,
  skills: readonly ActiveSkill[],
): Promise<Properties> {
  const read = skills.map(async ({ digest, name }) => {
    try {
      return [[digest, (await bodies.get(digest, name)).frontmatter] as const]
    } catch (error) {
      // A lost snapshot must not keep others from being loaded.
      if (error instanceof AppError) return []
      throw error
    }
  })
  return new Map((await Promise.all(read)).flat())
}

/** What loading and unloading tell of the skills that are active then (S1, "Skill Load Tool"). */
export function receiptsOf(
  { registry }: Pick<SessionDeps, 'registry'>,
  { projectDir, active }: { projectDir: string | null; active: readonly ActiveSkill[] },
  properties: Properties,
): Record<string, unknown>[] {
  return active.map(({ name, scope, key, digest, tokens }) => {
    const location = registry.get(projectDir, key)?.record.location
    const known = properties.get(digest)
    return {
      name,
      scope,
      ...(location === undefined ? {} : { location }),
      root_dir: skillDir(name),
      digest: `sha256:${digest}`,
      ...(known ? { properties: known } : {}),
      tokens,
    }
  })
}

/** Names of active skills whose folder is no longer what was loaded. Nothing is swapped by itself. */
export function newerOnDisk(
  { currentDigest }: Pick<SessionDeps, 'currentDigest'>,
  active: readonly ActiveSkill[],
): string[] {
  const changed = active.filter(({ key, digest }) => {
    const current = currentDigest(key)
    return current !== null && current !== digest
  })
  return changed.map(({ name }) => name)
}
