import { setImmediate } from 'node:timers/promises'
import type { ComparedFile } from '@shared/domain/skill'
import type { SkillRecord } from '../record'
import { readStart } from '../store/safe-read'
import { listTree } from '../store/tree'
import type { TreeFile } from '../store/tree'

const MAX_FILES = 2000
/** A larger file is compared by its size alone. */
const MAX_BYTES = 8_000_000

/** Every file of two copies, by its bytes and its right to be executed; those that differ first. */
export async function compareCopies(
  left: SkillRecord,
  right: SkillRecord,
): Promise<{ files: ComparedFile[]; cut: boolean }> {
  const [mine, theirs] = [filesOf(left), filesOf(right)]
  const paths = [...new Set([...mine.files.keys(), ...theirs.files.keys()])].sort()
  const files: ComparedFile[] = []
  for (const path of paths.slice(0, MAX_FILES)) {
    files.push({ path, state: stateOf(mine.files.get(path), theirs.files.get(path)) })
    await setImmediate() // others are answered in between
  }
  const same = ({ state }: ComparedFile): number => Number(state === 'same')
  return {
    files: files.sort((a, b) => same(a) - same(b)),
    cut: mine.cut || theirs.cut || paths.length > MAX_FILES,
  }
}

function filesOf(record: SkillRecord): { files: Map<string, TreeFile>; cut: boolean } {
  if (record.unread) return { files: new Map(), cut: false }
  const { files, cut } = listTree(record.rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  return { files: new Map(files.map((file) => [file.path, file])), cut }
}

function stateOf(left: TreeFile | undefined, right: TreeFile | undefined): ComparedFile['state'] {
  if (!left) return 'right-only'
  if (!right) return 'left-only'
  if (left.size !== right.size) return 'differs'
  if (left.size > MAX_BYTES) return 'not-compared'
  try {
    if (!readStart(left.real, MAX_BYTES).equals(readStart(right.real, MAX_BYTES))) return 'differs'
  } catch {
    return 'not-compared' // gone or unreadable since it was listed
  }
  return left.executable === right.executable ? 'same' : 'mode'
}
