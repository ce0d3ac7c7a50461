import { z } from 'zod'
import { call } from '../ipc/define'
import { Diagnostic, SkillFile } from './skill'

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

/** A skill that is not there any more, with text of it that was typed and not saved. */
export const GoneSkill = z.object({
  key: z.string(),
  /** Of its folder. */
  name: z.string(),
  paths: z.array(z.string()),
  /** Milliseconds since 1970. */
  keptAt: z.number(),
})
export type GoneSkill = z.infer<typeof GoneSkill>

/** A skill as it is edited: all its files, and whether anything may be written. */
export const EditedSkill = z.object({
  files: z.array(SkillFile),
  /** Relative to the skill, with /; empty ones too. */
  folders: z.array(z.string()),
  /** Why nothing of it can be changed here, in a sentence; null: it can. */
  whyNot: z.string().nullable(),
})
export type EditedSkill = z.infer<typeof EditedSkill>

export const EditedFile = z.object({
  /** Null where it is no text that can be edited without loss; `whyNot` says why. */
  text: z.string().nullable(),
  /** Of the file on disk; null: there is none, and the text is empty. */
  digest: Digest.nullable(),
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

/** A skill that its person is editing, and until when, in milliseconds since 1970. */
export const Authored = z.object({ key: z.string(), name: z.string(), until: z.number() })
export type Authored = z.infer<typeof Authored>

/** What a model always has of a skill with these words, and its tokens (estimated). */
export const SeenEntry = z.object({ text: z.string(), tokens: z.number().int().nonnegative() })

/** A skill in the order in which a message would find it. */
export const RankedSkill = z.object({
  key: z.string(),
  name: z.string(),
  /** 0: no word of the message is in it. */
  score: z.number().nonnegative(),
  /** The words of the message that count, the heaviest first. */
  words: z.array(z.string()),
  /** The one that is edited, with the words as they are typed now. */
  isOwn: z.boolean(),
})
export type RankedSkill = z.infer<typeof RankedSkill>

/** Name, description and tags of a skill as they are typed now. */
export const TypedWords = z.object({
  key: z.string().max(5000),
  name: z.string().max(1000),
  description: z.string().max(MAX_EDITED),
  tags: z.array(z.string().max(1000)).max(1000),
})
export type TypedWords = z.infer<typeof TypedWords>

/** A chat in which the unsaved text of a skill is tried. It is in no list of chats. */
export const TrialChat = z.object({ sessionId: z.string(), key: z.string(), name: z.string() })
export type TrialChat = z.infer<typeof TrialChat>

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

/** Files of a skill as they are typed; all others are as they are saved. */
export const TrialInput = z.object({
  key: Key,
  files: z.array(z.object({ path: Path, text: Text })).max(200),
})
export type TrialInput = z.infer<typeof TrialInput>

/** Digest of the version that was kept before the change. */
export const FileChangeResult = z.object({ kept: z.string() })

/** The calls of the contract about files of a skill as a person changes them. */
export const EDITOR_CALLS = {
  'editor.open': call(z.object({ key: z.string().max(5000) }), EditedSkill),
  'editor.read': call(SkillFileRef, EditedFile),
  'editor.save': call(SaveInput, SaveResult),
  'editor.change': call(FileChangeInput, FileChangeResult),
  'editor.keepDraft': call(SaveInput, z.object({})),
  'editor.dropDraft': call(SkillFileRef, z.object({})),
  /** Goes on with a drag that began in the window: the file on disk, to another program. Throws `bad_input`, `path_escape`. */
  'editor.dragOut': call(SkillFileRef, z.object({})),
  /** Shows a file or folder of the skill in the file manager. */
  'editor.reveal': call(SkillFileRef, z.object({})),
  /** Where it lies on disk. */
  'editor.whereIs': call(SkillFileRef, z.object({ path: z.string() })),
  /** *I'm editing this skill*, on or off; throws `bad_input` where nothing of it may be changed. */
  'editor.author': call(z.object({ key: Key, on: z.boolean() }), z.object({})),
  'editor.authors': call(z.object({}), z.array(Authored)),
  'editor.drafts': call(z.object({}), z.array(Draft)),
  'editor.goneDrafts': call(z.object({}), z.array(GoneSkill)),
  /** The key that an open skill has where another program renamed or moved it; null: it is gone, or not listed yet. */
  'editor.follow': call(z.object({ key: Key }), z.object({ key: Key.nullable() })),
  /** The unsaved text of a skill that is gone becomes unsaved text of the one in this folder. */
  'editor.adoptDrafts': call(z.object({ from: Key, folder: Path }), z.object({})),
  /** Begins a chat with the unsaved text; one that tries the same skill ends. Throws `bad_input` with the reason. */
  'editor.try': call(TrialInput, TrialChat),
  'editor.tries': call(z.object({}), z.array(TrialChat)),
  /** Ends its runs and removes all of it. */
  'editor.endTry': call(z.object({ sessionId: z.string().max(100) }), z.object({})),
  /** Problems of the skill as if this text were saved. */
  'editor.check': call(SkillFileRef.extend({ text: z.string().max(MAX_EDITED) }), z.array(Diagnostic)),
  'editor.seen': call(
    z.object({ name: z.string().max(1000), description: z.string().max(MAX_EDITED) }),
    SeenEntry,
  ),
  /** Which skills a message finds, best first: how many there are, and the first ones with the edited one. */
  'editor.rank': call(
    z.object({
      projectDir: z.string().min(1).max(4096).nullable(),
      message: z.string().max(4000),
      skill: TypedWords,
    }),
    z.object({ of: z.number(), place: z.number().nullable(), skills: z.array(RankedSkill) }),
  ),
}
