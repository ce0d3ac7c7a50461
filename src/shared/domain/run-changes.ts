import { z } from 'zod'

/** What became of a path; `mode`: only its permissions. */
export const ChangeKind = z.enum(['added', 'changed', 'deleted', 'mode'])
export type ChangeKind = z.infer<typeof ChangeKind>

export const EntryType = z.enum(['file', 'folder', 'link', 'special'])
export type EntryType = z.infer<typeof EntryType>

/** Why the contents of a file were not kept: too large, over the limits in all, an ignored folder, access refused. */
export const NotKept = z.enum(['size', 'limit', 'ignored', 'unreadable'])
export type NotKept = z.infer<typeof NotKept>

/** What can be taken back of a run that has not begun, or was taken down of one that has. Counts of files. */
export const Coverage = z.object({
  /** Files whose contents are kept. */
  kept: z.number().int().nonnegative(),
  notKept: z.partialRecord(NotKept, z.number().int().positive()),
  /** Folders that could not be opened. */
  unreadFolders: z.number().int().nonnegative(),
  /** There are more files than are looked at. */
  cut: z.boolean(),
})
export type Coverage = z.infer<typeof Coverage>

/** One path of a change set, as a page shows it. */
export const ChangedFile = z.object({
  /** Its number in the set; a click names it. */
  n: z.number().int().nonnegative(),
  /** For people: bytes that are no text are shown as U+FFFD. */
  path: z.string(),
  kind: ChangeKind,
  type: EntryType,
  /**
   * What is there now: what the run left, what was there before it, or something else. `unknown`: it could not be
   * looked at. `hidden`: its name was not noted, so it can't be.
   */
  now: z.enum(['left', 'before', 'other', 'unknown', 'hidden']),
  /** Identity of what is there now: a click that overwrites it names it. */
  nowId: z.string(),
  /** Why it can't be taken back; null: it can. */
  lost: z.string().nullable(),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** What a run changed, or what an undo of it did. */
export const ChangeSet = z.object({
  id: z.string(),
  kind: z.enum(['run', 'undo']),
  /** Folder that the paths are in. */
  root: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** An undo that was broken off can be continued. */
  state: z.enum(['done', 'open']),
  files: z.array(ChangedFile),
  /** All of them, listed or not. */
  total: z.number().int().nonnegative(),
  /** What a person must know: what is not covered, who else worked in the folder. One sentence each. */
  notes: z.array(z.string()),
})
export type ChangeSet = z.infer<typeof ChangeSet>

/** The texts of one change. null: there was no file, or it is no text, or it was not kept. */
export const ChangeTexts = z.object({
  before: z.string().nullable(),
  after: z.string().nullable(),
  now: z.string().nullable(),
  /** What to say instead of a text, each side: "1.2 MB, no text". */
  words: z.object({ before: z.string(), after: z.string(), now: z.string() }),
})
export type ChangeTexts = z.infer<typeof ChangeTexts>

/** What an undo did. */
export const UndoResult = z.object({
  /** Of the undo itself; null: nothing was changed. */
  setId: z.string().nullable(),
  done: z.number().int().nonnegative(),
  /** Not touched, with the reason in words. */
  left: z.array(z.object({ n: z.number().int(), path: z.string(), why: z.string() })),
})
export type UndoResult = z.infer<typeof UndoResult>
