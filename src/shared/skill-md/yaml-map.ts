import { isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Document, Pair, ParsedNode, YAMLMap } from 'yaml'
import type { Diagnostic } from '../domain/skill'
import { isLimiting } from './limiting-fields'
import { problem } from './problem'
import { MAX_FRONTMATTER, MAX_FRONTMATTER_LINES } from './yaml-limits'

const MAX_ALIASES = 50
const MAX_DEPTH = 32
const MAX_NODES = 10_000

/** The fields of one frontmatter as plain data. */
export interface YamlMap {
  values: Record<string, unknown>
  /** Scalars of the top level as they are written: `1.0` stays `1.0`. */
  texts: ReadonlyMap<string, string>
  /** Line of each top-level key, counted from 1 in the file. */
  lines: ReadonlyMap<string, number>
  diagnostics: Diagnostic[]
}

export type YamlResult = { ok: true; map: YamlMap } | { ok: false; error: Diagnostic; errors: number }

interface Walk {
  doc: Document.Parsed
  nodes: number
  dropped: boolean
}

/**
 * Parses frontmatter as YAML 1.2, core schema: no custom tags, no complex keys, limits on aliases, depth and number of
 * nodes. Never throws. `firstLine` is the line of the file at which `yaml` starts.
 */
export function parseYamlMap(yaml: string, firstLine: number): YamlResult {
  if (yaml.length > MAX_FRONTMATTER || countLines(yaml, yaml.length) > MAX_FRONTMATTER_LINES) {
    return failed(tooLarge(firstLine), 1)
  }
  try {
    return readDocument(yaml, firstLine)
  } catch (error) {
    if (error instanceof Limit) return failed(limitReached(error.message, firstLine), 1)
    if (error instanceof RangeError) return failed(limitReached('it is nested too deep', firstLine), 1)
    const text = error instanceof Error ? error.message : String(error)
    return failed(
      problem('error', 'yaml-invalid', `The frontmatter can't be read: ${text}`, { line: firstLine }),
      1,
    )
  }
}

/** The document behind `parseYamlMap`, for edits that need to know where everything stands. May hold errors. */
export function parseYamlDocument(yaml: string): Document.Parsed {
  return parseDocument(yaml, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    stringKeys: true,
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
}

/** Thrown inside the walk over the nodes, caught by `parseYamlMap`. */
class Limit extends Error {}

function readDocument(yaml: string, firstLine: number): YamlResult {
  const doc = parseYamlDocument(yaml)
  const lineAt = (offset: number) => firstLine + countLines(yaml, offset)
  const error = doc.errors[0] ?? doc.warnings[0]
  if (error) return failed(yamlError(error, lineAt, yaml), doc.errors.length + doc.warnings.length)
  if (!isMap(doc.contents)) return failed(notAMap(firstLine), 1)
  const hasAliases = countAliases(doc) > 0
  const map = readMap(doc, doc.contents, lineAt)
  if (hasAliases) map.diagnostics.push(...lostAliases(doc, doc.contents, lineAt))
  return { ok: true, map }
}

/** Fields that refer to an anchor that stands nowhere before them: what they would hold is not known. */
function lostAliases(
  doc: Document.Parsed,
  contents: YAMLMap,
  lineAt: (offset: number) => number,
): Diagnostic[] {
  return (contents.items as Pair<ParsedNode, ParsedNode | null>[]).flatMap((pair) => {
    const lost: string[] = []
    visit(pair.value, {
      Alias(_key, alias) {
        if (alias.resolve(doc) === undefined) lost.push(alias.source)
      },
    })
    return lost.slice(0, 1).map((anchor) => lostAlias(keyOf(pair), anchor, lineAt(pair.key.range[0])))
  })
}

/** A limit that is not known must not count as none. */
function lostAlias(key: string, anchor: string, line: number): Diagnostic {
  const [severity, code] = isLimiting(key)
    ? (['error', 'yaml-invalid'] as const)
    : (['warning', 'field-left-out'] as const)
  return problem(severity, code, `"${key}" refers to "*${anchor}", which stands nowhere before it.`, {
    line,
    fix: `Write the value out, or mark what is meant with "&${anchor}".`,
  })
}

function countAliases(doc: Document.Parsed): number {
  let aliases = 0
  visit(doc, {
    Alias() {
      aliases += 1
      if (aliases > MAX_ALIASES) throw new Limit(`it uses more than ${MAX_ALIASES} aliases`)
    },
  })
  return aliases
}

function readMap(doc: Document.Parsed, contents: YAMLMap, lineAt: (offset: number) => number): YamlMap {
  const walk: Walk = { doc, nodes: 0, dropped: false }
  const texts = new Map<string, string>()
  const lines = new Map<string, number>()
  const diagnostics: Diagnostic[] = []
  for (const pair of contents.items as Pair<ParsedNode, ParsedNode | null>[]) {
    const key = keyOf(pair)
    const line = lineAt(pair.key.range[0])
    if (lines.has(key)) diagnostics.push(duplicate(key, line))
    lines.set(key, line)
    if (isScalar(pair.value)) texts.set(key, pair.value.source ?? '')
    else texts.delete(key)
  }
  const values = toPlain(contents, walk, 0) as Record<string, unknown>
  if (walk.dropped) diagnostics.push(forbiddenKey())
  return { values, texts, lines, diagnostics }
}

function toPlain(node: unknown, walk: Walk, depth: number): unknown {
  walk.nodes += 1
  if (walk.nodes > MAX_NODES) throw new Limit(`it holds more than ${MAX_NODES} values`)
  if (depth > MAX_DEPTH) throw new Limit(`it is nested deeper than ${MAX_DEPTH} levels`)
  if (isAlias(node)) return toPlain(node.resolve(walk.doc), walk, depth + 1)
  if (isSeq(node)) return node.items.map((item) => toPlain(item, walk, depth + 1))
  if (isMap(node)) return mapToPlain(node, walk, depth)
  return isScalar(node) ? scalarToPlain(node.value, node.source) : null
}

function mapToPlain(node: YAMLMap, walk: Walk, depth: number): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const pair of node.items) {
    const key = keyOf(pair)
    if (key === '__proto__') walk.dropped = true
    else plain[key] = toPlain(pair.value, walk, depth + 1)
  }
  return plain
}

function scalarToPlain(value: unknown, source: string | undefined): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : (source ?? '')
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) && typeof pair.key.value === 'string' ? pair.key.value : ''
}

function countLines(text: string, offset: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function failed(error: Diagnostic, errors: number): YamlResult {
  return { ok: false, error, errors }
}

export const TAG_FIX = 'Remove the tag (the word that starts with "!"), or put the value in quotes.'

const FIXES: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'Put the value in quotes: it contains ": ".',
  MISSING_CHAR: 'Check that every quote and bracket is closed and that ":" follows each key.',
  TAB_AS_INDENT: 'Indent with spaces instead of tabs.',
  BAD_INDENT: 'Check the indentation, and that every bracket is closed.',
  BAD_DQ_ESCAPE: 'Remove the backslash, or put the value in single quotes.',
  TAG_RESOLVE_FAILED: TAG_FIX,
  NON_STRING_KEY: 'Use plain words as keys.',
}

const CODES: Readonly<Record<string, string>> = { TAG_RESOLVE_FAILED: 'yaml-tag' }

interface YamlProblem {
  code: string
  message: string
  pos: [number, number]
}

function yamlError(error: YamlProblem, lineAt: (offset: number) => number, yaml: string): Diagnostic {
  const [offset] = error.pos
  if (error.code === 'RESOURCE_EXHAUSTION') return limitReached('it is nested too deep', lineAt(offset))
  const code = CODES[error.code] ?? 'yaml-invalid'
  return problem('error', code, `The frontmatter is not valid YAML: ${error.message.replace(/\.$/, '')}.`, {
    line: lineAt(offset),
    column: offset - yaml.lastIndexOf('\n', offset - 1),
    fix: FIXES[error.code] ?? 'Correct the YAML on this line, or put the value in quotes.',
  })
}

function tooLarge(line: number): Diagnostic {
  const kb = MAX_FRONTMATTER / 1000
  return problem(
    'error',
    'frontmatter-too-large',
    `The frontmatter is longer than ${kb} kB or ${MAX_FRONTMATTER_LINES} lines.`,
    {
      line,
      fix: 'Move the text below the frontmatter or into a file of its own.',
    },
  )
}

function limitReached(what: string, line: number): Diagnostic {
  return problem('error', 'yaml-limit', `The frontmatter is refused: ${what}.`, {
    line,
    fix: 'Write the values out, with fewer levels and without anchors.',
  })
}

function notAMap(line: number): Diagnostic {
  return problem('error', 'frontmatter-not-a-mapping', 'The frontmatter holds no fields.', {
    line,
    fix: 'Write fields as "name: value", at least "name" and "description".',
  })
}

function duplicate(key: string, line: number): Diagnostic {
  return problem('warning', 'duplicate-key', `"${key}" stands here again; this later value is used.`, {
    line,
    fix: 'Delete one of them.',
  })
}

function forbiddenKey(): Diagnostic {
  return problem('warning', 'key-ignored', 'The key "__proto__" is ignored.', { fix: 'Delete it.' })
}
