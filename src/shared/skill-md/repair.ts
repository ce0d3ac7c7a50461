import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'
import { parseYamlMap } from './yaml-map'

export interface Repaired {
  /** The same number of lines as before, so that later problems point to the right place. */
  yaml: string
  diagnostics: Diagnostic[]
}

/** One top-level field with everything that belongs to it. */
interface Block {
  key: string
  lines: string[]
  /** Line in the file. */
  line: number
}

/** A top-level field: its name and its value on the same line, if any. */
export const FIELD_LINE = /^([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*:(?:[ \t]+(.*))?$/u
/** A nested field with a value: what stands before its name, the name, the value. */
export const NESTED_FIELD_LINE = /^([ \t]+(?:- +)?)([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*:[ \t]+(\S.*)$/u
const MERGE_CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m
/** Stands for the first line of a field that was left out; a comment ends the value before it. */
export const LEFT_OUT = '#'
/** More lines than that are no field list that a person made a slip in. */
const MAX_LINES = 500

/**
 * Line repair of frontmatter that is not valid YAML (`format.md` 2.5, quirks 1 to 4): each top-level field that can't
 * be read by itself is read as plain text; a field other than name and description that still can't be read is left
 * out. Null when that does not help.
 */
export function repairYaml(yaml: string, firstLine: number): Repaired | null {
  if (MERGE_CONFLICT.test(yaml)) return null
  const blocks = splitBlocks(yaml, firstLine)
  if (!blocks) return null
  const diagnostics: Diagnostic[] = []
  const lines: string[] = []
  for (const block of blocks) {
    const repaired = repairBlock(block)
    if (!repaired) return null
    lines.push(...repaired.lines)
    diagnostics.push(...repaired.diagnostics)
  }
  return diagnostics.length > 0 ? { yaml: lines.join('\n'), diagnostics } : null
}

/** True when Git left its marks of a merge conflict in the text. */
export function hasMergeConflict(yaml: string): boolean {
  return MERGE_CONFLICT.test(yaml)
}

/** Null when something stands before the first field that is neither blank nor a comment. */
function splitBlocks(yaml: string, firstLine: number): Block[] | null {
  const lines = yaml.split('\n')
  if (lines.length > MAX_LINES) return null
  const blocks: Block[] = [{ key: '', lines: [], line: firstLine }]
  for (const [index, text] of lines.entries()) {
    const key = FIELD_LINE.exec(text)?.[1]
    if (key !== undefined) blocks.push({ key, lines: [text], line: firstLine + index })
    else blocks.at(-1)!.lines.push(text)
  }
  const preamble = blocks[0]!.lines.every((text) => /^\s*(?:#.*)?$/.test(text))
  return preamble ? blocks : null
}

function repairBlock(block: Block): { lines: string[]; diagnostics: Diagnostic[] } | null {
  if (block.key === '' || readable(block.lines)) return { lines: block.lines, diagnostics: [] }
  const value = FIELD_LINE.exec(block.lines[0]!)?.[2] ?? ''
  const quoted = value.trim() === '' ? quoteNested(block) : quoteWhole(block, value)
  if (quoted && readable(quoted)) return { lines: quoted, diagnostics: [asText(block, value)] }
  if (block.key === 'name' || block.key === 'description') return null
  const lines = block.lines.map((_, at) => (at === 0 ? LEFT_OUT : ''))
  return { lines, diagnostics: [leftOut(block)] }
}

function readable(lines: readonly string[]): boolean {
  return parseYamlMap(lines.join('\n'), 1).ok
}

/** The value with its continuation lines as one quoted text; blank lines keep the count. */
function quoteWhole(block: Block, value: string): string[] | null {
  const first = value.trim()
  if (/^[|>!]/.test(first) || isQuoted(first)) return null
  // JSON with a bracket too few: as a text it would be of no use to whoever reads the field.
  if (first.startsWith('{') && block.key !== 'description') return null
  const rest = block.lines.slice(1)
  if (rest.some((line) => /^\S/.test(line))) return null
  const text = [first, ...rest.map((line) => line.trim())].filter((part) => part !== '').join(' ')
  return [`${block.key}: ${JSON.stringify(text)}`, ...rest.map(() => '')]
}

/** A complete quoted text is what its author meant: nothing can be added to it. */
function isQuoted(text: string): boolean {
  const last = text.at(-1)
  return text.length > 1 && (text[0] === '"' || text[0] === "'") && last === text[0]
}

function quoteNested(block: Block): string[] {
  return block.lines.map((line) => {
    const [, before, key, value] = NESTED_FIELD_LINE.exec(line) ?? []
    if (key === undefined || value === undefined) return line
    const bad = !/^[|>!]/.test(value) && !isQuoted(value.trim()) && !readable([`x: ${value}`])
    return bad ? `${before}${key}: ${JSON.stringify(value.trim())}` : line
  })
}

function asText(block: Block, value: string): Diagnostic {
  const why = value.includes(': ') ? ': it contains ": "' : ''
  return problem(
    'warning',
    'yaml-repaired',
    `"${block.key}" is not valid YAML${why}. It was read as plain text.`,
    {
      line: block.line,
      fix: 'Put the value in quotes: other tools may not load this file.',
    },
  )
}

function leftOut(block: Block): Diagnostic {
  return problem('warning', 'field-left-out', `"${block.key}" is not valid YAML and was left out.`, {
    line: block.line,
    fix: 'Check that every quote and bracket is closed, and the indentation.',
  })
}
