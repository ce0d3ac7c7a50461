import { sha256 } from '../../lib/hash'

/** One file as it counts for the tree digest. */
export interface DigestFile {
  /** Relative to the skill, with /. */
  path: string
  size: number
  /** Lower-case hex sha256 of its content. */
  sha256: string
  executable: boolean
}

/**
 * The digest of a whole skill (`approvals.md` 8): sha256 over one line per file,
 * `<x or -> SP <path> NUL <sha256 hex> LF`, in the order of the bytes of the paths. Lower-case hex.
 */
export function treeDigest(files: readonly DigestFile[]): string {
  const lines = files
    .map((file) => ({ key: Buffer.from(file.path), file }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ file }) => `${file.executable ? 'x' : '-'} ${file.path}\0${file.sha256}\n`)
  return sha256(lines.join(''))
}
