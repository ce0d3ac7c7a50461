import type { Document, YAMLMap } from 'yaml'
import { isMap } from 'yaml'
import { AppError } from '../errors'
import { hasDocumentEnd } from './document-end'
import { plainKey } from './field-reader'
import { readYaml } from './read-yaml'
import { FIELD_LINE, LEFT_OUT, NESTED_FIELD_LINE } from './repair'
import { readSource } from './source'
import type { SkillSource } from './source'
import { parseYamlDocument } from './yaml-map'

/** A file while one of its fields is changed. */
export interface Editing {
  source: SkillSource
  values: Record<string, unknown>
  /** Null for frontmatter without any field. */
  map: YAMLMap | null
  doc: Document.Parsed | null
  /** The YAML that the ranges of `doc` refer to; differs from `source.yaml` where that had to be repaired. */
  parsed: string
  /** The place in `source.yaml` of a place in `parsed`. */
  original(offset: number): number
}

/**
 * Opens a file whose frontmatter can be read, repaired or not. Throws `bad_input` with what to do for every other file;
 * one without any frontmatter gets an empty one first (`withFrontmatter`).
 */
export function openEditing(text: string): Editing {
  const source = readSource(text)
  if (source.close === -1) throw new AppError('bad_input', notClosed)
  const { yaml } = source
  if (/^(?:[ \t]*(?:#.*)?(?:\n|$))*$/.test(yaml)) return withoutFields(source)
  if (hasDocumentEnd(yaml)) throw new AppError('bad_input', endsEarly)
  const read = readYaml(yaml, source.open + 2)
  if (read.map) return withDocument(source, read.map.values, read.parsed)
  const [error] = read.diagnostics
  const where = error?.line === undefined ? '' : ` (line ${error.line})`
  const what = error?.fix ?? 'Correct it by hand.'
  throw new AppError(
    'bad_input',
    `Nothing can be changed while the frontmatter can't be read${where}. ${what}`,
  )
}

const notClosed = 'The frontmatter is not closed. Put a line "---" after its last field, then try again.'

const endsEarly = 'A line "..." or "---" ends the fields early. Delete it, then try again.'

/** The text with empty frontmatter where it has none; unchanged where it has some, closed or not. */
export function withFrontmatter(text: string): string {
  const { open, start, eol } = readSource(text)
  if (open !== -1) return text
  const rest = text.slice(start)
  const gap = rest === '' ? '' : eol
  return `${text.slice(0, start)}---${eol}---${eol}${gap}${rest}`
}

/** The key as the file writes it, by the rule of `keyFor`; undefined when absent. */
export function writtenKey(values: Record<string, unknown>, key: string): string | undefined {
  if (Object.hasOwn(values, key)) return key
  return Object.keys(values).find((other) => plainKey(other) === plainKey(key))
}

/** Lines of `source.yaml`, from 0, of a field that the repair had to leave out; null when it left out no such field. A line
 * at the margin that is no field belongs to none: it is never among them. */
export function leftOutLines(editing: Editing, key: string): { first: number; last: number } | null {
  const written = editing.source.yaml.split('\n')
  const parsed = editing.parsed.split('\n')
  const first = written.findIndex((line, at) => {
    const name = FIELD_LINE.exec(line)?.[1]
    return name !== undefined && plainKey(name) === plainKey(key) && parsed[at] === LEFT_OUT
  })
  return first === -1 ? null : { first, last: lastBlanked(written, parsed, first) }
}

function withoutFields(source: SkillSource): Editing {
  return { source, values: {}, map: null, doc: null, parsed: source.yaml, original: (offset) => offset }
}

function withDocument(source: SkillSource, values: Record<string, unknown>, parsed: string): Editing {
  const doc = parseYamlDocument(parsed)
  if (!isMap(doc.contents) || doc.contents.flow === true) {
    const what = 'The frontmatter is written in braces. Write its fields one a line, then try again.'
    throw new AppError('bad_input', what)
  }
  const original = parsed === source.yaml ? (offset: number) => offset : translation(source.yaml, parsed)
  return { source, values, map: doc.contents, doc, parsed, original }
}

/** Repaired lines keep their numbers; in a repaired line only the value moved. */
function translation(written: string, parsed: string): (offset: number) => number {
  const from = parsed.split('\n')
  const to = written.split('\n')
  const starts = (lines: string[]) => {
    let start = 0
    return lines.map((line) => (start += line.length + 1) - line.length - 1)
  }
  const fromStarts = starts(from)
  const toStarts = starts(to)
  return (offset) => {
    const after = fromStarts.findIndex((start) => start > offset)
    const line = after === -1 ? from.length - 1 : after - 1
    const column = offset - fromStarts[line]!
    if (from[line] === to[line]) return toStarts[line]! + column
    const value = valueColumn(from[line]!)
    if (column < value) return toStarts[line]! + Math.min(column, valueColumn(to[line]!))
    if (column === value) return toStarts[line]! + valueColumn(to[line]!)
    const last = lastBlanked(to, from, line)
    return toStarts[last]! + to[last]!.trimEnd().length
  }
}

function valueColumn(line: string): number {
  const value = FIELD_LINE.exec(line)?.[2] ?? NESTED_FIELD_LINE.exec(line)?.[3] ?? ''
  return line.length - value.length
}

/** The last line of the field at line `first` that the repair made empty: joined into that line, or left out. */
function lastBlanked(written: readonly string[], parsed: readonly string[], first: number): number {
  let last = first
  for (let at = first + 1; at < written.length && parsed[at] === ''; at += 1) {
    if (/^[^\s#-]/.test(written[at]!)) break
    if (written[at]!.trim() !== '') last = at
  }
  return last
}
