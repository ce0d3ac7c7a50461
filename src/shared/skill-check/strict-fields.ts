import type { StrictValue } from './strict-yaml'

/** The frontmatter's fields with every scalar as text. */
export type StrictFields = ReadonlyMap<string, StrictValue>

const ALLOWED = ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name']
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

/**
 * What the reference validator says of parsed frontmatter: its sentences in its order (`format.md` 1.3, points 1 to 4).
 * Only `exact` lets an empty `compatibility` pass, which the format does not.
 */
export function fieldErrors(fields: StrictFields, folderName: string, exact: boolean): string[] {
  return [
    ...unexpectedFields(fields),
    ...required(fields, 'name', (name) => nameErrors(name, folderName)),
    ...required(fields, 'description', descriptionErrors),
    ...compatibilityErrors(fields, exact),
  ]
}

/** True for a text with more in it than white space. */
export function isFilled(value: StrictValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

export function missingField(field: string): string {
  return `Missing required field in frontmatter: ${field}`
}

export function emptyField(field: string): string {
  return `Field '${field}' must be a non-empty string`
}

function unexpectedFields(fields: StrictFields): string[] {
  const extra = [...fields.keys()].filter((key) => !ALLOWED.includes(key)).sort(byCodePoint)
  if (extra.length === 0) return []
  const allowed = ALLOWED.map((field) => `'${field}'`).join(', ')
  return [`Unexpected fields in frontmatter: ${extra.join(', ')}. Only [${allowed}] are allowed.`]
}

function required(fields: StrictFields, field: string, rules: (text: string) => string[]): string[] {
  if (!fields.has(field)) return [missingField(field)]
  const value = fields.get(field)
  return isFilled(value) ? rules(value) : [emptyField(field)]
}

function nameErrors(written: string, folderName: string): string[] {
  const name = written.trim().normalize('NFKC')
  const length = codePoints(name)
  const rules: readonly (readonly [boolean, string])[] = [
    [length > MAX_NAME, `Skill name '${name}' exceeds ${MAX_NAME} character limit (${length} chars)`],
    [name !== name.toLowerCase(), `Skill name '${name}' must be lowercase`],
    [/^-|-$/.test(name), 'Skill name cannot start or end with a hyphen'],
    [name.includes('--'), 'Skill name cannot contain consecutive hyphens'],
    [
      !/^[\p{L}\p{N}-]*$/u.test(name),
      `Skill name '${name}' contains invalid characters. Only letters, digits, and hyphens are allowed.`,
    ],
    [folderName.normalize('NFKC') !== name, `Directory name '${folderName}' must match skill name '${name}'`],
  ]
  return rules.filter(([fails]) => fails).map(([, message]) => message)
}

/** The text is counted as written, white space around it included. */
function descriptionErrors(description: string): string[] {
  const length = codePoints(description)
  if (length <= MAX_DESCRIPTION) return []
  return [`Description exceeds ${MAX_DESCRIPTION} character limit (${length} chars)`]
}

function compatibilityErrors(fields: StrictFields, exact: boolean): string[] {
  const value = fields.get('compatibility')
  if (value === undefined) return []
  if (typeof value !== 'string') return ["Field 'compatibility' must be a string"]
  if (!exact && !isFilled(value)) return [emptyField('compatibility')]
  const length = codePoints(value)
  if (length <= MAX_COMPATIBILITY) return []
  return [`Compatibility exceeds ${MAX_COMPATIBILITY} character limit (${length} chars)`]
}

function codePoints(text: string): number {
  return Array.from(text).length
}

/** Python's order of texts. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  const at = left.findIndex((char, index) => char !== right[index])
  if (at === -1) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1)
}
