import { flag, listIn, mapIn, note, partOf, text, valueOf, words, wordsIn, wrongType } from './field-reader'
import type { FieldReader } from './field-reader'

/** Who may choose a skill, and what helps to choose it (`format.md` 3). */
export interface ChoiceFields {
  /** `when_to_use`, `when-to-use` or `whenToUse`: stands behind the description in the catalogue. */
  whenToUse: string | undefined
  disableModelInvocation: boolean
  userInvocable: boolean
  /** The higher one wins among copies of one scope. */
  priority: number
  tags: string[]
  /** Phrases after which an author wants the skill to be chosen. */
  triggers: string[]
  /** Names of other skills; a hint, nothing is loaded for it. `requires: {mcp: …}` is another dialect and gives none. */
  requires: string[]
  argumentHint: string | undefined
  /** Names of the arguments, in order. */
  arguments: string[]
  /** Globs of the files that the skill is for. */
  paths: string[]
  scope: SkillScope
}

/** Where a skill is available; null means everywhere. */
export interface SkillScope {
  agents: string[] | null
  tenants: string[] | null
  environments: string[] | null
}

export function choiceFields(reader: FieldReader): ChoiceFields {
  return {
    argumentHint: text(reader, 'argument-hint'),
    requires: words(reader, 'requires'),
    tags: words(reader, 'tags'),
    ...choiceFlags(reader),
    whenToUse: text(reader, 'when-to-use'),
    triggers: triggers(reader),
    arguments: words(reader, 'arguments'),
    paths: paths(reader),
    scope: scope(reader),
  }
}

/** The fields that decide whether a skill is in a list at all and which copy is used. */
export function choiceFlags(
  reader: FieldReader,
): Pick<ChoiceFields, 'disableModelInvocation' | 'userInvocable' | 'priority'> {
  return {
    disableModelInvocation: flag(reader, 'disable-model-invocation', false),
    userInvocable: flag(reader, 'user-invocable', true),
    priority: priority(reader),
  }
}

function priority(reader: FieldReader): number {
  const value = valueOf(reader, 'priority')
  if (value === undefined || value === null) return 0
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  wrongType(reader, 'priority', 'a number; 0 is used', 'Write a number.')
  return 0
}

/** A list of phrases, or one text split at commas. */
function triggers(reader: FieldReader): string[] {
  const value = valueOf(reader, 'triggers')
  return listIn(typeof value === 'string' ? value.split(',') : value) ?? []
}

/** Globs, split at commas outside braces: `src/**,*.{ts,tsx}` are two. */
function paths(reader: FieldReader): string[] {
  const value = valueOf(reader, 'paths')
  if (value === undefined || value === null) return []
  const globs = listIn(typeof value === 'string' ? value.split(/,(?![^{]*\})/) : value)
  if (!globs) wrongType(reader, 'paths', 'a list of globs; it is ignored', 'Write it as "paths: [src/**]".')
  return globs ?? []
}

function scope(reader: FieldReader): SkillScope {
  const nowhere: SkillScope = { agents: null, tenants: null, environments: null }
  const value = valueOf(reader, 'scope')
  const map = mapIn(value)
  if (!map) {
    if (value !== undefined && value !== null) scopeIsNone(reader, value)
    return nowhere
  }
  const part = (key: keyof SkillScope) => scopePart(reader, key, partOf(map, key))
  return { agents: part('agents'), tenants: part('tenants'), environments: part('environments') }
}

/** A text is the `scope` of another dialect (0.3 % of public skills), a word for people: told, and no reason to warn. */
function scopeIsNone(reader: FieldReader, value: unknown): void {
  note(reader, typeof value === 'string' ? 'info' : 'warning', 'scope', [
    'wrong-type',
    '"scope" must be fields: "agents", "tenants" or "environments"; it limits nothing.',
    'Write what it is limited to as "scope: {agents: [name]}", or delete it.',
  ])
}

/** A value that names nothing readable must not make a skill available everywhere: it names nobody. */
function scopePart(reader: FieldReader, key: string, value: unknown): string[] | null {
  if (value === undefined || value === null) return null
  const names = wordsIn(value)
  if (!names) wrongType(reader, `scope.${key}`, 'a list of names; it names nobody', 'Write it as a list.')
  return names ?? []
}
