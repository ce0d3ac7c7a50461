import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'
import { fastYamlMap } from './fast-yaml'
import { isLimiting } from './limiting-fields'
import { parseYamlMap, TAG_FIX } from './yaml-map'

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
/** Fields whose value is a text wherever it stands: what looks like fields below them is a sentence with a colon. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['name', 'description'])
/** The sign of a block scalar, alone or with the text on the same line, where YAML has none. */
const BLOCK_SIGN = /^[|>](?:[-+1-9]{0,2}$|[-+]?[ \t]+)/
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
 * be read by itself is read as plain text; one that still can't be read is left out, unless it is name, description or
 * a limit. Null when that does not help.
 */
export function repairYaml(yaml: string, firstLine: number): Repaired | null {
  if (MERGE_CONFLICT.test(yaml)) return null
  const blocks = splitBlocks(yaml, firstLine)
  return blocks && joined(blocks.map(repairBlock))
}

/**
 * The description as the text that its author meant, where YAML makes a map of it: `Use when: asked` on the line below
 * the key, `{word}` behind it. Null where it stands in no field of its own.
 */
export function descriptionAsText(yaml: string, firstLine: number): Repaired | null {
  const blocks = splitBlocks(yaml, firstLine)
  return blocks && joined(blocks.map(descriptionBlock))
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
  const quoted = quotedWhole(block)
  return quoted && isPlain(quoted.lines) ? quoted : null
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
  const isText = TEXT_FIELDS.has(block.key)
  const quoted = isText || valueOf(block) !== '' ? quotedWhole(block) : quotedNested(block)
  if (quoted && readable(quoted.lines)) return quoted
  if (isText || isLimiting(block.key)) return null
  const lines = block.lines.map((_, at) => (at === 0 ? LEFT_OUT : ''))
  return { lines, diagnostics: [leftOut(block)] }
}

function descriptionBlock(block: Block): RepairedBlock {
  const text = block.key === 'description' ? wholeText(block) : null
  if (text === null) return { lines: block.lines, diagnostics: [] }
  return { lines: quotedLines(block, text), diagnostics: [mapAsText(block)] }
}

function readable(lines: readonly string[]): boolean {
  return parseYamlMap(lines.join('\n'), 1).ok
}

/** What stands behind the key, on its line. */
function valueOf({ lines }: Block): string {
  return (FIELD_LINE.exec(lines[0]!)?.[2] ?? '').trim()
}

/** The value with its continuation lines as one quoted text. */
function quotedWhole(block: Block): RepairedBlock | null {
  const text = wholeText(block)
  return text === null ? null : { lines: quotedLines(block, text), diagnostics: [asText(block, text)] }
}

/** Blank lines keep the count. */
function quotedLines({ key, lines }: Block, text: string): string[] {
  return lines.map((_, at) => (at === 0 ? `${key}: ${JSON.stringify(text)}` : ''))
}

/** The words of a value with its continuation lines; null for what would be of no use as a text. */
function wholeText(block: Block): string | null {
  const value = valueOf(block)
  const rest = block.lines.slice(1)
  if (isQuoted(value) || rest.some((line) => /^\S/.test(line))) return null
  const [first = '', ...more] = [value, ...rest.map((line) => line.trim())].filter((part) => part !== '')
  if (first === '' || isNoText(first, block.key)) return null
  const written = [first.replace(BLOCK_SIGN, ''), ...more].filter((part) => part !== '').join(' ')
  const text = withoutOpenQuote(written)
  return value === '' && isQuoted(text) ? null : text
}

/** A quote that is opened and never closed is no part of the text; apostrophes within words close nothing. */
function withoutOpenQuote(text: string): string {
  const [quote = ''] = text
  if (quote !== '"' && quote !== "'") return text
  const rest = text.slice(1)
  return rest.replace(/(?<=\p{L})'(?=\p{L})/gu, '').includes(quote) || rest.trim() === '' ? text : rest.trim()
}

/**
 * JSON with a bracket too few, and tags. In name and description a word behind "!" is a word of the text; the tag of a
 * type (`!!`) is none.
 */
function isNoText(value: string, key: string): boolean {
  if (value.startsWith('!')) return !TEXT_FIELDS.has(key) || /^![!<]/.test(value)
  return value.startsWith('{') && key !== 'description'
}

/** A complete quoted text is what its author meant: nothing can be added to it. */
function isQuoted(text: string): boolean {
  const last = text.at(-1)
  return text.length > 1 && (text[0] === '"' || text[0] === "'") && last === text[0]
}

function quotedNested(block: Block): RepairedBlock {
  const lines = block.lines.map((line) => {
    const [, before, key, value] = NESTED_FIELD_LINE.exec(line) ?? []
    if (key === undefined || value === undefined) return line
    const bad = !/^[|>!]/.test(value) && !isQuoted(value.trim()) && !readable([`x: ${value}`])
    return bad ? `${before}${key}: ${JSON.stringify(value.trim())}` : line
  })
  return { lines, diagnostics: [asText(block, '')] }
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

function mapAsText({ key, line }: Block): Diagnostic {
  return problem('warning', 'yaml-repaired', `"${key}" is no text in YAML. It was read as plain text.`, {
    line,
    fix: 'Put the value in quotes: other tools may not load this file.',
  })
}

function leftOut({ key, lines, line }: Block): Diagnostic {
  const read = parseYamlMap(lines.join('\n'), line)
  const isTag = !read.ok && read.error.code === 'yaml-tag'
  return problem('warning', 'field-left-out', `"${key}" is not valid YAML and was left out.`, {
    line,
    fix: isTag ? TAG_FIX : 'Check that every quote and bracket is closed, and the indentation.',
  })
}
