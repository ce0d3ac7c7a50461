import { diffArrays } from 'diff'
import type { Diagnostic } from '../domain/skill'
import { parseSkillMd } from '../skill-md'
import { editSkillMd } from './edit'
import {
  withDescription,
  withFields,
  withoutTabs,
  withoutTags,
  withoutTurns,
  withoutTwins,
  withoutUnseen,
  withTool,
  type Cured,
} from './line-cures'
import { withPath } from './path-cures'
import { repairedText } from './repaired-text'
import { isLegalName, slugOf } from './skill-name'

/** One change of a text: what stands from `start` up to `end` becomes `text`. Places count as in strings, from 0. */
export interface TextEdit {
  start: number
  end: number
  text: string
}

/** What one click does about a problem. */
export interface SkillFix {
  /** What was done, in the words of a button or a message. */
  title: string
  /** In the order of their places; none touches another. */
  edits: TextEdit[]
  /** What of the text with the edits made is a template that a person has to write over; left out: nothing. */
  select?: { start: number; end: number }
}

/** The problem, and the folder that the file lies in. */
export type Fixable = Pick<Diagnostic, 'code' | 'file' | 'message' | 'line' | 'column' | 'fix'> & {
  folderName: string
}

/**
 * The edits that cure a problem of a SKILL.md; null where a person has to decide, or for another file. `text` is the
 * whole file, byte order mark included. What is outside of the edits stays byte for byte. Never throws.
 */
export function fixEdits(text: string, problem: Fixable): SkillFix | null {
  const cure = problem.file === undefined ? CURES[problem.code] : undefined
  try {
    const cured = cure?.(text, problem)
    if (!cured || cured.text === text) return null
    return { title: cured.title, edits: editsBetween(text, cured.text), ...selected(cured) }
  } catch {
    return null // the frontmatter can't be edited, and why is among its problems
  }
}

function selected({ text, template }: Cured): Pick<SkillFix, 'select'> {
  const start = template === undefined ? -1 : text.indexOf(template)
  return template === undefined || start < 0 ? {} : { select: { start, end: start + template.length } }
}

/** The text with the edits made. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let done = ''
  let at = 0
  for (const { start, end, text: insert } of edits) {
    done += text.slice(at, start) + insert
    at = end
  }
  return done + text.slice(at)
}

/** The same places in bytes of UTF-8, as other programs count. */
export function inBytes(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const encoder = new TextEncoder()
  const bytes = (end: number) => encoder.encode(text.slice(0, end)).length
  return edits.map(({ start, end, text: insert }) => ({ start: bytes(start), end: bytes(end), text: insert }))
}

type Cure = (text: string, problem: Fixable) => Cured | null

/** By code; the codes that are not here have no cure that is surely meant. */
const CURES: Readonly<Record<string, Cure>> = {
  'yaml-repaired': repaired,
  'yaml-invalid': (text, problem) => withoutTabs(text) ?? repaired(text, problem),
  'field-left-out': (text, problem) => withoutTabs(text) ?? repaired(text, problem),
  'document-end': repaired,
  'frontmatter-not-closed': repaired,
  'blank-before-frontmatter': repaired,
  'fence-indented': repaired,
  'frontmatter-not-a-mapping': repaired,
  'description-missing': (text, problem) => repaired(text, problem) ?? withDescription(text),
  'frontmatter-missing': (text, { folderName }) => withFields(text, folderName),
  empty: (text, { folderName }) => withFields(text, folderName),
  'field-as-heading': repaired,
  'field-escaped': repaired,
  'control-characters': repaired,
  'name-missing': (text, { folderName }) => named(text, slugOf(folderName)),
  'name-invalid': (text, { folderName }) => named(text, slugOf(folderName)),
  'name-differs-from-folder': (text, { folderName }) =>
    isLegalName(folderName) ? named(text, folderName) : null,
  'agent-without-fork': (text) => ({
    title: 'Added "context: fork".',
    text: editSkillMd(text, { set: { context: 'fork' } }),
  }),
  'model-empty': (text) => ({ title: 'Deleted "model".', text: editSkillMd(text, { remove: ['model'] }) }),
  'read-as-text': quoted,
  'duplicate-key': (text, { message }) => withoutTwins(text, /^"([^"]+)"/.exec(message)?.[1] ?? ''),
  'tag-characters': (text) => withoutTags(text),
  'bidi-characters': (text) => withoutTurns(text),
  'hidden-characters': (text) => withoutUnseen(text),
  'link-target-missing': withPath,
  'file-not-there': withPath,
  'tool-unknown': toolNamed,
  'wrong-type': asRead,
}

/** All repairs at once, as each counts on those before it; null where they leave this problem as it is. */
function repaired(text: string, problem: Fixable): Cured | null {
  const whole = repairedText(text)
  if (!whole || timesOf(whole.text, problem) >= timesOf(text, problem)) return null
  return { title: whole.changes.join(' '), text: whole.text }
}

function timesOf(text: string, { code, folderName }: Fixable): number {
  return parseSkillMd(text, { folderName }).diagnostics.filter((one) => one.code === code).length
}

function named(text: string, name: string): Cured {
  return { title: `Wrote "name: ${name}".`, text: editSkillMd(text, { set: { name } }) }
}

/** The tool that was meant, in the field that names another one; the rest of the field stays. */
function toolNamed(text: string, { message, fix = '' }: Fixable): Cured | null {
  const [, written, field] =
    /^There is no tool "([^"]+)"; in "([^"]+)" it fits no call\.$/.exec(message) ?? []
  const meant = /^Write it as the tool is named: "([^"]+)"\.$/.exec(fix)?.[1]
  if (written === undefined || field === undefined || meant === undefined) return null
  return withTool(text, { field, written, meant })
}

/** True or false as it is used now, in the place of what is neither. */
function asRead(text: string, { message }: Fixable): Cured | null {
  const [, key, used] = /^"([\w-]+)" must be true or false; (true|false) is used\.$/.exec(message) ?? []
  if (key === undefined) return null
  return { title: `Wrote "${key}: ${used}".`, text: editSkillMd(text, { set: { [key]: used === 'true' } }) }
}

function quoted(text: string, { message }: Fixable): Cured | null {
  const [, key, value] = /^"([^"]+)" was read as the text "([^]*)"\.$/.exec(message) ?? []
  if (key === undefined || value === undefined) return null
  return { title: `Put "${key}" in quotes.`, text: editSkillMd(text, { set: { [key]: value } }) }
}

/** What makes one text the other: by whole lines, each edit then cut to what differs within them. */
export function editsBetween(before: string, after: string): TextEdit[] {
  const lines = (text: string) => text.split(/(?<=\n)/)
  const edits: TextEdit[] = []
  let at = 0
  let open: TextEdit | null = null
  for (const { added, removed, value } of diffArrays(lines(before), lines(after))) {
    const text = value.join('')
    if (!added && !removed) {
      if (open) edits.push(cutToDifference(before, open))
      open = null
    } else {
      open ??= { start: at, end: at, text: '' }
      if (added) open.text += text
      else open.end += text.length
    }
    if (!added) at += text.length
  }
  if (open) edits.push(cutToDifference(before, open))
  return edits
}

function cutToDifference(before: string, { start, end, text }: TextEdit): TextEdit {
  let head = 0
  while (start + head < end && head < text.length && before[start + head] === text[head]) head += 1
  if (isHalf(text[head - 1])) head -= 1
  let tail = 0
  const most = Math.min(end - start, text.length) - head
  while (tail < most && before[end - 1 - tail] === text[text.length - 1 - tail]) tail += 1
  if (tail > 0 && isSecondHalf(text[text.length - tail])) tail -= 1
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) }
}

/** The first half of a character beyond the first plane: an edit never stands between the two. */
function isHalf(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\ud800' && unit <= '\udbff'
}

function isSecondHalf(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\udc00' && unit <= '\udfff'
}
