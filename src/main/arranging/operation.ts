import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, isNoSpace } from '@shared/errors'
import { faultPoint } from '../lib/fault-point'
import type { Log } from '../lib/log'
import { codeOf } from './codes'
import { syncFolder } from './durable'
import type { Journal, Operation } from './journal'
import { checkFree, checkReal, markOf, putInPlace, removeReservation, renameFolder } from './place'
import { editSkillName } from './skill-name-edit'
import type { Trash } from './trash'
import { copyTree, readTree, removeTree } from './tree'
import type { Tree } from './tree'

/** A file of a new skill. */
export interface NewFile {
  /** Relative to the skill, with /. */
  path: string
  bytes: Uint8Array
  executable: boolean
}

/** What comes into being. */
export type Source =
  | { is: 'files'; files: readonly NewFile[] }
  /** `name`: written into the copy's SKILL.md; null: the copy is exact. */
  | { is: 'copy'; path: string; name: string | null }
  /** The same. Null: the folder itself comes back. */
  | { is: 'trash'; name: string | null }

export interface Context {
  journal: Journal
  trash: Trash
  now(): number
  log: Log
  /** Digest of a skill for the record (`approvals.md` 8); null: it can't be read. */
  digestOf(dir: string): Promise<string | null>
  /** Puts a done operation on record. */
  record(operation: Operation): void
}

/**
 * Does one operation: it is written down, then a folder comes into being, then another one goes to the trash. It ends
 * as a whole or as if it had never begun, at the latest at the next start (`settle`). Throws what a person can act on.
 */
export async function carryOut(context: Context, operation: Operation, source: Source): Promise<void> {
  try {
    faultPoint('arrange.before-journal')
    context.journal.write(operation)
    faultPoint('arrange.after-journal')
    await put(context, operation, source)
    await take(context, operation)
  } catch (error) {
    await afterFailure(context, operation)
    throw inWords(error)
  }
  try {
    await finish(context, operation)
  } catch (error) {
    // It is done; only its papers are not, and the next start brings them in order.
    context.log.warn('a done operation could not be written down', { id: operation.id, error: String(error) })
  }
}

/** After a crash: what has its place goes on, everything else is taken back. Throws when neither can be done now. */
export async function settle(context: Context, operation: Operation): Promise<void> {
  if (!isPlaced(operation) && !isTaken(context, operation)) return takeBack(context, operation)
  try {
    await take(context, operation)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return takeBack(context, operation)
  }
  await finish(context, operation)
}

async function afterFailure(context: Context, operation: Operation): Promise<void> {
  faultPoint('arrange.before-take-back')
  try {
    await takeBack(context, operation)
  } catch (error) {
    // The next start takes it back.
    context.log.error('an operation could not be taken back yet', error)
  }
}

async function put(context: Context, operation: Operation, source: Source): Promise<void> {
  const { put: it } = operation
  if (!it) return
  mkdirSync(it.parent, { recursive: true })
  checkReal(it.parent)
  checkFree(it.parent, it.name)
  if (source.is === 'trash') return putBack(context, operation, source.name)
  const copied = source.is === 'files' ? null : await copyTree(source.path, it.temp)
  if (source.is === 'files') writeFiles(it.temp, source.files)
  else if (source.name !== null) editSkillName(it.temp, source.name)
  faultPoint('arrange.after-copy')
  await place(context, operation, { from: it.temp, source: copied })
}

/** From the trash: the folder itself where it lies on the same file system and keeps its name, else a copy of it. */
async function putBack(context: Context, operation: Operation, name: string | null): Promise<void> {
  const { put: it } = operation
  const kept = it?.trashId ? context.trash.get(it.trashId) : null
  if (!it || !kept) throw new AppError('not_found', 'It is not in the trash any more.')
  const tree = context.trash.tree(kept.id)
  if (kept.digest !== null && (await readTree(tree)).digest !== kept.digest) {
    throw new AppError(
      'stale',
      `The files of "${kept.name}" in the trash are not those that were put there. Nothing was restored; the trash keeps them.`,
    )
  }
  if (name !== null) {
    await copyTree(tree, it.temp)
    editSkillName(it.temp, name)
    return place(context, operation, { from: it.temp, source: null })
  }
  try {
    await place(context, operation, { from: tree, source: null })
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    removeReservation(join(it.parent, it.name))
    await copyTree(tree, it.temp)
    await place(context, operation, { from: it.temp, source: null })
  }
}

async function place(
  { journal }: Context,
  operation: Operation,
  { from, source }: { from: string; source: Tree | null },
): Promise<void> {
  const it = operation.put!
  checkFree(it.parent, it.name)
  it.mark = markOf(from)
  // What can't be read can still be put back from the trash.
  it.digest = (await readTree(from).catch(() => null))?.digest ?? null
  if (source) it.source = source.digest
  journal.write(operation)
  faultPoint('arrange.before-place')
  checkReal(it.parent)
  putInPlace(from, it.parent, it.name)
  faultPoint('arrange.after-place')
}

/** A folder goes to the trash, unless it is there already. */
async function take(context: Context, operation: Operation): Promise<void> {
  const { put: made, take: it } = operation
  if (!it) return
  if (!isTaken(context, operation)) await toTrash(context, operation, it)
  removeTree(it.hidden)
  if (!made?.source) return
  const tree = context.trash.tree(it.trashId)
  if ((await readTree(tree)).digest === made.source) return
  // Something wrote to it after it was copied: what was written must not stay behind in the trash.
  renameFolder(tree, it.path)
  throw changedMeanwhile()
}

async function toTrash(
  { trash }: Context,
  operation: Operation,
  it: NonNullable<Operation['take']>,
): Promise<void> {
  checkReal(dirname(it.path))
  if (markOf(it.path) === null) throw new AppError('not_found', `${it.shown} is not there any more.`)
  const now = await readTree(it.path).catch(() => UNREADABLE)
  checkSame(operation, now.digest)
  const { was: name, kind: of, at } = operation
  trash.note({ id: it.trashId, name, path: it.path, shown: it.shown, at, of, ...now })
  faultPoint('arrange.before-take')
  await moveAway(it, trash.tree(it.trashId))
  faultPoint('arrange.after-take')
}

/** What can't be read can still be kept. */
const UNREADABLE = { digest: null, files: 0, bytes: 0 }

async function moveAway(it: NonNullable<Operation['take']>, tree: string): Promise<void> {
  try {
    renameFolder(it.path, tree)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await moveAcross(it, tree)
  }
  syncFolder(dirname(tree))
  syncFolder(dirname(it.path))
}

/** To another file system: a copy, which is compared with the original once nobody finds that any more. */
async function moveAcross({ path, hidden }: NonNullable<Operation['take']>, tree: string): Promise<void> {
  const copy = join(dirname(tree), 'copy')
  removeTree(copy)
  const copied = await copyTree(path, copy)
  renameSync(path, hidden)
  faultPoint('arrange.hidden')
  const moved = await readTree(hidden)
  if (moved.digest !== copied.digest) {
    renameFolder(hidden, path)
    throw changedMeanwhile()
  }
  renameSync(copy, tree)
  syncFolder(dirname(tree))
}

async function finish(context: Context, operation: Operation): Promise<void> {
  const { put: it } = operation
  if (it?.trashId) context.trash.remove(it.trashId)
  if (it) operation.after = await context.digestOf(join(it.parent, it.name))
  operation.step = 'done'
  faultPoint('arrange.before-done')
  context.journal.write(operation)
  faultPoint('arrange.after-done')
  const undone = operation.undoes === null ? null : context.journal.get(operation.undoes)
  if (undone) context.journal.write({ ...undone, step: 'undone' })
  writeRecord(context, operation)
}

/** Puts a done operation on record, once, but for a crash right in between. */
export function writeRecord(context: Context, operation: Operation): void {
  context.record(operation)
  context.journal.write({ ...operation, recorded: true })
}

/** As if it had never begun. What was changed by others in the meantime is left alone. */
async function takeBack(context: Context, operation: Operation): Promise<void> {
  const { put: it, take: taken } = operation
  if (taken && !isTaken(context, operation)) {
    if (markOf(taken.hidden) !== null && markOf(taken.path) === null) renameFolder(taken.hidden, taken.path)
    if (markOf(taken.hidden) === null) context.trash.remove(taken.trashId)
  }
  if (it) {
    if (isPlaced(operation)) takeOut(context, it)
    else if (it.mark !== null) removeReservation(join(it.parent, it.name))
    await dropTemp(it)
  }
  faultPoint('arrange.taken-back')
  context.journal.remove(operation.id)
}

/** The folder itself came from the trash, or what is there is a copy. */
function takeOut({ trash }: Context, it: NonNullable<Operation['put']>): void {
  const at = join(it.parent, it.name)
  const tree = it.trashId === null ? null : trash.tree(it.trashId)
  renameFolder(at, tree !== null && markOf(tree) === null ? tree : it.temp)
}

/** A copy that somebody wrote to while it had its place is no mere copy any more: it keeps the place. */
async function dropTemp(it: NonNullable<Operation['put']>): Promise<void> {
  const isWhole = it.mark !== null && markOf(it.temp) === it.mark
  const now = isWhole ? await readTree(it.temp).catch(() => null) : null
  if (isWhole && now?.digest !== it.digest) renameFolder(it.temp, join(it.parent, it.name))
  else removeTree(it.temp)
}

function isPlaced({ put: it }: Operation): boolean {
  return it !== null && it.mark !== null && markOf(join(it.parent, it.name)) === it.mark
}

function isTaken({ trash }: Context, { take: it }: Operation): boolean {
  return it !== null && markOf(trash.tree(it.trashId)) !== null
}

function checkSame({ put: it }: Operation, digest: string | null): void {
  if (it?.source && digest !== it.source) throw changedMeanwhile()
}

function changedMeanwhile(): AppError {
  return new AppError(
    'busy',
    'Its files were changed by another program meanwhile, so nothing was done. Wait until that ends, then try again.',
  )
}

function writeFiles(dir: string, files: readonly NewFile[]): void {
  mkdirSync(dir, { mode: 0o755 })
  for (const { path, bytes, executable } of files) {
    const to = join(dir, ...path.split('/'))
    faultPoint('arrange.mid-copy')
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, bytes, { flag: 'wx', flush: true })
    if (executable) chmodSync(to, 0o755)
  }
}

function inWords(error: unknown): unknown {
  const code = codeOf(error)
  if (isNoSpace(error)) {
    return new AppError(
      'disk_full',
      'The disk is full, so nothing was changed. Free some space, then try again.',
    )
  }
  if (code === 'EBUSY') {
    return new AppError(
      'busy',
      'The system keeps its folder in use: another disk or folder may be mounted there, or a program holds it. Nothing was changed.',
    )
  }
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return error
  return new AppError('bad_input', 'The system refuses to write there, so nothing was changed.', { code })
}
