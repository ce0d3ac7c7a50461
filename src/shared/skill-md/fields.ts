import type { Diagnostic } from '../domain/skill'
import { aboutFields } from './about-fields'
import type { AboutFields } from './about-fields'
import { choiceFields } from './choice-fields'
import type { ChoiceFields } from './choice-fields'
import { createFieldReader } from './field-reader'
import { openclawFields } from './openclaw'
import type { OpenclawFields } from './openclaw'
import { portableFields } from './portable-fields'
import type { PortableFields } from './portable-fields'
import { runFields } from './run-fields'
import type { RunFields } from './run-fields'
import { slugOf } from './skill-name'
import type { YamlMap } from './yaml-map'

/** The fields that Satchel knows, in the types it uses them in. Absent ones have their neutral value. */
export interface SkillFields extends PortableFields, AboutFields, ChoiceFields, RunFields {
  openclaw: OpenclawFields | undefined
}

/** Reads the known fields; what is odd becomes a diagnostic, never an error (compatible view, `format.md` 5). */
export function readFields(
  map: YamlMap,
  folderName: string,
): { fields: SkillFields; diagnostics: Diagnostic[] } {
  const reader = createFieldReader(map)
  const portable = portableFields(reader, folderName)
  const fields: SkillFields = {
    ...portable,
    ...aboutFields(reader, portable.metadata),
    ...choiceFields(reader),
    ...runFields(reader),
    openclaw: openclawFields(portable.metadata),
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
