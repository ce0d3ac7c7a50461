import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { AppError } from '@shared/errors'
import { slugOf } from '@shared/skill-md/skill-name'
import { readStart } from '../store/safe-read'
import {
  checkPaths,
  idOf,
  isSafeName,
  MAX_SOURCE_BYTES,
  MAX_SOURCE_FILES,
  refusal,
  shown,
  storedSource,
  storeSource,
} from './source-store'
import type { SourceFile, StoredSource } from './source-store'

/** What is looked at of one entry before anything is unpacked. */
export interface ArchiveEntry {
  fileName: string
  compressedSize: number
  /** As the archive declares it. */
  uncompressedSize: number
  /** Upper 16 bits: type and mode of the file where the archive was made on a system that has them. */
  externalFileAttributes: number
  isEncrypted(): boolean
}

/** A file to unpack. */
export interface PlannedFile<T> {
  entry: T
  /** Relative to the skill, with /. */
  path: string
  executable: boolean
}

const MAX_ENTRIES = 2 * MAX_SOURCE_FILES
/** Declared bytes for each stored one, above which it is a bomb; small archives of plain text reach it by right. */
const MAX_RATIO = 100
const RATIO_FROM = 1024 * 1024
const TYPE = 0o170000
const HARMLESS_TYPES = new Set([0, 0o100000, 0o040000])

/**
 * Unpacks a `.zip` or `.skill` into `sourcesDir/<sha256 of the archive>/`, or finds it there. It holds one skill:
 * SKILL.md at its top or in its one folder (`management.md` 2.6). Throws `bad_input` with the reason for links, paths
 * that lead out, special names, doubles, encryption, damage, more than 50 MB or 2,000 files, declared or real; nothing
 * is written then. Only files and folders are ever made.
 */
export async function unpackArchive(file: string, sourcesDir: string): Promise<StoredSource> {
  const bytes = readArchive(file)
  const id = idOf(bytes)
  const known = await storedSource(sourcesDir, id)
  if (known) return known
  const zip = await openZip(bytes)
  try {
    const { name, files } = planArchive(await readEntries(zip), basename(file))
    const unpacked = files.map((planned) => sourceFile(zip, planned))
    return await storeSource({ sourcesDir, id, name }, unpacked)
  } catch (error) {
    throw error instanceof AppError || isOfDisk(error) ? error : damaged(error)
  } finally {
    zip.close()
  }
}

/** What would be unpacked, decided from the list of entries alone. Throws `bad_input` as `unpackArchive` does. */
export function planArchive<T extends ArchiveEntry>(
  entries: readonly T[],
  archiveName: string,
): { name: string; files: PlannedFile<T>[] } {
  for (const entry of entries) checkEntry(entry)
  checkSizes(entries)
  const kept = entries.filter(({ fileName }) => !isLitter(fileName))
  const files = kept.filter((entry) => !isFolderEntry(entry))
  if (files.length > MAX_SOURCE_FILES) throw refusal(`it has more than ${MAX_SOURCE_FILES} files`)
  const paths = checkPaths([...files.map(({ fileName }) => fileName), ...insideFolders(kept)])
  const { name, cut } = skillIn(paths, archiveName)
  return {
    name,
    files: files.map((entry, at) => ({
      entry,
      path: paths[at]!.slice(cut),
      executable: ((entry.externalFileAttributes >>> 16) & 0o100) !== 0,
    })),
  }
}

/** Folders are made as files need them, but their names must be as safe: each stands for a file inside it. */
function insideFolders(entries: readonly ArchiveEntry[]): string[] {
  return entries
    .filter(isFolderEntry)
    .map(({ fileName }, at) => `${fileName.replace(/\/+$/, '')}/entry-${at}`)
}

function checkEntry(entry: ArchiveEntry): void {
  const name = shown(entry.fileName)
  if (entry.isEncrypted()) throw refusal(`${name} is encrypted, so nobody can see what it does`)
  const type = (entry.externalFileAttributes >>> 16) & TYPE
  if (!HARMLESS_TYPES.has(type)) throw refusal(`${name} is a link or a special file`)
}

function checkSizes(entries: readonly ArchiveEntry[]): void {
  const declared = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  const stored = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0)
  if (declared > MAX_SOURCE_BYTES) throw tooLarge()
  if (declared > RATIO_FROM && declared > stored * MAX_RATIO) {
    throw refusal(`it unpacks to more than ${MAX_RATIO} times its size`)
  }
}

/** Its one skill: name of the folder, and how many characters of each path lie before it. */
function skillIn(paths: readonly string[], archiveName: string): { name: string; cut: number } {
  if (paths.some((path) => /^skill\.md$/i.test(path))) {
    return { name: slugOf(archiveName.replace(/\.[^.]+$/, '')), cut: 0 }
  }
  const [top = '', ...others] = new Set(paths.map((path) => path.split('/', 1)[0]!))
  const holds = paths.some((path) => /^[^/]+\/skill\.md$/i.test(path))
  if (others.length > 0 || !holds || !isSafeName(top)) {
    throw refusal('it must hold one skill: SKILL.md at its top or in its one folder')
  }
  return { name: top, cut: top.length + 1 }
}

function isFolderEntry({ fileName }: ArchiveEntry): boolean {
  return fileName.endsWith('/')
}

/** What macOS and Windows add by themselves. */
function isLitter(fileName: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(fileName)
}

function readArchive(file: string): Buffer {
  const bytes = readStart(file, MAX_SOURCE_BYTES + 1)
  if (bytes.length > MAX_SOURCE_BYTES) throw tooLarge()
  return bytes
}

async function openZip(bytes: Buffer): Promise<ZipFile> {
  try {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }
    return await fromBufferPromise(bytes, options)
  } catch (error) {
    throw damaged(error)
  }
}

async function readEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw refusal(`it has more than ${MAX_SOURCE_FILES} files`)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

function sourceFile(zip: ZipFile, { entry, path, executable }: PlannedFile<Entry>): SourceFile {
  return { path, executable, bytes: () => inflate(zip, entry) }
}

/** Compares what comes out with what the archive says of it; the library stops at the size that it declares. */
async function inflate(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const name = shown(entry.fileName)
  const local = await zip.readLocalFileHeaderPromise(entry)
  if (!local.fileName.equals(entry.fileNameRaw)) throw refusal(`it gives ${name} two different names`)
  const chunks: Buffer[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  if (crc32(bytes) !== entry.crc32) throw refusal(`${name} is damaged`)
  return bytes
}

function tooLarge(): AppError {
  return refusal(`it is larger than ${MAX_SOURCE_BYTES / 1024 / 1024} MB`)
}

/** A full disk or a missing right, which is no fault of the archive. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function damaged(error: unknown): AppError {
  const reason = error instanceof Error ? error.message : String(error)
  return refusal(`it is no ZIP archive that can be read (${reason})`)
}
