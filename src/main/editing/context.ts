import { changedList, type FileStep } from './changed-list'
import type { SkillFile } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import type { Audit } from '../audit/audit'
import type { Db } from '../db/open'

/** What a change made of a skill. Tree digests; null where there is none. */
export interface TreeChange {
  before: string | null
  after: string | null
  /** The skill is exactly what this change made of it: nobody else changed anything meanwhile. */
  isOwn: boolean
  /** Digest of the file whose text the person saved; null: none was. */
  saved: string | null
  /** What it is after a change that may vouch for it; null: nothing is vouched for, as when an old file is put back. */
  files: readonly VersionFile[] | null
}

/** A skill, as far as its files are changed. */
export interface SkillFolder {
  key: string
  name: string
  /** Real path. */
  rootDir: string
  /** Why nothing of it may be changed here, in a sentence; null: it may. */
  whyNot: string | null
}

interface FileContents {
  bytes: Uint8Array
  sha256: string
  keeps: { mode: number; uid: number; gid: number }
}

/** Files of one folder: nothing goes through a link out of it (`workspace/folder-files.ts`). */
export interface FolderFiles {
  /** Null: there is none. */
  read(root: string, path: string, max: number): Promise<FileContents | null>
  /** Throws `stale` when the file is not `before` any more. */
  write(
    root: string,
    path: string,
    contents: { bytes: Uint8Array; before: string | null; keeps: FileContents['keeps'] | null },
    commit: () => void,
  ): Promise<void>
  makeFolder(root: string, path: string): Promise<void>
  move(root: string, from: string, to: string): Promise<void>
  /** Everything at or below a path that is no folder. */
  inside(root: string, path: string): Promise<string[]>
  remove(root: string, path: string): Promise<void>
}

/** One file as it counts for the digest of a whole skill. */
export interface VersionFile {
  path: string
  size: number
  sha256: string
  executable: boolean
}

/** Whole skills under their tree digests, so that what a change replaced can be seen and brought back. */
export interface Versions {
  /** Keeps the skill as it is now: before a change, or as what a change made. Throws like `Store.snapshot`. */
  keep(key: string, how: 'kept' | 'saved' | 'restored'): Promise<string>
  /** Files of a version. Throws `not_found`. */
  files(digest: string): Promise<VersionFile[]>
  /** Tree digest of such a list. */
  digestOf(files: readonly VersionFile[]): string
  read(digest: string, path: string): Promise<Uint8Array>
}

export interface EditingDeps {
  db: Db
  audit: Audit
  files: FolderFiles
  versions: Versions
  /** Null: it is not there any more. */
  folderOf(key: string): SkillFolder | null
  /** What there is in the folder now. */
  listed(key: string): { files: SkillFile[]; folders: string[] }
  /** Told after each change. */
  saved(key: string, change: TreeChange): Promise<void>
  now(): number
}

export interface Editing extends EditingDeps {
  /** One change of a skill at a time, by its key. */
  last: Map<string, Promise<unknown>>
}

/** Throws `not_found` where the skill is gone. */
export function folderOf(deps: Editing, key: string): SkillFolder {
  const folder = deps.folderOf(key)
  if (folder) return folder
  throw new AppError(
    'not_found',
    'This skill is not there any more. Its folder was moved, renamed or deleted. What you typed is kept.',
  )
}

/** The same for a change. Throws `bad_input` with the reason where nothing may be changed. */
export function writableFolder(deps: Editing, key: string): SkillFolder {
  const folder = folderOf(deps, key)
  if (folder.whyNot !== null) throw new AppError('bad_input', folder.whyNot)
  return folder
}

/** Runs one change after the other. */
export function inTurn<T>(deps: Editing, key: string, work: () => Promise<T>): Promise<T> {
  const next = (deps.last.get(key) ?? Promise.resolve()).then(work, work)
  deps.last.set(key, next)
  const forget = () => void (deps.last.get(key) === next && deps.last.delete(key))
  next.then(forget, forget)
  return next
}

/** The version before a change; null where the skill is too large to be kept whole. */
export async function keepVersion({ versions }: Editing, key: string): Promise<string | null> {
  try {
    return await versions.keep(key, 'kept')
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return null
    throw error
  }
}

/** What was changed, for the record. */
export interface Changed {
  folder: SkillFolder
  what: 'write' | 'folder' | 'file' | 'rename' | 'delete' | 'put-back'
  path: string
  to?: string
  /** Digests of the file. */
  before?: string | null
  after?: string | null
  /** Digest of the version before. */
  kept: string | null
}

export function record({ audit }: Editing, { folder, what, path, to, before, after, kept }: Changed): void {
  audit.append({
    actor: 'person',
    action: 'skill.saved',
    sessionId: null,
    target: `${folder.name}/${path}`,
    data: { key: folder.key, what, ...(to === undefined ? {} : { to }), before, after, kept },
  })
}

interface Told {
  kept: string | null
  change: FileStep
  saved?: string | null
  /** What the version after it is called. */
  how?: 'saved' | 'restored'
}

/** Finds out what the skill is now, and says so. The change is made, whatever happens here. */
export async function tellSaved(
  deps: Editing,
  key: string,
  { kept, change, saved = null, how = 'saved' }: Told,
): Promise<void> {
  const { versions } = deps
  const after = await versions.keep(key, how).catch(() => null) // too large, or changing again: nothing is known of it
  const next = kept === null ? null : await expected(versions, kept, change)
  const isOwn = next !== null && after !== null && after === versions.digestOf(next)
  const files = isOwn && change.t !== 'add' ? next : null
  await deps.saved(key, { before: kept, after, isOwn, saved, files })
}

/** The files that the version before must have after this change; null: it can't be told. */
async function expected(versions: Versions, kept: string, change: FileStep): Promise<VersionFile[] | null> {
  try {
    return changedList(await versions.files(kept), change)
  } catch {
    return null // the version is gone or damaged: then nothing is vouched for
  }
}
