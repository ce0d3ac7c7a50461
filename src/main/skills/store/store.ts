import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFile,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import { faultPoint } from '../../lib/fault-point'
import { sha256 } from '../../lib/hash'
import { isMakerGone } from '../../lib/maker'
import type { SkillRecord } from '../record'
import {
  copyTree,
  hashTree,
  MAX_TREE_FILES,
  Moved,
  removeSealed,
  sealFolders,
  tempName,
  treeTooLarge,
} from './snapshot-copy'
import { listTree } from './tree'
import type { TreeFile } from './tree'
import { treeDigest } from './tree-digest'
import type { DigestFile } from './tree-digest'

/** A skill as it was at one moment, kept under its tree digest. */
export interface Snapshot {
  digest: string
  /** In the order of the bytes of their paths. */
  files: DigestFile[]
  /** Why none of its scripts may run: a link that leaves the skill, a special file. */
  blocked: string | null
}

/** What is on disk now, without a copy. */
export type TreeState = Snapshot

/** Content-addressed copies of skills (AP-3): what was reviewed is what is read and run. */
export interface Store {
  /** Copies the skill as it is now. Throws `too_large`, `path_escape` (a link that may not be followed), `busy`, `not_found`. */
  snapshot(record: SkillRecord): Promise<Snapshot>
  /** One file of a snapshot, checked against the digest. Throws `path_escape`, `not_found`, `stale` when it is damaged. */
  read(digest: string, path: string): Promise<Buffer>
  /** The files of a snapshot, checked against the digest. Throws `not_found`. */
  manifest(digest: string): Promise<{ files: DigestFile[] }>
  /** Where the copy of a snapshot lies. */
  dir(digest: string): string
  /** True when the copy holds exactly the bytes of its digest. */
  verify(digest: string): Promise<boolean>
  /** Digest, files and blocks of what is on disk now. Throws like `snapshot`. */
  inspect(record: SkillRecord): Promise<TreeState>
  /** Digest of what is on disk now. Throws like `snapshot`. */
  digestOf(record: SkillRecord): Promise<string>
  /** Deletes a snapshot that nothing needs any more. Throws as the system does. */
  remove(digest: string): Promise<void>
  /** At start: deletes what programs that have ended left half done. Throws as the system does. */
  removeLeft(): Promise<void>
}

const Manifest = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      size: z.number().int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      executable: z.boolean(),
    }),
  ),
})

const DIGEST = /^[0-9a-f]{64}$/
/** A skill that is being written to is listed again this many times. */
const ATTEMPTS = 5
/** Bytes that are read in one go: a step in the thread pool takes many times as long as a small file. */
const SMALL = 256 * 1024

interface State {
  root: string
  /** One snapshot at a time: two of the same skill would race for the same folder. */
  last: Promise<unknown>
}

/** Snapshots lie in `dataDir/snapshots/<digest>`, their lists of files in `<digest>.json` beside them. */
export function createStore({ dataDir }: { dataDir: string }): Store {
  const state: State = { root: join(dataDir, 'snapshots'), last: Promise.resolve() }
  const inspect = (record: SkillRecord) => inspectTree(record)
  return {
    snapshot(record) {
      const next = state.last.then(() => takeSnapshot(state, record))
      state.last = next.catch(() => undefined)
      return next
    },
    read: (digest, path) => readChecked(state, digest, path),
    manifest: async (digest) => ({ files: readManifest(state, digest) }),
    dir: (digest) => dirOf(state, digest),
    verify: (digest) => isIntact(state, digest),
    inspect,
    digestOf: async (record) => (await inspect(record)).digest,
    remove: (digest) => removeSnapshot(state, digest),
    removeLeft: () => removeLeft(state),
  }
}

/** What is kept already and holds exactly these bytes is not copied again. */
async function takeSnapshot(state: State, record: SkillRecord): Promise<Snapshot> {
  mkdirSync(state.root, { recursive: true, mode: 0o700 })
  return withStableTree(record, async (list) => {
    const there = await hashTree(list.files)
    const digest = treeDigest(there)
    if (await isIntact(state, digest)) return { digest, files: there, blocked: list.blocked }
    const files = await copyInto(state, list.files)
    return { digest: treeDigest(files), files, blocked: list.blocked }
  })
}

/** The digest is that of the copy, whatever happened to the original since it was listed. */
async function copyInto(state: State, list: readonly TreeFile[]): Promise<DigestFile[]> {
  const temp = tempIn(state)
  mkdirSync(temp, { mode: 0o700 })
  try {
    faultPoint('snapshot.before-copy')
    const files = await copyTree(list, temp)
    faultPoint('snapshot.after-copy')
    await keep(state, { digest: treeDigest(files), files, temp })
    return files
  } finally {
    if (existsSync(temp)) await removeSealed(temp)
  }
}

function inspectTree(record: SkillRecord): Promise<TreeState> {
  return withStableTree(record, async (list) => {
    const files = await hashTree(list.files)
    return { digest: treeDigest(files), files, blocked: list.blocked }
  })
}

/** Lists the tree and works on it; once more when a file moved meanwhile. */
async function withStableTree<T>(
  record: SkillRecord,
  work: (list: ReturnType<typeof listTree>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const list = listOf(record)
    try {
      return await work(list)
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_large') throw treeTooLarge(record.name)
      if (!(error instanceof Moved)) throw error
      if (attempt < ATTEMPTS) continue
      throw new AppError(
        'busy',
        `The files of "${record.name}" keep changing. Wait until that ends, then try again.`,
      )
    }
  }
}

function listOf(record: SkillRecord): ReturnType<typeof listTree> {
  if (record.unread) {
    const reason = record.brokenReason || 'It can not be read.'
    throw new AppError('path_escape', `The skill "${record.name}" can't be read: ${reason}`)
  }
  const list = listTree(record.rootDir, {
    maxFiles: MAX_TREE_FILES,
    allowHardLinks: record.scope === 'bundled',
  })
  if (list.cut) throw treeTooLarge(record.name)
  if (list.files.length === 0) {
    throw new AppError(
      'not_found',
      `The folder of "${record.name}" is gone or empty. Put it back, or unload the skill.`,
    )
  }
  return list
}

/** Puts a finished copy in its place. One that is there already is used if it is intact, else replaced. */
async function keep(
  state: State,
  made: { digest: string; files: DigestFile[]; temp: string },
): Promise<void> {
  const { digest, files, temp } = made
  if (await isIntact(state, digest)) return
  const [dir, manifest, damaged] = [dirOf(state, digest), tempIn(state), tempIn(state)]
  writeFileSync(manifest, JSON.stringify({ files }), { mode: 0o400 })
  renameSync(manifest, `${dir}.json`)
  const wasThere = attempt(() => (renameSync(dir, damaged), true)) ?? false
  await sealFolders(temp)
  chmodSync(temp, 0o755) // some systems refuse to rename a read-only folder
  faultPoint('snapshot.before-rename')
  renameSync(temp, dir)
  faultPoint('snapshot.after-rename')
  chmodSync(dir, 0o555)
  if (wasThere) await removeSealed(damaged)
}

function tempIn({ root }: State): string {
  return join(root, tempName())
}

async function isIntact(state: State, digest: string): Promise<boolean> {
  try {
    const files = readManifest(state, digest)
    const wanted = new Map(files.map((file) => [file.path, file.sha256]))
    const dir = realpathSync(dirOf(state, digest))
    const list = listTree(dir, { maxFiles: MAX_TREE_FILES, allowHardLinks: true })
    if (list.blocked !== null || list.files.length !== wanted.size) return false
    if (list.files.some(({ path, real }) => real !== join(dir, ...path.split('/')))) return false
    return (await hashTree(list.files)).every((file) => wanted.get(file.path) === file.sha256)
  } catch {
    return false // no such snapshot, or something of it can't be read: it is copied again
  }
}

async function readChecked(state: State, digest: string, path: string): Promise<Buffer> {
  const wanted = containRelative(path)
  const file = readManifest(state, digest).find((candidate) => candidate.path === wanted)
  if (!file) throw new AppError('not_found', `The skill has no file "${wanted}". Look at its list of files.`)
  const bytes = await readOwn(join(dirOf(state, digest), ...wanted.split('/')))
  if (bytes && sha256(bytes) === file.sha256) return bytes
  throw new AppError(
    'stale',
    `The kept copy of "${wanted}" is damaged. Load the skill again to copy it anew.`,
  )
}

/** Null when it can't be read, or is no plain file any more. */
async function readOwn(path: string): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const fd = attempt(() => openSync(path, flags))
  if (fd === undefined) return null
  try {
    const found = fstatSync(fd)
    if (!found.isFile()) return null
    return found.size <= SMALL ? readFileSync(fd) : await readLarge(fd)
  } finally {
    closeSync(fd)
  }
}

const readLarge = promisify(readFile)

/** The list of files, itself checked against the digest: nothing in it can be changed unseen. */
function readManifest(state: State, digest: string): DigestFile[] {
  const file = `${dirOf(state, digest)}.json`
  const text = attempt(() => readFileSync(file, 'utf8'))
  const parsed = Manifest.safeParse(text === undefined ? null : attempt(() => JSON.parse(text) as unknown))
  if (parsed.success && treeDigest(parsed.data.files) === digest) return parsed.data.files
  throw new AppError('not_found', 'The kept copy of this skill is gone or damaged. Load the skill again.')
}

function dirOf(state: State, digest: string): string {
  if (!DIGEST.test(digest)) throw new AppError('bad_input', 'This is not the digest of a skill.')
  return join(state.root, digest)
}

/** The list of files goes first: without it the folder is no snapshot, and is made anew when it is needed. */
async function removeSnapshot(state: State, digest: string): Promise<void> {
  const dir = dirOf(state, digest)
  await rm(`${dir}.json`, { force: true })
  if (existsSync(dir)) await removeSealed(dir)
}

async function removeLeft({ root }: State): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (!name.startsWith('.tmp-') || !isMakerGone(name.slice('.tmp-'.length))) continue
    const path = join(root, name)
    await ((await lstat(path)).isDirectory() ? removeSealed(path) : rm(path, { force: true }))
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined // the caller says what that means
  }
}
