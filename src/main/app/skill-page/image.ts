import { containRelative } from '@shared/paths'
import type { SkillRecord } from '../../skills/record'
import { readStart } from '../../skills/store/safe-read'
import { listTree } from '../../skills/store/tree'

/** MD-2: what is larger is not drawn. */
const MAX_IMAGE = 2 * 1024 * 1024
const MAX_FILES = 2000

const starts = (...bytes: number[]) => Buffer.from(bytes)

/** By their first bytes: a name says nothing about what a file is. */
const KINDS: readonly (readonly [type: string, is: (bytes: Buffer) => boolean])[] = [
  ['png', (bytes) => bytes.subarray(0, 8).equals(starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))],
  ['jpeg', (bytes) => bytes.subarray(0, 3).equals(starts(0xff, 0xd8, 0xff))],
  ['gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  [
    'webp',
    (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  ],
]

/** A bitmap of the skill as a data address; null for anything else. Throws `path_escape` for a path that leads out. */
export function skillImage(record: SkillRecord, path: string): string | null {
  const wanted = containRelative(path)
  if (record.unread) return null
  const { files } = listTree(record.rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  const file = files.find((candidate) => candidate.path === wanted)
  if (!file || file.size > MAX_IMAGE) return null
  const bytes = readStart(file.real, MAX_IMAGE)
  const kind = KINDS.find(([, is]) => is(bytes))
  return kind ? `data:image/${kind[0]};base64,${bytes.toString('base64')}` : null
}
