import { isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Alias, Document, Pair, YAMLMap } from 'yaml'
import { hasStrayTab, indentQuoted, isMergeKey, mergedMaps, refusedNode } from './strict-dialect'

/** Frontmatter as the reference validator holds it: every scalar is a text. */
export type StrictValue = string | StrictValue[] | { [key: string]: StrictValue }

export type StrictYaml =
  | { kind: 'mapping'; values: Map<string, StrictValue> }
  | { kind: 'other' }
  | { kind: 'invalid'; message: string }

/** Limits of what is parsed, as for every other frontmatter (`skill-md/yaml-map.ts`): the parser is quadratic. */
const MAX_CHARACTERS = 16_000
const MAX_LINES = 1000
const MAX_DEPTH = 32
const MAX_VALUES = 10_000
const MAX_ALIASES = 50
/** An end of the document with something other than comments after it. */
const SECOND_DOCUMENT = /^\.\.\.[ \t]*\n(?:[ \t]*(?:#.*)?\n)*[ \t]*[^\s#]/m
/** An end of the document with nothing before it. */
const EMPTY_DOCUMENT = /^(?:[ \t]*(?:#.*)?\n)*\.\.\.(?:\s|$)/
/** What the reference parser's reader refuses anywhere in the text. */
const NOT_PRINTABLE = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/**
 * Parses frontmatter for the strict validator. By default YAML 1.2 with unique keys, its scalars taken as text and
 * nothing (`~`, `null`) as an empty one. `exact` is the reference's dialect: every scalar a text, unprintable
 * characters refused, and what else `strict-dialect.ts` knows. Never throws.
 */
export function parseStrictYaml(yaml: string, exact: boolean): StrictYaml {
  const early = refusedText(yaml, exact)
  if (early !== null) return invalid(early)
  try {
    return read(exact ? indentQuoted(yaml) : yaml, exact)
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error))
  }
}

function refusedText(fenced: string, exact: boolean): string | null {
  // The line of the opening fence does not count.
  const yaml = fenced.replace(/^\n/, '')
  if (yaml.length > MAX_CHARACTERS || yaml.split('\n').length > MAX_LINES) {
    return `the frontmatter is longer than ${MAX_CHARACTERS / 1000} kB or ${MAX_LINES} lines`
  }
  if (SECOND_DOCUMENT.test(yaml)) return 'expected a single document in the stream'
  if (!exact) return null
  if (EMPTY_DOCUMENT.test(yaml)) return "expected the node content, but found '<document end>'"
  return NOT_PRINTABLE.test(yaml) ? 'special characters are not allowed' : null
}

function read(yaml: string, exact: boolean): StrictYaml {
  const doc = parseDocument(yaml, {
    version: '1.2',
    schema: exact ? 'failsafe' : 'core',
    uniqueKeys: true,
    stringKeys: true,
    merge: false,
    prettyErrors: true,
    logLevel: 'silent',
  })
  const error = doc.errors[0] ?? doc.warnings[0]
  if (error) return invalid(error.message.trim())
  const refused = exact ? refusedNode(doc, yaml) : tooManyAliases(doc)
  if (exact && hasStrayTab(yaml)) return invalid("found character '\\t' that cannot start any token")
  if (refused !== null) return invalid(refused)
  if (!isMap(doc.contents)) return { kind: 'other' }
  return { kind: 'mapping', values: topLevel(doc.contents, { doc, exact, left: MAX_VALUES }) }
}

function invalid(message: string): StrictYaml {
  return { kind: 'invalid', message }
}

function tooManyAliases(doc: Document.Parsed): string | null {
  let aliases = 0
  visit(doc, {
    Alias() {
      aliases += 1
    },
  })
  return aliases > MAX_ALIASES ? `it uses more than ${MAX_ALIASES} aliases` : null
}

interface Walk {
  doc: Document.Parsed
  exact: boolean
  /** Values that may still be read. */
  left: number
}

/** Of merged fields the reference forgets those of the frontmatter itself. */
function topLevel(map: YAMLMap, walk: Walk): Map<string, StrictValue> {
  return new Map(ownItems(map, walk).map((pair) => [keyOf(pair), toText(pair.value, walk, 0)]))
}

function ownItems({ items }: YAMLMap, { exact }: Walk): Pair[] {
  return exact ? items.filter(({ key }) => !isMergeKey(key)) : items
}

function toText(node: unknown, walk: Walk, depth: number): StrictValue {
  walk.left -= 1
  if (walk.left < 0) throw new Error(`it holds more than ${MAX_VALUES} values`)
  if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`)
  if (isAlias(node)) return toText(anchored(node, walk.doc), walk, depth + 1)
  if (isSeq(node)) return node.items.map((item) => toText(item, walk, depth + 1))
  if (isMap(node)) return mapToText(node, walk, depth)
  return isScalar(node) ? scalarText(node) : ''
}

/** Its own fields first, then those merged into it that it does not have. */
function mapToText(map: YAMLMap, walk: Walk, depth: number): { [key: string]: StrictValue } {
  const own = ownItems(map, walk).map((pair) => [keyOf(pair), toText(pair.value, walk, depth + 1)] as const)
  const fields = new Map(own)
  for (const merged of walk.exact ? mergedMaps(map) : []) {
    for (const [key, value] of Object.entries(mapToText(merged, walk, depth + 1))) {
      if (!fields.has(key)) fields.set(key, value)
    }
  }
  return Object.fromEntries(fields)
}

function anchored(alias: Alias, doc: Document.Parsed): unknown {
  const node = alias.resolve(doc)
  if (!node) throw new Error(`found undefined alias '${alias.source}'`)
  return node
}

/** A block scalar loses its last line end, as in the reference. */
function scalarText(node: {
  value: unknown
  source?: string | undefined
  type?: string | undefined
}): string {
  const { value, source, type } = node
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return source ?? JSON.stringify(value)
  return type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? value.replace(/\n$/, '') : value
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : ''
}
