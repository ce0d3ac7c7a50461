import { KEPT_DAYS, KEPT_MB, type SkillVersion } from '@shared/domain/skill-page'
import type { ComparedFile } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import type { Db } from '../../db/open'
import {
  forgetVersion,
  isVersionInUse,
  listVersions,
  noteVersion,
  versionsByAge,
  type VersionHow,
} from '../../db/skill-version-rows'
import type { SkillRecord } from '../../skills/record'
import type { Store } from '../../skills/store/store'
import type { DigestFile } from '../../skills/store/tree-digest'

export interface VersionDeps {
  db: Db
  store: Pick<Store, 'inspect' | 'manifest' | 'read' | 'remove' | 'snapshot'>
  now(): number
}

/** A skill of more than this is not kept for its history alone. */
const MAX_KEPT = 20 * 1024 * 1024
const MAX_TEXT = 1024 * 1024
const DAY_MS = 86_400_000

/** What follows the disk: contents that come are kept, and what is too old or too much is given up. */
export function createVersionKeeper(deps: VersionDeps) {
  return {
    keep: (record: SkillRecord) => keepVersion(deps, record, 'disk'),
    prune: () => pruneVersions(deps),
  }
}

/** Keeps the copy as it is now, for its history. Null: it can't be read whole, or is too large. */
async function keepVersion(
  { db, store, now }: VersionDeps,
  record: SkillRecord,
  how: VersionHow,
): Promise<string | null> {
  try {
    const { files } = await store.inspect(record)
    if (sizeOf(files) > MAX_KEPT) return null
    const { digest } = await store.snapshot(record)
    db.tx(() => noteVersion(db.sql, { skillKey: record.key, digest, seenAt: now(), how }))
    return digest
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Everything that is known of earlier contents of a copy, the newest first; what it is now is kept and leads. */
export async function skillVersions(deps: VersionDeps, record: SkillRecord): Promise<SkillVersion[]> {
  const current = await keepVersion(deps, record, 'page')
  const rows = listVersions(deps.db.sql, record.key)
  const ordered = [
    ...rows.filter(({ digest }) => digest === current),
    ...rows.filter(({ digest }) => digest !== current),
  ]
  return Promise.all(
    ordered.map(async (row): Promise<SkillVersion> => {
      const files = await filesOf(deps, row.digest)
      return {
        ...row,
        isNow: row.digest === current,
        kept: files && { files: files.length, bytes: sizeOf(files) },
      }
    }),
  )
}

/** The files that differ between two versions of a copy. Throws `not_found` when the contents of one are gone. */
export async function compareVersions(
  deps: VersionDeps,
  { before, after }: { before: string; after: string },
): Promise<ComparedFile[]> {
  const [left, right] = [await keptFiles(deps, before), await keptFiles(deps, after)]
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort()
  return paths.flatMap((path): ComparedFile[] => {
    const state = stateOf(left.get(path), right.get(path))
    return state === 'same' ? [] : [{ path, state }]
  })
}

/** Text of a file in a version; null where it has none, or it is no text, or is too large. */
export async function versionText(
  deps: VersionDeps,
  { digest, path }: { digest: string; path: string },
): Promise<string | null> {
  const file = (await keptFiles(deps, digest)).get(path)
  if (!file || file.size > MAX_TEXT) return null
  const bytes = await deps.store.read(digest, path)
  return bytes.includes(0) ? null : bytes.toString('utf8')
}

/** Throws `not_found` for a digest that is none of this copy. */
export function checkVersion({ db }: Pick<VersionDeps, 'db'>, key: string, digest: string): void {
  if (listVersions(db.sql, key).some((row) => row.digest === digest)) return
  throw new AppError('not_found', 'This skill was never seen with these contents.')
}

/**
 * Gives up what is kept for history alone: older than the days, or the oldest ones over the megabytes, never of the
 * last day. What was loaded, asked for or run stays.
 */
async function pruneVersions({ db, store, now }: VersionDeps): Promise<void> {
  let total = 0
  const rows = versionsByAge(db.sql).reverse()
  for (const { digest, seenAt } of rows) {
    const files = await filesOf({ store }, digest)
    total += files ? sizeOf(files) : 0
    const age = now() - seenAt
    const isOver = age > KEPT_DAYS * DAY_MS || total > KEPT_MB * 1024 * 1024
    if (!isOver || age <= DAY_MS || isVersionInUse(db.sql, digest)) continue
    await store.remove(digest)
    db.tx(() => forgetVersion(db.sql, digest))
  }
}

function stateOf(left: DigestFile | undefined, right: DigestFile | undefined): ComparedFile['state'] {
  if (!left) return 'right-only'
  if (!right) return 'left-only'
  if (left.sha256 !== right.sha256) return 'differs'
  return left.executable === right.executable ? 'same' : 'mode'
}

async function keptFiles(
  { store }: Pick<VersionDeps, 'store'>,
  digest: string,
): Promise<Map<string, DigestFile>> {
  const { files } = await store.manifest(digest)
  return new Map(files.map((file) => [file.path, file]))
}

async function filesOf(
  deps: { store: Pick<Store, 'manifest'> },
  digest: string,
): Promise<DigestFile[] | null> {
  try {
    return (await deps.store.manifest(digest)).files
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function sizeOf(files: readonly DigestFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
