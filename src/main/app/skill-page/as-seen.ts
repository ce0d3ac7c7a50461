import type { FileCost } from '@shared/domain/skill-page'
import { AppError } from '@shared/errors'
import { estimateTokens } from '@shared/tokens'
import type { ShownSkill } from '../../sessions/instructions/skill-view'
import { isScriptFile } from '../../skills/scan/facts'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'
import { readStart } from '../../skills/store/safe-read'
import type { Store } from '../../skills/store/store'
import { listTree } from '../../skills/store/tree'

const MAX_FILES = 200
/** A larger file is not opened whole by any agent. */
const MAX_COUNTED = 1024 * 1024

/** The skill as it is on disk now. */
export async function shownSkill(
  { registry, store }: { registry: Pick<Registry, 'facts'>; store: Pick<Store, 'digestOf'> },
  record: SkillRecord,
): Promise<ShownSkill> {
  const { name, description, scope, projectDir, folder, requires } = record
  const { parsed } = await registry.facts(record.key)
  const { body, frontmatter } = parsed
  return {
    name,
    description,
    scope,
    inProject: projectDir !== null,
    folder,
    requires,
    body,
    frontmatter,
    digest: await digestOf(store, record),
  }
}

/** What each file but SKILL.md costs when it is opened whole (F9, third level). */
export function fileCosts(record: SkillRecord): FileCost[] {
  if (record.unread) return []
  const { files } = listTree(record.rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  return files
    .filter(({ path }) => !/^skill\.md$/i.test(path))
    .map(({ path, real, size }) => {
      const bytes = size <= MAX_COUNTED ? readStart(real, MAX_COUNTED) : null
      const isScript = bytes !== null && isScriptFile(path, bytes.subarray(0, 500))
      if (isScript) return { path, tokens: 0, isScript }
      const isText = bytes !== null && !bytes.includes(0)
      return { path, tokens: isText ? estimateTokens(bytes.toString('utf8')) : null, isScript }
    })
}

/** A skill that can't be read whole has no digest; its text is shown without. */
async function digestOf(store: Pick<Store, 'digestOf'>, record: SkillRecord): Promise<string> {
  try {
    return await store.digestOf(record)
  } catch (error) {
    if (error instanceof AppError) return ''
    throw error
  }
}
