import { AppError } from '@shared/errors'
import { isSkillMd } from '@shared/skill-check/checked-folder'
import { hashTree, MAX_TREE_FILES, Moved, treeTooLarge } from '../../main/skills/store/snapshot-copy'
import { listTree } from '../../main/skills/store/tree'
import { treeDigest } from '../../main/skills/store/tree-digest'
import type { DigestFile } from '../../main/skills/store/tree-digest'
import { isDenied } from './places'
import type { SkillAt } from './skill-at'

/** All files of a skill, as its digest is made of them (`approvals.md` 8). */
export interface TreeState {
  /** Lower-case hex sha256. */
  digest: string
  /** In the order of the bytes of their paths. */
  files: DigestFile[]
  /** Why none of its scripts may run; null: nothing is in the way. */
  blocked: string | null
}

/** A skill that is being written to is listed again this many times. */
const ATTEMPTS = 5

/**
 * What is on disk now. Throws `too_large` (10,000 files, 100 MB), `bad_input` where SKILL.md or another file can't be
 * read, and `busy` when it keeps changing.
 */
export async function treeStateOf({ dir, name, entry }: SkillAt): Promise<TreeState> {
  const allowHardLinks = entry?.record.scope === 'bundled'
  for (let attempt = 1; ; attempt++) {
    const { files, blocked, cut } = listTree(dir, { maxFiles: MAX_TREE_FILES, allowHardLinks })
    if (cut) throw treeTooLarge(name)
    if (!files.some(({ path }) => isSkillMd(path))) throw noSkillMd(name)
    try {
      const hashed = await hashTree(files)
      return { digest: treeDigest(hashed), files: hashed, blocked }
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_large') throw treeTooLarge(name)
      if (!(error instanceof Moved)) throw error
      if (isDenied(error.cause)) throw unreadFile(error.message, name)
      if (attempt < ATTEMPTS) continue
      throw new AppError(
        'busy',
        `The files of "${name}" keep changing. Wait until that ends, then try again.`,
      )
    }
  }
}

/** `Moved` names the file that could not be opened. */
function unreadFile(path: string, name: string): AppError {
  return new AppError(
    'bad_input',
    `"${path}" of the skill "${name}" can't be read, so there is no digest. Give yourself the right to read it.`,
  )
}

function noSkillMd(name: string): AppError {
  return new AppError(
    'bad_input',
    `The SKILL.md of "${name}" is no file that can be read, so there is no digest. Put the file itself in its place.`,
  )
}
