import { z } from 'zod'
import { SkillFile } from './skill'

/** Bytes of a file that the editor opens, writes or takes in; scripts and references are far smaller. */
export const MAX_EDITED = 1_048_576

/** sha256 of a file, lower-case hex. */
const Digest = z.string().regex(/^[0-9a-f]{64}$/)

/** Text that was typed and not saved, kept beside the skill so that a crash loses nothing. */
export const Draft = z.object({
  key: z.string(),
  path: z.string(),
  /** Milliseconds since 1970. */
  keptAt: z.number(),
})
export type Draft = z.infer<typeof Draft>

/** A skill as it is edited: all its files, and whether anything may be written. */
export const EditedSkill = z.object({
  files: z.array(SkillFile),
  /** Relative to the skill, with /; empty ones too. */
  folders: z.array(z.string()),
  /** Why nothing of it can be changed here, in a sentence; null: it can. */
  whyNot: z.string().nullable(),
  /** Until when scripts of it that were saved here run without asking (*I'm editing this skill*); null: not on. */
  authorUntil: z.number().nullable(),
})
export type EditedSkill = z.infer<typeof EditedSkill>

export const EditedFile = z.object({
  /** Null where it is no text that can be edited without loss; `whyNot` says why. */
  text: z.string().nullable(),
  /** Of the file on disk. */
  digest: Digest,
  whyNot: z.string().nullable(),
  /** What was typed and not saved, and the file that it was typed over. */
  draft: z.object({ text: z.string(), before: Digest.nullable(), keptAt: z.number() }).nullable(),
})
export type EditedFile = z.infer<typeof EditedFile>

/** `stale`: the file is no longer what was opened; nothing was written. `text` is what is there now, null: nothing. */
export const SaveResult = z.discriminatedUnion('t', [
  z.object({ t: z.literal('saved'), digest: Digest }),
  z.object({ t: z.literal('stale'), text: z.string().nullable(), digest: Digest.nullable() }),
])
export type SaveResult = z.infer<typeof SaveResult>

const Key = z.string().max(5000)
const Path = z.string().min(1).max(4096)
const Text = z.string().max(MAX_EDITED)

export const SkillFileRef = z.object({ key: Key, path: Path })
export type SkillFileRef = z.infer<typeof SkillFileRef>

export const SaveInput = SkillFileRef.extend({
  text: Text,
  /** Of the file that was opened; null: there must be none. */
  before: Digest.nullable(),
})
export type SaveInput = z.infer<typeof SaveInput>

/** One change of the files of a skill. Nothing is ever overwritten. */
export const FileChangeInput = z.discriminatedUnion('t', [
  z.object({ t: z.literal('folder'), key: Key, path: Path }),
  /** A new file with this content, base64. */
  z.object({ t: z.literal('file'), key: Key, path: Path, base64: z.string().max(MAX_EDITED * 2) }),
  z.object({ t: z.literal('rename'), key: Key, path: Path, to: Path }),
  /** A file, or a folder with all that is in it; kept as a version first. */
  z.object({ t: z.literal('delete'), key: Key, path: Path }),
  /** Puts back what a version has there and the folder has not. */
  z.object({ t: z.literal('put-back'), key: Key, path: Path, digest: Digest }),
])
export type FileChangeInput = z.infer<typeof FileChangeInput>

/** Digest of the version that was kept before the change. */
export const FileChangeResult = z.object({ kept: z.string() })
