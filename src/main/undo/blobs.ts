import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../lib/hash'

/** Contents of files by their sha256, in a folder of the app's own. */
export interface Blobs {
  has(hash: string): boolean
  /** Throws when the disk takes no more. */
  put(hash: string, bytes: Uint8Array): void
  /** null: it is gone or damaged. */
  get(hash: string): Buffer | null
  /** Removes what is not among these, but nothing younger than `graceMs`: somebody else may just have written it. */
  sweep(keep: ReadonlySet<string>, graceMs: number): void
  /** Bytes of all contents. */
  sizes(): Map<string, number>
}

const HASH = /^[0-9a-f]{64}$/

export function createBlobs(folder: string): Blobs {
  const known = new Set<string>()
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  return {
    has(hash) {
      if (known.has(hash)) return true
      if (!statSync(fileOf(hash), { throwIfNoEntry: false })) return false
      known.add(hash)
      return true
    },
    put(hash, bytes) {
      mkdirSync(join(folder, hash.slice(0, 2)), { recursive: true, mode: 0o700 })
      const temporary = join(folder, `.tmp-${randomUUID()}`)
      try {
        writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' })
        renameSync(temporary, fileOf(hash))
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
      known.add(hash)
    },
    get(hash) {
      try {
        const bytes = readFileSync(fileOf(hash))
        return sha256(bytes) === hash ? bytes : null
      } catch {
        // Given up, or removed by hand.
        return null
      }
    },
    sweep(keep, graceMs) {
      const before = Date.now() - graceMs
      for (const path of filesIn(folder)) {
        const name = path.slice(-64)
        const stat = statSync(path, { throwIfNoEntry: false })
        if (!stat || keep.has(name) || stat.ctimeMs > before) continue
        rmSync(path, { force: true })
        known.delete(name)
      }
    },
    sizes: () =>
      new Map(
        filesIn(folder).flatMap((path): [string, number][] => {
          const name = path.slice(-64)
          const stat = HASH.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined
          return stat ? [[name, stat.size]] : []
        }),
      ),
  }
}

/** Contents and what a crash left of them. */
function filesIn(folder: string): string[] {
  return names(folder).flatMap((name) => {
    const path = join(folder, name)
    return name.startsWith('.tmp-') ? [path] : names(path).map((inner) => join(path, inner))
  })
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Nothing was ever kept.
    return []
  }
}
