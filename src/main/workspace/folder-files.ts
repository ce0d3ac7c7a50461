import { link, lstat, mkdir, readdir, rename, rm, unlink } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import { isProtected } from '../lib/protected-paths'
import { codeOf, openFolder, type OpenFolder } from './folder-walk'
import { locate, type Place } from './place'
import { readFileAt, type ReadFile } from './read-file'
import { writeFileAt, type NewContents } from './write-file'

/** Files of one folder, as a person changes them: nothing goes through a link out of it, nothing is overwritten unseen. */
export interface FolderFiles {
  /** Null: there is none. Throws `path_escape`, `too_large`, `bad_input`. */
  read(root: string, path: string, max: number): Promise<ReadFile | null>
  /** See `writeFileAt`. Throws `stale` when the file is not `before` any more. */
  write(root: string, path: string, contents: Omit<NewContents, 'notes'>, commit: () => void): Promise<void>
  makeFolder(root: string, path: string): Promise<void>
  /** A file or a folder. Throws `bad_input` where something has the new name. */
  move(root: string, from: string, to: string): Promise<void>
  /** Everything at or below a path that is no folder, relative to the root. */
  inside(root: string, path: string): Promise<string[]>
  /** A file, or a folder with all that is in it; a link alone, never what it leads to. */
  remove(root: string, path: string): Promise<void>
}

/** `notes`: the app's folder for what is begun (`removeLeftWrites`). */
export function createFolderFiles({ notes }: { notes: string }): FolderFiles {
  return {
    read: (root, path, max) => read(root, path, max),
    write: (root, path, contents, commit) =>
      inWords(path, async () => {
        const place = await placeOf(root, path)
        await writeFileAt(place, { ...contents, notes }, commit)
      }),
    makeFolder: (root, path) =>
      inFolderOf(root, path, true, async (folder, name) => {
        await mkdir(folder.at(name))
      }),
    move: (root, from, to) => move(root, from, to),
    inside: (root, path) => inside(root, path),
    remove: (root, path) =>
      inFolderOf(root, path, false, (folder, name) => rm(folder.at(name), { recursive: true })),
  }
}

/** Links inside the folder are followed, the last part of the path too. */
async function placeOf(root: string, path: string): Promise<Place> {
  refuseProtected(path)
  return locate({ root, hidden: [] }, containRelative(path))
}

async function read(root: string, path: string, max: number): Promise<ReadFile | null> {
  try {
    return await inWords(path, async () => readFileAt(await placeOf(root, path), max))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

/** The name itself, not what it leads to: no link on the way is followed. */
async function inFolderOf(
  root: string,
  path: string,
  make: boolean,
  work: (folder: OpenFolder, name: string) => Promise<void>,
): Promise<void> {
  refuseProtected(path)
  const segments = containRelative(path).split('/')
  const name = segments.pop()!
  await inWords(path, async () => {
    const folder = await openFolder(root, segments, make)
    try {
      await work(folder, name)
    } finally {
      await folder.close()
    }
  })
}

/** A file gets its second name before it loses the first, so that a name that exists is never taken. */
async function move(root: string, from: string, to: string): Promise<void> {
  const [old, next] = [containRelative(from), containRelative(to)]
  if (next.startsWith(`${old}/`)) throw new AppError('bad_input', 'A folder can not be moved into itself.')
  await inFolderOf(root, old, false, (source, name) =>
    inFolderOf(root, next, true, async (target, newName) => {
      const stat = await lstat(source.at(name))
      if (stat.isFile()) {
        await giveName(source.at(name), target.at(newName), to)
        await unlink(source.at(name))
        return
      }
      if (await isThere(target.at(newName))) throw occupied(to)
      await rename(source.at(name), target.at(newName))
    }),
  )
}

async function inside(root: string, path: string): Promise<string[]> {
  const found: string[] = []
  const own = containRelative(path)
  await inFolderOf(root, own, false, async (folder, name) => {
    if (!(await lstat(folder.at(name))).isDirectory()) {
      found.push(own)
      return
    }
    for (const entry of await readdir(folder.at(name), { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue
      const below = relative(folder.at(name), join(entry.parentPath, entry.name))
      found.push(`${own}/${below.split(sep).join('/')}`)
    }
  })
  return found
}

async function giveName(from: string, to: string, shown: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw occupied(shown)
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false // what else is wrong, the rename will say
  }
}

function occupied(path: string): AppError {
  return new AppError('bad_input', `"${path}" is there already. Choose another name.`)
}

function refuseProtected(path: string): void {
  if (!isProtected(path)) return
  throw new AppError(
    'path_escape',
    `"${path}" can't be changed here: git, editors, shells and other agents trust what stands there.`,
  )
}

/** Below are functions that talk to a model; here a person reads. */
async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const sentence = SENTENCES[error instanceof AppError ? error.code : codeOf(error)]
    if (
      sentence === undefined ||
      (error instanceof AppError && / there already|trust what /.test(error.message))
    )
      throw error
    throw new AppError(sentence.code, `"${path}" ${sentence.what}`)
  }
}

const REFUSED = { code: 'bad_input', what: 'can’t be changed: the system refuses access to it.' } as const
const SENTENCES: Readonly<Record<string, { code: AppError['code']; what: string }>> = {
  path_escape: { code: 'path_escape', what: 'leads out of the skill, or has a name that can not be used.' },
  not_found: { code: 'not_found', what: 'is not there any more.' },
  bad_input: { code: 'bad_input', what: 'is no file that can be read and written here.' },
  too_large: { code: 'too_large', what: 'is larger than 1 MB.' },
  ENOENT: { code: 'not_found', what: 'is not there any more.' },
  EEXIST: { code: 'bad_input', what: 'is there already. Choose another name.' },
  EACCES: REFUSED,
  EPERM: REFUSED,
  EROFS: REFUSED,
  ENAMETOOLONG: { code: 'bad_input', what: 'is too long for a name.' },
}
