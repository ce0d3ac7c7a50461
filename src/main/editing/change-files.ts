import type { FileChangeInput } from '@shared/domain/editing'
import { MAX_EDITED } from '@shared/domain/editing'
import { AppError } from '@shared/errors'
import { deleteDraft, listDrafts, moveDrafts } from '../db/draft-rows'
import { sha256 } from '../lib/hash'
import { isBelow, type FileStep } from './changed-list'
import {
  inTurn,
  keepVersion,
  record,
  tellSaved,
  writableFolder,
  type Changed,
  type Editing,
  type SkillFolder,
} from './context'

/**
 * Makes, renames, deletes and puts back files of a skill. The skill as it was is kept as a version first; its digest is
 * given. Nothing is overwritten: a name that exists is refused with `bad_input`.
 */
export function changeFiles(deps: Editing, change: FileChangeInput): Promise<{ kept: string }> {
  return inTurn(deps, change.key, async () => {
    const folder = writableFolder(deps, change.key)
    refuseLastSkillMd(change)
    const kept = await keepVersion(deps, change.key)
    if (change.t === 'delete') await refuseLoss(deps, folder, { path: change.path, kept })
    const done = await carryOut(deps, folder, { change, kept })
    await tellSaved(deps, change.key, { kept, change: done })
    return { kept: kept ?? '' }
  })
}

/** Only what the version before has can be brought back. */
async function refuseLoss(
  deps: Editing,
  folder: SkillFolder,
  { path, kept }: { path: string; kept: string | null },
): Promise<void> {
  const known = new Set(kept === null ? [] : (await deps.versions.files(kept)).map((file) => file.path))
  const lost = (await deps.files.inside(folder.rootDir, path)).find((inside) => !known.has(inside))
  if (lost === undefined) return
  throw new AppError(
    'bad_input',
    `"${lost}" can't be kept, so it could not be brought back. Delete it elsewhere.`,
  )
}

interface Step {
  change: FileChangeInput
  kept: string | null
}

async function carryOut(deps: Editing, folder: SkillFolder, { change, kept }: Step): Promise<FileStep> {
  const { files } = deps
  const { path } = change
  const noted = (more: Partial<Changed> = {}) =>
    deps.db.durable(() => record(deps, { folder, what: change.t, path, kept, ...more }))
  switch (change.t) {
    case 'folder':
      await files.makeFolder(folder.rootDir, path)
      noted()
      return { t: 'none' }
    case 'file':
      return newFile(deps, folder, { path, bytes: Buffer.from(change.base64, 'base64'), noted })
    case 'rename':
      await files.move(folder.rootDir, path, change.to)
      moveDrafts(deps.db.sql, folder.key, path, change.to)
      noted({ to: change.to })
      return { t: 'rename', path, to: change.to }
    case 'delete':
      await files.remove(folder.rootDir, path)
      dropDraftsUnder(deps, folder.key, path)
      noted()
      return { t: 'delete', path }
    case 'put-back':
    default:
      return putBack(deps, folder, { digest: change.digest, path, noted })
  }
}

type Noted = (more?: Partial<Changed>) => void

async function newFile(
  deps: Editing,
  folder: SkillFolder,
  { path, bytes, noted }: { path: string; bytes: Uint8Array; noted: Noted },
): Promise<FileStep> {
  if (bytes.length > MAX_EDITED) throw new AppError('too_large', `"${path}" is larger than 1 MB.`)
  if (await deps.files.read(folder.rootDir, path, Infinity)) throw occupied(path)
  const after = sha256(bytes)
  await deps.files.write(folder.rootDir, path, { bytes, before: null, keeps: null }, () =>
    noted({ before: null, after }),
  )
  return { t: 'write', path, sha256: after, size: bytes.length }
}

/** The file, or every file below the folder, as the version has it; one that is there again stays as it is. */
async function putBack(
  deps: Editing,
  folder: SkillFolder,
  { digest, path, noted }: { digest: string; path: string; noted: Noted },
): Promise<FileStep> {
  const wanted = (await deps.versions.files(digest)).filter((file) => isBelow(file.path, path))
  if (wanted.length === 0) throw new AppError('not_found', `That version has no "${path}".`)
  for (const file of wanted) {
    if (await deps.files.read(folder.rootDir, file.path, Infinity)) throw occupied(file.path)
  }
  for (const file of wanted) {
    const bytes = await deps.versions.read(digest, file.path)
    const keeps = { mode: file.executable ? 0o755 : 0o644, uid: -1, gid: -1 }
    await deps.files.write(folder.rootDir, file.path, { bytes, before: null, keeps }, () => undefined)
  }
  noted()
  return { t: 'add', files: wanted }
}

/** Without a SKILL.md it is no skill any more: that is done by deleting the skill. */
function refuseLastSkillMd(change: FileChangeInput): void {
  if ((change.t !== 'delete' && change.t !== 'rename') || !/^skill\.md$/i.test(change.path)) return
  if (change.t === 'rename' && change.to === 'SKILL.md') return
  throw new AppError('bad_input', 'Without SKILL.md this folder is no skill. Delete the whole skill instead.')
}

function dropDraftsUnder({ db }: Editing, key: string, path: string): void {
  for (const draft of listDrafts(db.sql)) {
    if (draft.key === key && isBelow(draft.path, path)) deleteDraft(db.sql, key, draft.path)
  }
}

function occupied(path: string): AppError {
  return new AppError('bad_input', `"${path}" is there already. Choose another name.`)
}
