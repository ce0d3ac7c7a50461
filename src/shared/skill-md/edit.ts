import { AppError } from '../errors'
import { setBody } from './edit-body'
import { leftOutLines, openEditing, withFrontmatter } from './editing'
import type { Editing } from './editing'
import { isSame, pathOf, sameButLineEnds, valueAt, withoutValue, withValue } from './field-path'
import { fieldSplices, removalLines, removalSplices } from './field-splices'
import {
  checkKey,
  checkPlainData,
  isShortList,
  renderBlock,
  renderFlow,
  renderKey,
  renderLines,
  renderScalar,
} from './render'
import { eolAt, readSource } from './source'
import { columnOf } from './yaml-places'
import type { Splice } from './yaml-places'

/** What to change in a SKILL.md. A key such as `metadata.author` names a field within a map. */
export interface SkillEdit {
  /** Texts, numbers, booleans, null, lists and maps; undefined changes nothing. */
  set?: Record<string, unknown>
  remove?: readonly string[]
  /** Blank lines around it and its kind of line ends don't matter. */
  body?: string
}

/**
 * Changes fields and body of a SKILL.md as a person would by hand: outside the changed value every byte stays, unknown
 * keys, comments, quotes, order, line ends and byte order mark included (`format.md` 5, rule 3). A new field stands
 * behind the last one; a file without frontmatter gets some. A value equal to the present one changes nothing; texts
 * that differ only in line ends at their end count as equal. Throws `bad_input` when the frontmatter can't be read or
 * the value can't be written there, always with what to do; then nothing is changed.
 */
export function editSkillMd(text: string, changes: SkillEdit): string {
  let edited = text
  for (const key of changes.remove ?? []) edited = removeField(edited, key)
  for (const [key, value] of Object.entries(changes.set ?? {})) {
    if (value !== undefined) edited = setField(edited, key, value)
  }
  return changes.body === undefined ? edited : setBody(edited, changes.body)
}

function setField(text: string, key: string, value: unknown): string {
  checkPlainData(value)
  const base = withFrontmatter(text)
  const editing = openEditing(base)
  const path = pathOf(editing.values, key)
  path.forEach((part) => checkKey(part))
  const present = valueAt(editing.values, path)
  if (present !== undefined && isSame(present, value, sameButLineEnds)) return text
  const wanted = withValue(editing.values, path, value)
  const attempts = [() => attempt(editing, path, value), () => attempt(editing, path, value, true)]
  // A value within a map that is not there yet, or that stands elsewhere (`*name`): that map is written anew.
  for (let length = path.length - 1; length > 0; length -= 1) {
    const outer = path.slice(0, length)
    attempts.push(() => attempt(editing, outer, valueAt(wanted, outer)))
  }
  for (const make of attempts) {
    const edited = make()
    if (edited !== null && isSame(valuesOf(edited), wanted)) return edited
  }
  throw cannotChange(key)
}

/** The edited text; null where this way is not open. */
function attempt(editing: Editing, path: readonly string[], value: unknown, simply = false): string | null {
  const leftOut = path.length === 1 ? leftOutLines(editing, path[0]!) : null
  if (leftOut) return splice(editing, [overLines(editing, path[0]!, value, leftOut)])
  const splices = fieldSplices(editing, path, { value, simply })
  if (splices) return splice(editing, splices)
  return path.length === 1 ? append(editing, path[0]!, value) : null
}

function overLines(
  editing: Editing,
  key: string,
  value: unknown,
  lines: { first: number; last: number },
): Splice {
  const all = editing.source.yaml.split('\n')
  const start = all.slice(0, lines.first).join('\n').length + (lines.first > 0 ? 1 : 0)
  const end = all.slice(0, lines.last + 1).join('\n').length
  return { start, end, text: fieldLines(key, value, 0), parsed: false }
}

/** A new field in front of the closing fence, at the column of the others. */
function append(editing: Editing, key: string, value: unknown): string {
  const { source, map, parsed } = editing
  const first = (map?.items[0]?.key as { range?: [number] } | undefined)?.range?.[0] ?? 0
  const indent = columnOf(parsed, first)
  const place = source.lines[source.close]!.start
  const before = source.lines[source.close - 1]!
  const eol = eolAt(source, before.start)
  const lines = fieldLines(key, value, indent).replaceAll('\n', eol)
  return source.text.slice(0, place) + lines + eol + source.text.slice(place)
}

function fieldLines(key: string, value: unknown, indent: number): string {
  const start = `${' '.repeat(indent)}${renderKey(key)}:`
  if (typeof value === 'string') {
    const style = { mode: '|', indent: indent + 2, width: 0 } as const
    const block = value.includes('\n') ? renderBlock(value, style) : null
    return `${start} ${block ?? renderScalar(value, 'plain')}`
  }
  const below = isShortList(value) ? null : renderLines(value, indent + 2)
  return below === null ? `${start} ${renderFlow(value)}` : `${start}\n${below}`
}

function removeField(text: string, key: string): string {
  if (readSource(text).open === -1) return text
  let edited = text
  // A key that stands there twice is removed twice.
  for (let times = 0; times < MAX_TWINS; times += 1) {
    const editing = openEditing(edited)
    const path = pathOf(editing.values, key)
    const leftOut = path.length === 1 ? leftOutLines(editing, path[0]!) : null
    if (leftOut) {
      edited = cutLines(editing, leftOut)
      if (!isSame(valuesOf(edited), editing.values)) throw cannotChange(key)
    } else if (valueAt(editing.values, path) === undefined) {
      return edited
    } else {
      edited = removeOnce(editing, path, key)
    }
  }
  return edited
}

const MAX_TWINS = 100

function removeOnce(editing: Editing, path: readonly string[], key: string): string {
  const cut = removalLines(editing, path)
  const head = path[0]!
  const wanted = withoutValue(editing.values, path)
  const within = removalSplices(editing, path)
  const edited = cut ? cutLines(editing, cut) : within && splice(editing, within)
  if (edited !== null && onlyDiffersIn(valuesOf(edited), wanted, editing.values, path)) return edited
  if (path.length > 1) return setField(editing.source.text, head, wanted[head])
  throw cannotChange(key)
}

/** What was meant; or, with a key that stood there twice, the earlier value came to light. */
function onlyDiffersIn(
  values: Record<string, unknown> | null,
  wanted: Record<string, unknown>,
  before: Record<string, unknown>,
  path: readonly string[],
): boolean {
  if (values === null) return Object.keys(wanted).length === 0
  return (
    isSame(withoutValue(values, path), wanted) && Object.keys(values).length <= Object.keys(before).length
  )
}

/** Without whole lines of the frontmatter, counted from 0 in its YAML. */
function cutLines({ source }: Editing, { first, last }: { first: number; last: number }): string {
  const start = source.lines[source.open + 1 + first]!.start
  const end = source.lines[source.open + 1 + last]!.next
  return source.text.slice(0, start) + source.text.slice(end)
}

function splice({ source, original }: Editing, splices: readonly Splice[]): string {
  let text = source.text
  for (const { start, end, text: insert, parsed } of [...splices].sort((a, b) => b.start - a.start)) {
    const from = source.at(parsed ? original(start) : start)
    const to = Math.max(from, source.at(parsed ? original(end) : end))
    text = text.slice(0, from) + insert.replaceAll('\n', eolAt(source, from)) + text.slice(to)
  }
  return text
}

/** The values of edited text; null when it can't be read any more. */
function valuesOf(text: string): Record<string, unknown> | null {
  try {
    return openEditing(text).values
  } catch {
    return null // the caller takes another way, or says so
  }
}

function cannotChange(key: string): AppError {
  return new AppError(
    'bad_input',
    `"${key}" can't be changed here without changing other fields. Open the file and edit it by hand.`,
  )
}
