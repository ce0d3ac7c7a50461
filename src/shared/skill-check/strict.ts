import { pythonPath, pythonStr, utf8Error } from './python-text'
import { emptyField, fieldErrors, isFilled, missingField } from './strict-fields'
import type { StrictFields } from './strict-fields'
import { parseStrictYaml } from './strict-yaml'
import type { StrictValue } from './strict-yaml'

/** A folder as the strict validator sees it. */
export interface StrictFolder {
  /** As it was given; a SKILL.md was replaced by its folder. */
  path: string
  kind: 'missing' | 'file' | 'folder'
  /** Last part of the resolved folder's path. */
  name: string
  /** SKILL.md where there is one, else skill.md; other spellings do not count (`format.md` 1.2). */
  skillMd: { name: 'SKILL.md' | 'skill.md'; bytes: Uint8Array } | null
}

export interface StrictOptions {
  /** Also the reference validator's known mistakes (`format.md` 1.3), to know beforehand what it will say. */
  exact?: boolean
}

/** What `read-properties` prints: JSON in this order. */
export interface StrictProperties {
  name: string
  description: string
  license?: StrictValue
  compatibility?: StrictValue
  'allowed-tools'?: StrictValue
  metadata?: StrictValue
}

export type StrictReading =
  | { ok: true; properties: StrictProperties; body: string }
  | { ok: false; error: string }

/**
 * What the reference validator finds wrong with a folder: its sentences, word for word and in its order; none when the
 * skill is valid (`format.md` 1.3). Where the reference is mistaken this follows the format instead: fences count only
 * on lines of their own, any YAML 1.2 goes, a byte order mark is skipped, an empty `compatibility` is an error.
 * `exact` brings the mistakes back; of a YAML library's message only the prefix is the same.
 */
export function strictErrors(folder: StrictFolder, { exact = false }: StrictOptions = {}): string[] {
  if (folder.kind === 'missing') return [`Path does not exist: ${pythonPath(folder.path)}`]
  if (folder.kind === 'file') return [`Not a directory: ${pythonPath(folder.path)}`]
  if (!folder.skillMd) return ['Missing required file: SKILL.md']
  const read = readFields(folder.skillMd.bytes, exact)
  return read.ok ? fieldErrors(read.fields, folder.name, exact) : [read.error]
}

/** The properties of a skill as `read-properties` prints them, or its error. Rules beyond presence are not checked. */
export function strictProperties(folder: StrictFolder, { exact = false }: StrictOptions = {}): StrictReading {
  if (folder.kind !== 'folder' || !folder.skillMd) {
    return { ok: false, error: `SKILL.md not found in ${pythonPath(folder.path)}` }
  }
  const read = readFields(folder.skillMd.bytes, exact)
  if (!read.ok) return read
  const error = requiredError(read.fields)
  if (error !== null) return { ok: false, error }
  return { ok: true, properties: propertiesOf(read.fields), body: read.body }
}

/** One skill of the prompt; `location` is the resolved path of its SKILL.md. */
export interface PromptSkill {
  name: string
  description: string
  location: string
}

/** The block that `to-prompt` prints, path not escaped (`format.md` 1.4). */
export function toPrompt(skills: readonly PromptSkill[]): string {
  const lines = skills.flatMap(({ name, description, location }) => {
    const fields = Object.entries({ name: escapeHtml(name), description: escapeHtml(description), location })
    return ['<skill>', ...fields.flatMap(([tag, text]) => [`<${tag}>`, text, `</${tag}>`]), '</skill>']
  })
  return ['<available_skills>', ...lines, '</available_skills>'].join('\n')
}

type Read = { ok: true; fields: StrictFields; body: string } | { ok: false; error: string }

function readFields(bytes: Uint8Array, exact: boolean): Read {
  const decodeError = utf8Error(bytes)
  // The reference does not catch this one: it ends with Python's own message.
  if (decodeError !== null) {
    return refused(`${exact ? 'UnicodeDecodeError: ' : 'SKILL.md is not UTF-8: '}${decodeError}`)
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, '\n')
  const split = exact ? splitAnywhere(text) : splitAtLines(text.replace(/^\uFEFF/, ''))
  if ('error' in split) return refused(split.error)
  if (!exact && NOT_PRINTABLE.test(split.yaml)) return refused(NOT_YAML)
  const parsed = parseStrictYaml(split.yaml, exact)
  if (parsed.kind === 'invalid') return refused(`Invalid YAML in frontmatter: ${parsed.message}`)
  if (parsed.kind === 'other') return refused('SKILL.md frontmatter must be a YAML mapping')
  return { ok: true, fields: withTextMetadata(parsed.values), body: split.body.trim() }
}

const NOT_YAML = 'Invalid YAML in frontmatter: special characters are not allowed'
/** What YAML 1.2 does not let stand in a text (its section 5.1, c-printable). */
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const NOT_PRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/

function refused(error: string): Read {
  return { ok: false, error }
}

type Split = { yaml: string; body: string } | { error: string }

const NO_START = { error: 'SKILL.md must start with YAML frontmatter (---)' }
const NOT_CLOSED = { error: 'SKILL.md frontmatter not properly closed with ---' }

function splitAtLines(text: string): Split {
  const [first = '', ...lines] = text.split('\n')
  if (!isFence(first)) return NO_START
  const close = lines.findIndex(isFence)
  if (close === -1) return NOT_CLOSED
  // An empty line in place of the fence: lines are counted from the top of the file.
  return { yaml: ['', ...lines.slice(0, close)].join('\n'), body: lines.slice(close + 1).join('\n') }
}

function isFence(line: string): boolean {
  return line.startsWith('---') && line.slice(3).trim() === ''
}

/** The reference cuts at any `---`, also in the middle of a value. */
function splitAnywhere(text: string): Split {
  if (!text.startsWith('---')) return NO_START
  const close = text.indexOf('---', 3)
  return close === -1 ? NOT_CLOSED : { yaml: text.slice(3, close), body: text.slice(close + 3) }
}

/** Below `metadata` one level is kept; what lies deeper becomes text. */
function withTextMetadata(fields: StrictFields): StrictFields {
  const metadata = fields.get('metadata')
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return fields
  const texts = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, pythonStr(value)]))
  return new Map([...fields, ['metadata', texts]])
}

function requiredError(fields: StrictFields): string | null {
  const both = ['name', 'description']
  const missing = both.find((field) => !fields.has(field))
  if (missing !== undefined) return missingField(missing)
  const empty = both.find((field) => !isFilled(fields.get(field)))
  return empty === undefined ? null : emptyField(empty)
}

function propertiesOf(fields: StrictFields): StrictProperties {
  const properties: StrictProperties = {
    name: textOf(fields, 'name').trim(),
    description: textOf(fields, 'description').trim(),
  }
  for (const field of ['license', 'compatibility', 'allowed-tools'] as const) {
    const value = fields.get(field)
    if (value !== undefined) properties[field] = value
  }
  const metadata = fields.get('metadata')
  if (metadata !== undefined && !isEmpty(metadata)) properties.metadata = metadata
  return properties
}

function textOf(fields: StrictFields, field: string): string {
  const value = fields.get(field)
  return typeof value === 'string' ? value : ''
}

function isEmpty(value: StrictValue): boolean {
  return typeof value === 'string' ? value === '' : Object.keys(value).length === 0
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}
