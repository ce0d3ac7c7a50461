import { parseAllowedTools } from '../allowed-tools'
import { mapIn, note, text, valueOf, wrongType } from './field-reader'
import type { FieldReader } from './field-reader'
import { countCharacters, isLegalName, isSimpleName, MAX_NAME, slugOf } from './skill-name'

/** The six fields of the published format (`format.md` 1.1). Absent ones have their neutral value. */
export interface PortableFields {
  /** Handle: the frontmatter's name where it is legal, else a slug of the folder's name. */
  name: string
  /** The name as it is written, for display; empty when there is none. */
  label: string
  description: string
  license: string | undefined
  compatibility: string | undefined
  metadata: Record<string, unknown>
  /** `metadata.internal`: not meant for people, hidden from lists unless they ask for it (`management.md` 1.1). */
  internal: boolean
  allowedTools: string[]
  /** The field is there, so that only what it names may be called: nothing, where it names nothing. */
  restrictsTools: boolean
}

const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

export function portableFields(reader: FieldReader, folderName: string): PortableFields {
  const label = labelOf(reader)
  const fields = {
    name: handle(reader, label, folderName),
    label,
    description: description(reader),
    license: text(reader, 'license'),
    compatibility: compatibility(reader),
  }
  const own = metadata(reader)
  return {
    ...fields,
    metadata: own,
    internal: isInternal(own),
    allowedTools: allowedTools(reader),
    restrictsTools: (valueOf(reader, 'allowed-tools') ?? null) !== null,
  }
}

/** The name as it is written; empty when there is none. */
export function labelOf(reader: FieldReader): string {
  return text(reader, 'name') ?? ''
}

/** The handle of a skill with a name: that, where it is a legal one, else a slug of the folder's name. */
export function handleFor(label: string, folderName: string): string {
  if (isSimpleName(label)) return label
  const name = label.normalize('NFKC')
  return isLegalName(name) ? name : slugOf(folderName)
}

/** The handle of a skill, with a warning where it is not the written name (`format.md` 2.5, quirks 19, 21, 22). */
export function handle(reader: FieldReader, label: string, folderName: string): string {
  if (label === '') {
    const folder = slugOf(folderName)
    note(reader, 'warning', 'name', [
      'name-missing',
      `There is no name; the folder's name is used: "${folder}".`,
      `Add "name: ${folder}".`,
    ])
    return folder
  }
  const name = label.normalize('NFKC')
  if (!isLegalName(name)) {
    const folder = slugOf(folderName)
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

/** The description; without one the skill is broken (quirk 22). */
export function description(reader: FieldReader): string {
  const found = text(reader, 'description') ?? ''
  if (found === '') {
    note(reader, 'error', 'description', [
      'description-missing',
      'There is no description, so no agent could choose this skill.',
      'Add "description:" with what the skill does and when to use it.',
    ])
  }
  const length = found.length > MAX_DESCRIPTION ? countCharacters(found) : 0
  if (length > MAX_DESCRIPTION) {
    note(reader, 'warning', 'description', [
      'description-long',
      `The description has ${length} characters; ${MAX_DESCRIPTION} are allowed. It is cut where space is short.`,
      'Shorten it and move details into the body.',
    ])
  }
  return found
}

function compatibility(reader: FieldReader): string | undefined {
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

/** Any map, nested or not (quirk 18). */
function metadata(reader: FieldReader): Record<string, unknown> {
  const value = valueOf(reader, 'metadata')
  if (value === undefined || value === null) return {}
  const map = mapIn(value)
  if (!map)
    wrongType(
      reader,
      'metadata',
      'fields below it; it is ignored',
      'Write it as "key: value" lines, indented.',
    )
  return map ?? {}
}

function isInternal(own: Record<string, unknown>): boolean {
  return Object.hasOwn(own, 'internal') && String(own['internal']).toLowerCase() === 'true'
}

/** A text or a list (quirk 25). */
function allowedTools(reader: FieldReader): string[] {
  const value = valueOf(reader, 'allowed-tools')
  if (value === undefined || value === null || typeof value === 'string' || Array.isArray(value)) {
    return parseAllowedTools(value)
  }
  wrongType(
    reader,
    'allowed-tools',
    'a text or a list; no tool is allowed',
    'Write it as "allowed-tools: Read Grep".',
  )
  return []
}
