import { AppError } from '@shared/errors'
import { parseSkillMd } from '@shared/skill-md'
import type { ParsedSkill } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import { editsBetween } from '@shared/skill-md/fix-edits'
import type { TextEdit } from '@shared/skill-md/fix-edits'
import { plainKey } from '@shared/skill-md/field-reader'

/** Who is offered a skill, as the form says it. */
export type WhoLoads = 'both' | 'person' | 'agents' | 'named'

/** What the form shows of a document. */
export interface FormValues {
  parsed: ParsedSkill
  who: WhoLoads
  /** Texts of the fields that are plain texts, by key. */
  texts: Record<TextKey, string>
  tools: string[]
  tags: string[]
  /** Null: it is written as a map, another dialect, and not changed here. */
  requires: string[] | null
  /** `metadata` as far as it is flat; nested parts are shown and not changed here. */
  metadata: { key: string; value: string; nested: boolean }[]
  /** Keys that the form has no field for, as they stand. */
  others: { key: string; value: unknown }[]
}

export const TEXT_KEYS = [
  'name',
  'description',
  'license',
  'compatibility',
  'argument-hint',
  'model',
] as const
export type TextKey = (typeof TEXT_KEYS)[number]

export function formValues(text: string, folderName: string): FormValues {
  const parsed = parseSkillMd(text, { folderName })
  const { metadata } = parsed
  return {
    parsed,
    who: whoOf(parsed),
    texts: {
      name: parsed.label,
      description: parsed.description,
      license: parsed.license ?? '',
      compatibility: parsed.compatibility ?? '',
      'argument-hint': parsed.argumentHint ?? '',
      model: parsed.model ?? '',
    },
    tools: parsed.allowedTools,
    tags: parsed.tags,
    requires: isMap(parsed.frontmatter['requires']) ? null : parsed.requires,
    metadata: Object.entries(metadata).map(([key, value]) => ({
      key,
      value: typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
      nested: (typeof value === 'object' && value !== null) || key.includes('.'),
    })),
    others: Object.entries(parsed.frontmatter)
      .filter(([key]) => !HAS_FIELD.has(plainKey(key)))
      .map(([key, value]) => ({ key, value })),
  }
}

const HAS_FIELD: ReadonlySet<string> = new Set(
  [
    ...TEXT_KEYS,
    'allowed-tools',
    'tags',
    'requires',
    'metadata',
    'disable-model-invocation',
    'user-invocable',
  ].map(plainKey),
)

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function whoOf(parsed: ParsedSkill): WhoLoads {
  if (parsed.disableModelInvocation) return parsed.userInvocable ? 'person' : 'named'
  return parsed.userInvocable ? 'both' : 'agents'
}

/** A field of the form, and what it says now: a text, a list, true or false; null: nothing, so the field goes. */
export interface FieldChange {
  key: string
  value: string | readonly string[] | boolean | null
}

export type Changed = { edits: TextEdit[] } | { problem: string }

/**
 * The edits that write fields into a document: outside of the changed values every byte stays. `problem`: why it can't
 * be done here.
 */
export function fieldEdits(text: string, changes: readonly FieldChange[]): Changed {
  const set: Record<string, unknown> = {}
  const remove: string[] = []
  for (const { key, value } of changes) {
    if (value === null) remove.push(key)
    else set[key] = value
  }
  try {
    return { edits: editsBetween(text, editSkillMd(text, { set, remove })) }
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message }
    throw error
  }
}

/** A text that was emptied takes its field along, but for the two that a skill must have. Blanks around it are not written. */
export function textChange(key: TextKey, typed: string): FieldChange {
  const value = typed.trim()
  const isNeeded = key === 'name' || key === 'description'
  return { key, value: value === '' && !isNeeded ? null : value }
}

export function whoChanges(who: WhoLoads): FieldChange[] {
  return [
    { key: 'disable-model-invocation', value: who === 'person' || who === 'named' ? true : null },
    { key: 'user-invocable', value: who === 'agents' || who === 'named' ? false : null },
  ]
}

/** As the file writes tools: a text stays one, a list stays one. */
export function toolsChange(frontmatter: Record<string, unknown>, tools: readonly string[]): FieldChange {
  if (tools.length === 0) return { key: 'allowed-tools', value: null }
  const written = Object.entries(frontmatter).find(
    ([key]) => plainKey(key) === plainKey('allowed-tools'),
  )?.[1]
  if (Array.isArray(written)) return { key: 'allowed-tools', value: tools }
  const separator = typeof written === 'string' && /,/.test(written.replace(/\([^)]*\)/g, '')) ? ', ' : ' '
  return { key: 'allowed-tools', value: tools.join(separator) }
}

export function listChange(key: 'tags' | 'requires', items: readonly string[]): FieldChange {
  return { key, value: items.length === 0 ? null : items }
}
