import { isCollection, isMap, isPair, isScalar, isSeq, isAlias, Lexer, visit } from 'yaml'
import type { Document, Pair, ParsedNode, YAMLMap } from 'yaml'

/*
 * The YAML that the reference validator reads, where it is another than YAML 1.2 (`format.md` 1.3): it refuses flow
 * style, anchors, tags, tabs outside quotes and uneven indentation, knows merge keys, and lets the further lines of a
 * quoted text start anywhere.
 */

/** More of them are no frontmatter; each costs a pass over the text. */
const MAX_QUOTED = 50
const MAX_COLUMN = 100

/** The same YAML with the further lines of quoted texts indented, as the parser wants them. Indentation is no part of the text. */
export function indentQuoted(yaml: string): string {
  let text = yaml
  for (let round = 0; round < MAX_QUOTED; round += 1) {
    const better = indentFirstOpen(text)
    if (better === null) return text
    text = better
  }
  return text
}

function indentFirstOpen(yaml: string): string | null {
  for (const { start, text, kind } of lexemes(yaml)) {
    if (kind !== 'quoted' || isClosed(text)) continue
    const end = closingQuote(yaml, start)
    if (end === null) return null
    const column = keyColumn(yaml, start)
    if (column > MAX_COLUMN) return null
    const [first = '', ...more] = yaml.slice(start, end).split('\n')
    // A line of three dots ends the document, also within quotes.
    if (more.some((line) => /^\.\.\.(?:\s|$)/.test(line))) return null
    const lines = more.map((line) => (line.trim() === '' ? line : ' '.repeat(column + 1) + line))
    const better = yaml.slice(0, start) + [first, ...lines].join('\n') + yaml.slice(end)
    return better === yaml ? null : better
  }
  return null
}

/** The column at which the key or the item of a value starts. */
function keyColumn(yaml: string, offset: number): number {
  const line = yaml.slice(yaml.lastIndexOf('\n', offset) + 1, offset)
  return /^[ \t]*(?:[-?:][ \t]+)*/.exec(line)![0].length
}

function isClosed(text: string): boolean {
  return closingQuote(text, 0) === text.length
}

/** Behind the quote that closes the one at `start`; null where none does. */
function closingQuote(yaml: string, start: number): number | null {
  const form = yaml[start] === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^']|'')*'/y
  form.lastIndex = start
  return form.test(yaml) ? form.lastIndex : null
}

interface Lexeme {
  start: number
  text: string
  kind: 'quoted' | 'block' | 'comment' | 'other'
}

/** The YAML in pieces, each with its place. */
function* lexemes(yaml: string): Generator<Lexeme> {
  let start = 0
  let marked = false
  let header = false
  for (const text of new Lexer().lex(yaml)) {
    if (CONTROL.has(text)) {
      marked = text === SCALAR
      continue
    }
    const block: boolean = marked && header
    if (/^[|>]/.test(text) && !marked) header = true
    else if (block) header = false
    yield { start, text, kind: block ? 'block' : kindOf(text, marked) }
    start += text.length
    marked = false
  }
}

const SCALAR = '\u001f'
/** What the lexer puts between the pieces of the text: start and end of the document, a text follows. */
const CONTROL = new Set(['\u0002', '\u0018', SCALAR])

function kindOf(text: string, marked: boolean): Lexeme['kind'] {
  if (!marked && /^["']/.test(text)) return 'quoted'
  return !marked && text.startsWith('#') ? 'comment' : 'other'
}

/** True where a tab stands that the reference can't read: anywhere but in quotes, comments and the text of a block. */
export function hasStrayTab(yaml: string): boolean {
  if (!yaml.includes('\t')) return false
  for (const { text, kind } of lexemes(yaml)) {
    if (kind === 'other' && text.includes('\t')) return true
    if (kind === 'block' && hasTabAtMargin(text)) return true
  }
  return false
}

/** In front of the text of a block, where only spaces may stand. */
function hasTabAtMargin(block: string): boolean {
  const lines = block.split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/[^ ]/))
  return lines.some((line) => line.search(/[^ ]/) < Math.min(...indents) && /^ *\t/.test(line))
}

/** The first thing that the reference's dialect of YAML does not have, in its words; null for none. */
export function refusedNode(doc: Document.Parsed, yaml: string): string | null {
  let found: string | null = null
  visit(doc, (_key, node) => {
    found = isPair(node) ? refusedMerge(node as Pair<ParsedNode, ParsedNode | null>) : disallowed(node, yaml)
    return found === null ? undefined : visit.BREAK
  })
  return found
}

function disallowed(node: unknown, yaml: string): string | null {
  if (isAlias(node)) return 'Found confusing disallowed anchor token'
  if (!isScalar(node) && !isCollection(node)) return null
  if (node.anchor !== undefined) return 'Found confusing disallowed anchor token'
  if (node.tag !== undefined && node.tag !== '') return 'Found disallowed tag tokens'
  if (isCollection(node) && node.flow === true) return 'Found ugly disallowed JSONesque flow mapping'
  return isMap(node) && isUneven(node, yaml)
    ? 'Found mapping with indentation inconsistent with previous mapping'
    : null
}

/** True where the maps in a map start at different columns. */
function isUneven(map: YAMLMap, yaml: string): boolean {
  const columns = map.items
    .filter(({ key, value }) => isMap(value) && !isMergeKey(key))
    .map(({ value }) => (value as YAMLMap).range![0])
    .map((start) => start - yaml.lastIndexOf('\n', start - 1))
  return new Set(columns).size > 1
}

/** `<<`, which stands for the fields of the maps behind it. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
}

function refusedMerge({ key, value }: Pair<ParsedNode, ParsedNode | null>): string | null {
  if (!isMergeKey(key) || isMap(value)) return null
  if (!isSeq(value)) return 'expected a mapping or list of mappings for merging, but found scalar'
  return value.items.every(isMap) ? null : 'expected a mapping for merging, but found scalar'
}

/** The maps behind the merge key of a map. */
export function mergedMaps(map: YAMLMap): YAMLMap[] {
  return map.items.flatMap(({ key, value }) => {
    if (!isMergeKey(key)) return []
    return isSeq(value) ? value.items.filter((item) => isMap(item)) : isMap(value) ? [value] : []
  })
}
