import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'
import { fastYamlMap } from './fast-yaml'
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
/** A key and a plain text with ": " in it, all of it printable ASCII without comment, quote, bracket or other sign of YAML. */
const PLAIN_SLIP = /^([A-Za-z_][\w-]{0,99}): [A-Za-z][\w ,.;()/'-]*: [\w ,.;:()/'-]*$/
const MERGE_CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m
/** Stands for the first line of a field that was left out; a comment ends the value before it. */
export const LEFT_OUT = '#'
/** More lines than that are no field list that a person made a slip in. */
const MAX_LINES = 500
/** With more of them the full parser counts whether it is worth a repair. */
const MAX_PLAIN_SLIPS = 5

interface RepairedBlock {
  lines: string[]
  diagnostics: Diagnostic[]
}

/**
 * Line repair of frontmatter that is not valid YAML (`format.md` 2.5, quirks 1 to 4): each top-level field that can't
 * be read by itself is read as plain text; a field other than name and description that still can't be read is left
 * out. Null when that does not help.
 */
export function repairYaml(yaml: string, firstLine: number): Repaired | null {
  if (MERGE_CONFLICT.test(yaml)) return null
  const blocks = splitBlocks(yaml, firstLine)
  return blocks && joined(blocks.map(repairBlock))
}

/**
 * The same for nearly all slips that people make, without the full parser: a value of one line with a colon in it.
 * Null wherever there is any doubt that `repairYaml` would be asked, and would say just this.
 */
export function repairPlainSlips(yaml: string, firstLine: number): Repaired | null {
  const blocks = MERGE_CONFLICT.test(yaml) ? null : splitBlocks(yaml, firstLine)
  const repaired = blocks?.map((block) => (isPlainSlip(block) ? quotedSlip(block) : asItIs(block)))
  const slips = repaired?.filter((block) => block && block.diagnostics.length > 0).length ?? 0
  return slips <= MAX_PLAIN_SLIPS ? joined(repaired ?? [null]) : null
}

/** Null where one of the blocks is. */
function joined(blocks: readonly (RepairedBlock | null)[]): Repaired | null {
  const all = blocks.filter((block) => block !== null)
  const diagnostics = all.flatMap((block) => block.diagnostics)
  if (all.length < blocks.length || diagnostics.length === 0) return null
  return { yaml: all.flatMap(({ lines }) => lines).join('\n'), diagnostics }
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

/**
 * A value of one line in which a plain text is followed by ": ": what stands before that would be a key, and no key can
 * begin there.
 */
function isPlainSlip({ key, lines }: Block): boolean {
  const written = PLAIN_SLIP.exec(lines[0]!)?.[1]
  const rest = lines.slice(1)
  return key !== '' && written === key && rest.every((line) => line === '')
}

function quotedSlip(block: Block): RepairedBlock | null {
  const value = FIELD_LINE.exec(block.lines[0]!)?.[2] ?? ''
  const lines = quoteWhole(block, value)
  return lines && isPlain(lines) ? { lines, diagnostics: [asText(block, value)] } : null
}

function asItIs({ key, lines }: Block): RepairedBlock | null {
  return key === '' ? emptyBlock(lines) : isPlain(lines) ? { lines, diagnostics: [] } : null
}

/** Before the first field: only blank lines are without doubt. */
function emptyBlock(lines: string[]): RepairedBlock | null {
  return lines.every((line) => line === '') ? { lines, diagnostics: [] } : null
}

function isPlain(lines: readonly string[]): boolean {
  return fastYamlMap(lines.join('\n'), 1) !== null
}

function repairBlock(block: Block): RepairedBlock | null {
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
