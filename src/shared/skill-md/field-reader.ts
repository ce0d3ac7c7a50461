import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'
import type { ProblemPlace } from './problem'
import type { YamlMap } from './yaml-map'

/** The frontmatter while its fields are read; what is odd is noted, nothing is an error. */
export interface FieldReader {
  map: YamlMap
  /** The keys of the file by their plain form: `allowed_tools` and `allowedTools` stand for `allowed-tools`. */
  keys: ReadonlyMap<string, string>
  diagnostics: Diagnostic[]
}

export function createFieldReader(map: YamlMap): FieldReader {
  const keys = new Map<string, string>()
  for (const key of Object.keys(map.values)) {
    const plain = plainKey(key)
    if (!keys.has(plain)) keys.set(plain, key)
  }
  return { map, keys, diagnostics: [] }
}

/** The form in which keys are compared: kebab, snake and camel case are one (`format.md` 3, line "booleans"). */
export function plainKey(key: string): string {
  return /[-_A-Z]/.test(key) ? key.replace(/[-_]/g, '').toLowerCase() : key
}

/** The key as it stands in the file; the asked one where the file has none. */
export function keyFor(reader: FieldReader, key: string): string {
  if (Object.hasOwn(reader.map.values, key)) return key
  return reader.keys.get(plainKey(key)) ?? key
}

/** The value as it stands; undefined when the field is absent. */
export function valueOf(reader: FieldReader, key: string): unknown {
  const found = keyFor(reader, key)
  return Object.hasOwn(reader.map.values, found) ? reader.map.values[found] : undefined
}

/** Adds a diagnostic at the line of a top-level field. */
export function note(
  reader: FieldReader,
  severity: Diagnostic['severity'],
  key: string,
  rest: [code: string, message: string, fix?: string],
): void {
  const [code, message, fix] = rest
  const line = reader.map.lines.get(keyFor(reader, key))
  const place: ProblemPlace = {}
  if (line !== undefined) place.line = line
  if (fix !== undefined) place.fix = fix
  reader.diagnostics.push(problem(severity, code, message, place))
}

/** Notes that a field, or a part of it such as `scope.agents`, has a type it can't be used with. */
export function wrongType(reader: FieldReader, name: string, must: string, fix: string): void {
  note(reader, 'warning', name.split('.', 1)[0]!, ['wrong-type', `"${name}" must be ${must}.`, fix])
}

/** A text field: scalars as they are written, a list joined; undefined when absent or empty. */
export function text(reader: FieldReader, key: string): string | undefined {
  const value = valueOf(reader, key)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.trim() || undefined
  const coerced = coerceToText(value, reader.map.texts.get(keyFor(reader, key)))
  if (coerced === undefined) {
    wrongType(reader, key, 'a text; it is ignored', 'Write it as one line of text.')
    return undefined
  }
  note(reader, 'info', key, [
    'read-as-text',
    `"${key}" was read as the text "${coerced}".`,
    'Put the value in quotes.',
  ])
  return coerced
}

/** Names in a text, split at commas and spaces, or in a list. Other shapes mean something else and give none. */
export function words(reader: FieldReader, key: string): string[] {
  return wordsIn(valueOf(reader, key)) ?? []
}

/** As `words`, for any value; null when it is neither a text nor a list. */
export function wordsIn(value: unknown): string[] | null {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((word) => word !== '')
  return Array.isArray(value) ? textsIn(value) : null
}

/** The texts of a list, each of which may hold spaces, or one text; null for any other shape. */
export function listIn(value: unknown): string[] | null {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  return Array.isArray(value) ? textsIn(value) : null
}

/** Yes or no in the spellings that are in use (`format.md` 3, line "booleans"); `otherwise` for all else. */
export function flag<T>(reader: FieldReader, key: string, otherwise: T): boolean | T {
  const value = valueOf(reader, key)
  if (value === undefined || value === null) return otherwise
  const found = booleanIn(value)
  if (found !== null) return found
  const used = otherwise === undefined ? 'it is ignored' : `${String(otherwise)} is used`
  wrongType(reader, key, `true or false; ${used}`, 'Write true or false.')
  return otherwise
}

/** Yes or no in any spelling that is in use; null for everything else. */
export function booleanIn(value: unknown): boolean | null {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null
  const written = String(value).trim().toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(written)) return true
  return ['false', 'no', 'off', '0'].includes(written) ? false : null
}

/** The fields of a nested map; null for every other value. */
export function mapIn(value: unknown): Record<string, unknown> | null {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMap ? (value as Record<string, unknown>) : null
}

/** A value of a nested map by its key in any spelling; undefined when absent. */
export function partOf(map: Record<string, unknown>, key: string): unknown {
  if (Object.hasOwn(map, key)) return map[key]
  const found = Object.keys(map).find((other) => plainKey(other) === plainKey(key))
  return found === undefined ? undefined : map[found]
}

/** A trimmed text or a number as text; undefined for all else and for empty texts. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() || undefined : undefined
}

function textsIn(list: readonly unknown[]): string[] {
  return list
    .filter((item) => typeof item === 'string')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function coerceToText(value: unknown, written: string | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return written ?? String(value)
  if (!Array.isArray(value)) return undefined
  const items = value as unknown[]
  if (items.some((item) => typeof item === 'object')) return undefined
  return items.map(String).join(', ') || undefined
}
