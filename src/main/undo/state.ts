import { z } from 'zod'
import { EntryType, NotKept } from '@shared/domain/run-changes'

/**
 * A path below the root, with /, each byte of its name as one character: names need not be text. `shownPath` is for
 * people, `nativePath` for the system.
 */
export type RawPath = string

/** One path as it is at a moment. */
export const FileState = z.object({
  type: EntryType,
  /** Permission bits, with setuid and the like. */
  mode: z.number().int(),
  uid: z.number().int(),
  gid: z.number().int(),
  size: z.number(),
  /** Differs when the file was written to, replaced or given other permissions. Files only. */
  stamp: z.string(),
  /** Of the contents, where they were read. */
  hash: z.string().nullable(),
  /** The contents are in the store. */
  kept: z.boolean(),
  notKept: NotKept.nullable(),
  /** Where a link leads, byte by byte. */
  target: z.string().nullable(),
  /** Another name of the same file in the folder, when it had one. */
  twin: z.string().nullable(),
  /** Its name, or where it leads, held a secret and was not noted: it can't be found again. */
  hidden: z.literal(true).optional(),
})
export type FileState = z.infer<typeof FileState>

/** What tells two states of a path apart; `none` for a path that is not there. */
export function identityOf(state: FileState | null): string {
  if (!state) return 'none'
  if (state.type === 'folder') return `folder:${state.mode}`
  if (state.type === 'link') return `link:${state.target}`
  if (state.type === 'special') return `special:${state.mode}:${state.stamp}`
  return `file:${state.mode}:${state.hash ?? state.stamp}`
}

/** Whether two looks at a path saw the same; a file whose contents one of them did not read is known by its stamp. */
export function isSame(one: FileState | null, other: FileState | null): boolean {
  if (one?.type === 'file' && other?.type === 'file' && one.stamp === other.stamp) return true
  return identityOf(one) === identityOf(other)
}

export function shownPath(path: RawPath): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

export function rawPath(text: string): RawPath {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function nativePath(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1')
}
