import type { AgentProfile } from '@shared/domain/agent'
import type { Diagnostic } from '@shared/domain/skill'
import { createFieldReader, note, text } from '@shared/skill-md/field-reader'
import type { FieldReader } from '@shared/skill-md/field-reader'
import { splitFences } from '@shared/skill-md/fences'
import { problem } from '@shared/skill-md/problem'
import { readYaml } from '@shared/skill-md/read-yaml'
import { CONTROL_CHARACTERS } from '@shared/skill-md/source'
import { actFields } from './fields'

/** An agent's file as Satchel reads it (`runtime.md` 5). */
export interface ParsedAgent extends AgentProfile {
  /** The body: what the agent is and does. */
  role: string
  /** `instructions:`, sent last; empty: none. */
  overrides: string
  /** Every key as it stands, unknown ones included. Plain data without `__proto__`. */
  frontmatter: Record<string, unknown>
  diagnostics: Diagnostic[]
  /** Can't be chosen; the first error among the diagnostics says why. */
  broken: boolean
}

/** Bytes of an agent's file that are read: all of it is in every call. */
export const MAX_AGENT_FILE = 128 * 1024
const LEGAL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 64

/**
 * Reads the bytes of an agent's file; `name` is the file's without `.md`. What can be understood is used, everything odd
 * is a diagnostic with its line and what to do. A setting that limits the agent and can't be understood limits it as
 * much as it could. Never throws.
 */
export function parseAgent(bytes: Uint8Array, name: string): ParsedAgent {
  const decoded = decode(bytes)
  if (typeof decoded !== 'string') return unusable(name, [decoded])
  const fenced = splitFences(decoded.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
  const early = [...nameProblems(name), ...fenced.diagnostics.map(inWordsOfAgents)]
  if (fenced.yaml === null) return unusable(name, early)
  const read = readYaml(fenced.yaml.replace(CONTROL_CHARACTERS, ''), fenced.yamlLine)
  if (!read.map) return unusable(name, [...early, ...read.diagnostics])
  const reader = createFieldReader(read.map)
  const profile = { ...about(reader, name), ...actFields(reader) }
  const overrides = text(reader, 'instructions') ?? ''
  if (fenced.body === '' && overrides === '') early.push(noRole(fenced.bodyLine))
  const diagnostics = [...early, ...read.diagnostics, ...reader.diagnostics]
  return {
    ...profile,
    role: fenced.body,
    overrides,
    frontmatter: read.map.values,
    diagnostics,
    broken: diagnostics.some(({ severity }) => severity === 'error'),
  }
}

/** A file that can't be used at all, with the reason. */
export function unusable(name: string, diagnostics: Diagnostic[]): ParsedAgent {
  const reader = createFieldReader({ values: {}, texts: new Map(), lines: new Map(), diagnostics: [] })
  const fields = { ...about(reader, name), ...actFields(reader) }
  return { ...fields, role: '', overrides: '', frontmatter: {}, diagnostics, broken: true }
}

function about(
  reader: FieldReader,
  name: string,
): Pick<AgentProfile, 'name' | 'label' | 'description' | 'model' | 'fallback'> {
  const written = text(reader, 'name')
  if (written !== name) {
    const says = written === undefined ? 'There is no name' : `The name "${written}" is not the file's`
    const message = `${says}; the file's is used: "${name}".`
    note(reader, 'warning', 'name', ['name-differs-from-file', message, `Write "name: ${name}".`])
  }
  const description = text(reader, 'description') ?? ''
  if (description === '') {
    const fix = 'Add "description:" with what the agent is for.'
    note(reader, 'info', 'description', ['description-missing', 'There is no description.', fix])
  }
  return {
    name,
    label: (text(reader, 'label') ?? labelOf(name)).replace(/\s+/g, ' ').slice(0, 60),
    description,
    model: modelRef(reader, 'model'),
    fallback: modelRef(reader, 'fallback'),
  }
}

function labelOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function modelRef(reader: FieldReader, key: string): string | null {
  const written = text(reader, key)
  if (written === undefined) return null
  if (/^[a-z0-9-]+\/\S+$/.test(written)) return written
  const message = `"${key}" must be a provider and a model; it is ignored.`
  note(reader, 'warning', key, ['wrong-type', message, `Write it as "${key}: anthropic/claude-sonnet-4".`])
  return null
}

function nameProblems(name: string): Diagnostic[] {
  if (LEGAL_NAME.test(name) && name.length <= MAX_NAME) return []
  const rule = `a to z, 0 to 9 and single hyphens, at most ${MAX_NAME} characters`
  return [
    problem('error', 'name-invalid', `"${name}" is no name for an agent.`, {
      fix: `Rename the file: ${rule}.`,
    }),
  ]
}

function inWordsOfAgents(found: Diagnostic): Diagnostic {
  if (found.code !== 'frontmatter-missing') return found
  const fix = 'Start the file with a line "---", then "name:" and "description:", then a line "---".'
  return { ...found, message: 'The file does not start with frontmatter.', fix }
}

function noRole(line: number): Diagnostic {
  return problem('warning', 'body-empty', 'The file says nothing of what the agent is and does.', {
    line,
    fix: 'Write the role below the frontmatter.',
  })
}

function decode(bytes: Uint8Array): string | Diagnostic {
  if (bytes.length > MAX_AGENT_FILE) {
    const message = `The file is larger than ${MAX_AGENT_FILE / 1024} kB, so it is not read.`
    return problem('error', 'too-large', message, { fix: 'Move knowledge into a skill that it uses.' })
  }
  try {
    const found = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!found.includes('\0')) return found
  } catch {
    // told below: it is no text that can be used
  }
  return problem('error', 'not-utf8', 'The file is not UTF-8 text.', { fix: 'Save it again as UTF-8.' })
}
