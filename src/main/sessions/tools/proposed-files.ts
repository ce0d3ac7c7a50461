import { applyPatch } from 'diff'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import { scriptKind } from '@shared/script-kind'
import { parseSkillMd, type ParsedSkill } from '@shared/skill-md'
import { foldName } from '@shared/skill-md/skill-name'
import { estimateTokens } from '@shared/tokens'
import type { ProposedFile } from '../../db/proposal-rows'

/** One change as an agent writes it: the whole file, a unified diff, or nothing of it any more. */
export interface FileChange {
  path: string
  content?: string | undefined
  diff?: string | undefined
  delete?: boolean | undefined
}

/** The files of the skill as they are; null: there is none of that path, or it is no text. */
export type ReadBefore = (path: string) => Promise<{ text: string | null } | null>

const MAX_FILE = 1_000_000
const MAX_ALL = 5_000_000

/**
 * What the skill would be. Throws `path_escape`, `too_large`, and `bad_input` for a diff that does not fit, a change
 * that changes nothing or what must stay.
 */
export async function proposedFiles(
  changes: readonly FileChange[],
  before: ReadBefore,
): Promise<ProposedFile[]> {
  const files: ProposedFile[] = []
  for (const change of changes) {
    const path = containRelative(change.path)
    if (files.some((other) => other.path === path))
      throw bad(`"${path}" is named twice. Name each file once.`)
    files.push(apply(path, change, await before(path)))
  }
  const all = files.reduce((sum, { after }) => sum + sizeOf(after), 0)
  if (files.some(({ after }) => sizeOf(after) > MAX_FILE) || all > MAX_ALL) {
    throw new AppError(
      'too_large',
      'A proposal holds at most 1 MB a file and 5 MB in all. Propose less at once.',
    )
  }
  // A file that is no text has no text before; that it goes is a change all the same.
  const changed = files.filter(({ before, after }) => before !== after || after === null)
  if (changed.length === 0)
    throw bad('This changes nothing: the files already say that. Propose a real change.')
  return changed
}

/** What a change of SKILL.md comes to; without one it stays as it is. Throws `bad_input` when it would not be read. */
export function proposedSkill(name: string, files: readonly ProposedFile[]): Touched {
  const skillMd = files.find(({ path }) => isSkillMd(path))
  const scripts = files.some(touchesScript)
  if (!skillMd) return { tokenChange: 0, marked: scripts }
  const before = parse(name, skillMd.before ?? '')
  const after = stillASkill(name, skillMd)
  return {
    tokenChange: estimateTokens(after.body) - estimateTokens(before.body),
    marked: scripts || reachOf(before) !== reachOf(after),
  }
}

function stillASkill(name: string, { after: text }: ProposedFile): ParsedSkill {
  if (text === null) throw bad('SKILL.md can not be deleted: without it there is no skill.')
  const after = parse(name, text)
  if (!after.broken && foldName(after.name) === foldName(name)) return after
  const error = after.diagnostics.find(({ severity }) => severity === 'error')
  const why = error?.message ?? 'Its name must stay.'
  throw bad(`SKILL.md would not be the skill "${name}" any more: ${why} Mend it and propose again.`)
}

interface Touched {
  tokenChange: number
  marked: boolean
}

export function isSkillMd(path: string): boolean {
  return /^skill\.md$/i.test(path)
}

/** A unified diff of several files as one for each; without names of files it is about SKILL.md. */
export function splitDiff(diff: string): FileChange[] {
  const starts = [...diff.matchAll(/^--- .*\n\+\+\+ .*$/gm)].map(({ index }) => index)
  if (starts.length === 0) return [{ path: 'SKILL.md', diff }]
  return starts.map((start, at) => {
    const part = diff.slice(start, starts[at + 1])
    const path = /^\+\+\+ (?:b\/)?(.*?)(?:\t.*)?$/m.exec(part)?.[1] ?? 'SKILL.md'
    return { path, diff: part.replace(/^diff --git .*\n(?:index .*\n)?/gm, '') }
  })
}

function apply(path: string, change: FileChange, before: { text: string | null } | null): ProposedFile {
  const text = before?.text ?? null
  if (change.content !== undefined) return { path, before: text, after: change.content }
  if (before === null) throw bad(`The skill has no file "${path}". Give its whole content instead.`)
  if (change.diff === undefined) return { path, before: text, after: null }
  if (text === null) throw bad(`"${path}" is no text, so a diff can't change it.`)
  return { path, before: text, after: patched(path, text, change.diff) }
}

function patched(path: string, text: string, diff: string): string {
  if (!/^@@ -\d/m.test(diff)) throw bad(`The diff of "${path}" holds no change. Write it as a unified diff.`)
  let after: string | false
  try {
    after = applyPatch(text, diff)
  } catch (error) {
    throw bad(`The diff of "${path}" can't be read: ${(error as Error).message} Write it as a unified diff.`)
  }
  if (after === false) {
    throw bad(
      `The diff does not fit "${path}" as it was loaded. Read the file again, or give its whole content.`,
    )
  }
  return after
}

/** The fields that decide what a skill may do. */
function reachOf({ allowedTools, frontmatter }: ParsedSkill): string {
  return JSON.stringify([allowedTools, frontmatter['hooks'], frontmatter['execution']])
}

function parse(name: string, text: string): ParsedSkill {
  return parseSkillMd(text, { folderName: name })
}

/** A file that could run, wherever it lies. */
function touchesScript({ path, before, after }: ProposedFile): boolean {
  const runs = (text: string | null) => text !== null && scriptKind(path, text.split('\n')[0] ?? '') !== null
  return (
    path.startsWith('scripts/') || runs(before) || runs(after) || (after ?? before)?.startsWith('#!') === true
  )
}

function sizeOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text)
}

function bad(message: string): AppError {
  return new AppError('bad_input', message)
}
