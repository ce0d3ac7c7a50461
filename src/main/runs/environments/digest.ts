import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@shared/errors'
import { sha256 } from '../../lib/hash'

/** What stands for a whole folder: every path with its kind, bytes, target, and whether it can be executed. */
export interface FolderDigest {
  digest: string
  /** Of all its files. */
  bytes: number
}

/** Reads everything in a folder. Links are not followed. Throws for what is neither file, folder nor link. */
export async function folderDigest(folder: string): Promise<FolderDigest> {
  const entries: string[] = []
  const bytes = await read(folder, '', entries)
  return { digest: sha256(entries.join('\n')), bytes }
}

/** In one order, whatever that of the disk is. Gives the bytes of its files. */
async function read(folder: string, inside: string, entries: string[]): Promise<number> {
  let bytes = 0
  for (const name of (await readdir(join(folder, inside))).sort()) {
    const path = join(inside, name)
    const file = join(folder, path)
    const stat = await lstat(file)
    if (stat.isDirectory()) {
      entries.push(JSON.stringify([path, 'folder']))
      bytes += await read(folder, path, entries)
    } else if (stat.isSymbolicLink()) {
      entries.push(JSON.stringify([path, 'link', await readlink(file)]))
    } else if (stat.isFile()) {
      entries.push(JSON.stringify([path, 'file', (stat.mode & 0o111) !== 0, await digestOf(file)]))
      bytes += stat.size
    } else throw new AppError('bad_input', `"${path}" among the packages is neither a file nor a folder.`)
  }
  return bytes
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
