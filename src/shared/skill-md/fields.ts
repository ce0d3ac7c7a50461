import { parseAllowedTools } from '../allowed-tools'
import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'
import type { ProblemPlace } from './problem'
import { countCharacters, isLegalName, MAX_NAME, slugOf } from './skill-name'
import type { YamlMap } from './yaml-map'

/** The fields that Satchel knows, in the types it uses them in. Absent ones have their neutral value. */
export interface SkillFields {
  /** Handle: the frontmatter's name where it is legal, else a slug of the folder's name. */
  name: string
  /** The name as it is written, for display; empty when there is none. */
  label: string
  description: string
  license: string | undefined
  compatibility: string | undefined
  version: string | undefined
  argumentHint: string | undefined
  metadata: Record<string, unknown>
  allowedTools: string[]
  /** Names of other skills; a hint, nothing is loaded for it. */
  requires: string[]
  tags: string[]
  disableModelInvocation: boolean
  userInvocable: boolean
  priority: number
}

const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

interface Reader {
  map: YamlMap
  diagnostics: Diagnostic[]
}

/** Reads the known fields; what is odd becomes a diagnostic, never an error (compatible view, `format.md` 5). */
export function readFields(
  map: YamlMap,
  folderName: string,
): { fields: SkillFields; diagnostics: Diagnostic[] } {
  const reader: Reader = { map, diagnostics: [] }
  const label = text(reader, 'name') ?? ''
  const fields: SkillFields = {
    name: handle(reader, label, folderName),
    label,
    description: description(reader),
    license: text(reader, 'license'),
    compatibility: compatibility(reader),
    version: text(reader, 'version'),
    argumentHint: text(reader, 'argument-hint'),
    metadata: metadata(reader),
    allowedTools: allowedTools(reader),
    requires: words(reader, 'requires'),
    tags: words(reader, 'tags'),
    disableModelInvocation: flag(reader, 'disable-model-invocation', false),
    userInvocable: flag(reader, 'user-invocable', true),
    priority: priority(reader),
  }
  return { fields, diagnostics: reader.diagnostics }
}

/** What is known of a skill whose frontmatter can't be read: enough for a row in a list. */
export function fieldsByPattern(yaml: string, folderName: string): SkillFields {
  const line = (key: string) =>
    (new RegExp(`^${key}[ \\t]*:[ \\t]*(\\S.*)$`, 'm').exec(yaml)?.[1] ?? '')
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
  const values: Record<string, unknown> = {
    name: line('name') || slugOf(folderName),
    description: line('description'),
  }
  const map: YamlMap = { values, texts: new Map(), lines: new Map(), diagnostics: [] }
  return readFields(map, folderName).fields
}

function note(
  reader: Reader,
  severity: Diagnostic['severity'],
  key: string,
  rest: [code: string, message: string, fix?: string],
) {
  const [code, message, fix] = rest
  const line = reader.map.lines.get(key)
  const place: ProblemPlace = {}
  if (line !== undefined) place.line = line
  if (fix !== undefined) place.fix = fix
  reader.diagnostics.push(problem(severity, code, message, place))
}

/** The key as it stands in the file: `allowed_tools` and `allowedTools` are taken for `allowed-tools`. */
function keyFor(reader: Reader, key: string): string {
  if (Object.hasOwn(reader.map.values, key)) return key
  const plain = (name: string) => name.replace(/[-_]/g, '').toLowerCase()
  return Object.keys(reader.map.values).find((name) => plain(name) === plain(key)) ?? key
}

function valueOf(reader: Reader, key: string): unknown {
  const found = keyFor(reader, key)
  return Object.hasOwn(reader.map.values, found) ? reader.map.values[found] : undefined
}

/** A text field: scalars as they are written, a list joined; undefined when absent or empty. */
function text(reader: Reader, key: string): string | undefined {
  const value = valueOf(reader, key)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.trim() || undefined
  const coerced = coerceToText(value, reader.map.texts.get(keyFor(reader, key)))
  if (coerced === undefined) {
    note(reader, 'warning', key, [
      'wrong-type',
      `"${key}" must be a text; it is ignored.`,
      'Write it as one line of text.',
    ])
    return undefined
  }
  note(reader, 'info', key, [
    'read-as-text',
    `"${key}" was read as the text "${coerced}".`,
    'Put the value in quotes.',
  ])
  return coerced
}

function coerceToText(value: unknown, written: string | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return written ?? String(value)
  if (!Array.isArray(value)) return undefined
  const items = value as unknown[]
  if (items.some((item) => typeof item === 'object')) return undefined
  return items.map(String).join(', ') || undefined
}

function handle(reader: Reader, label: string, folderName: string): string {
  const folder = slugOf(folderName)
  if (label === '') {
    note(reader, 'warning', 'name', [
      'name-missing',
      `There is no name; the folder's name is used: "${folder}".`,
      `Add "name: ${folder}".`,
    ])
    return folder
  }
  const name = label.normalize('NFKC')
  if (!isLegalName(name)) {
    const rule = `Use lower-case letters, digits and single hyphens, at most ${MAX_NAME} characters: "name: ${folder}".`
    note(reader, 'warning', 'name', [
      'name-invalid',
      `The name "${label}" can't be called; "${folder}" is used instead.`,
      rule,
    ])
    return folder
  }
  if (name !== folderName.normalize('NFKC')) {
    note(reader, 'warning', 'name', [
      'name-differs-from-folder',
      `The name "${name}" differs from the name of its folder, "${folderName}".`,
      'Give both the same name: some other tools do not load it.',
    ])
  }
  return name
}

function description(reader: Reader): string {
  const found = text(reader, 'description') ?? ''
  if (found === '') {
    note(reader, 'error', 'description', [
      'description-missing',
      'There is no description, so no agent could choose this skill.',
      'Add "description:" with what the skill does and when to use it.',
    ])
  }
  const length = countCharacters(found)
  if (length > MAX_DESCRIPTION) {
    note(reader, 'warning', 'description', [
      'description-long',
      `The description has ${length} characters; ${MAX_DESCRIPTION} are allowed. It is cut where space is short.`,
      'Shorten it and move details into the body.',
    ])
  }
  return found
}

function compatibility(reader: Reader): string | undefined {
  const found = text(reader, 'compatibility')
  if (found !== undefined && countCharacters(found) > MAX_COMPATIBILITY) {
    note(reader, 'warning', 'compatibility', [
      'compatibility-long',
      `"compatibility" has more than ${MAX_COMPATIBILITY} characters.`,
      'Shorten it.',
    ])
  }
  return found
}

function metadata(reader: Reader): Record<string, unknown> {
  const value = valueOf(reader, 'metadata')
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  note(reader, 'warning', 'metadata', [
    'wrong-type',
    '"metadata" must hold fields; it is ignored.',
    'Write it as "key: value" lines, indented.',
  ])
  return {}
}

function allowedTools(reader: Reader): string[] {
  const value = valueOf(reader, 'allowed-tools')
  if (value === undefined || value === null || typeof value === 'string' || Array.isArray(value)) {
    return parseAllowedTools(value)
  }
  note(reader, 'warning', 'allowed-tools', [
    'wrong-type',
    '"allowed-tools" must be a text or a list; it is ignored.',
    'Write it as "allowed-tools: Read Grep".',
  ])
  return []
}

/** Names in a text, split at commas and spaces, or in a list. Other shapes mean something else and give none. */
function words(reader: Reader, key: string): string[] {
  const value = valueOf(reader, key)
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((word) => word !== '')
  if (!Array.isArray(value)) return []
  return (value as unknown[]).filter((item) => typeof item === 'string').map((item) => item.trim())
}

/** The spellings of yes and no that are in use (`format.md` 3, last line). */
function flag(reader: Reader, key: string, otherwise: boolean): boolean {
  const value = valueOf(reader, key)
  if (value === undefined || value === null) return otherwise
  const written = (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(written)) return true
  if (['false', 'no', 'off', '0'].includes(written)) return false
  note(reader, 'warning', key, [
    'wrong-type',
    `"${key}" must be true or false; ${otherwise} is used.`,
    'Write true or false.',
  ])
  return otherwise
}

function priority(reader: Reader): number {
  const value = valueOf(reader, 'priority')
  if (value === undefined || value === null) return 0
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  note(reader, 'warning', 'priority', [
    'wrong-type',
    '"priority" must be a number; 0 is used.',
    'Write a number.',
  ])
  return 0
}
