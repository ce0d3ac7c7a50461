import { join } from 'node:path'
import { z } from 'zod'
import { isLegalName } from '@shared/skill-md/skill-name'
import { readDataFile } from '../../lib/data-file'

const mountName = z
  .string()
  .refine(isLegalName, 'is no name for a skill: use lower-case letters, digits and single hyphens')
const as = mountName.optional()
const MAX_PATH = 4096
const path = z.string().min(1).max(MAX_PATH)

const FolderSource = z.object({ kind: z.literal('folder'), dir: path, as }).strict()
const GitSource = z.object({ kind: z.literal('git'), dir: path, subdir: path.optional(), as }).strict()
const ArchiveSource = z.object({ kind: z.literal('archive'), file: path, as }).strict()

/** A source that `sources.json` may name. Paths are absolute or start with `~/`. */
export const FileSource = z.discriminatedUnion('kind', [FolderSource, GitSource, ArchiveSource])
export type FileSource = z.infer<typeof FileSource>

/**
 * Where skills come from besides the folders that are always searched (F3). `as` mounts a single skill under another
 * name, which is then its handle. All but `bundled` count as Personal, after `~/.satchel/skills`.
 */
export type SkillSource =
  | FileSource
  /** Skills that come with a program that embeds Satchel: lowest scope, read-only. */
  | { kind: 'bundled'; dir: string }
  /** One skill; `files` by path below it, with /. */
  | { kind: 'memory'; name: string; files: Readonly<Record<string, string | Uint8Array>>; as?: string }

/** Something that could not be used, and why: for `satchel skills doctor` and Settings. */
export interface RootNote {
  /** As it is shown: from ~ on. */
  location: string
  /** One or two sentences. */
  note: string
}

const MAX_FILE = 256 * 1024
const LOCATION = '~/.satchel/sources.json'

/**
 * The sources that the person declared in `~/.satchel/sources.json`: `{"version": 1, "sources": [...]}`. What can't be
 * read is a note and left out; nothing else of the file is lost by it.
 */
export function readSourcesFile(homeDir: string): { sources: FileSource[]; notes: RootNote[] } {
  const file = readDataFile(join(homeDir, '.satchel', 'sources.json'), MAX_FILE)
  if (file.state === 'missing') return { sources: [], notes: [] }
  if (file.state === 'read') return parseSources(file.value)
  return { sources: [], notes: [note(`${file.reason} None of its sources is used.`)] }
}

const SourcesFile = z.object({ version: z.literal(1), sources: z.array(z.unknown()).max(1000) })

function parseSources(value: unknown): { sources: FileSource[]; notes: RootNote[] } {
  const file = SourcesFile.safeParse(value)
  if (!file.success) {
    const text = 'It must be {"version": 1, "sources": [...]}. None of its sources is used.'
    return { sources: [], notes: [note(text)] }
  }
  const sources: FileSource[] = []
  const notes: RootNote[] = []
  for (const [at, entry] of file.data.sources.entries()) {
    const source = FileSource.safeParse(entry)
    if (source.success) sources.push(source.data)
    else notes.push(note(`Source ${at + 1} is left out: ${firstIssue(source.error, entry)}.`))
  }
  return { sources, notes }
}

/** What is wrong first, in words of our own: those of the schema speak of types. `entry` is what was read. */
function firstIssue({ issues: [issue] }: z.ZodError, entry: unknown): string {
  const key = String(issue?.path[0] ?? '')
  if (!issue || key === '') return issue?.code === 'unrecognized_keys' ? extraKeys(issue.keys) : NO_SOURCE
  if (issue.code === 'invalid_union') return `"${key}" must be "folder", "git" or "archive"`
  if (issue.code === 'too_small') return `"${key}" is empty`
  if (issue.code === 'too_big') return `"${key}" has more than ${MAX_PATH} characters`
  if (issue.code === 'custom') return `"${key}" ${issue.message}`
  return Object.hasOwn(Object(entry), key) ? `"${key}" must be a text` : `"${key}" is missing`
}

const NO_SOURCE = 'it must be {"kind": ..., ...}'

function extraKeys(keys: readonly string[]): string {
  const names = keys.map((name) => JSON.stringify(name.slice(0, 80)))
  if (names.length === 1) return `${names[0]} means nothing there`
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} mean nothing there`
}

function note(text: string): RootNote {
  return { location: LOCATION, note: text }
}
