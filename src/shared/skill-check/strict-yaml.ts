import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml'

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
/** What the reference parser's reader refuses anywhere in the text. */
const NOT_PRINTABLE = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/**
 * Parses frontmatter for the strict validator. By default YAML 1.2 with unique keys, its scalars taken as text and
 * nothing (`~`, `null`) as an empty one. `exact` is the reference's dialect: every scalar a text, and flow style,
 * anchors, aliases, tags, unprintable characters and tabs after a colon refused. Never throws.
 */
export function parseStrictYaml(yaml: string, exact: boolean): StrictYaml {
  const early = refusedText(yaml, exact)
  if (early !== null) return invalid(early)
  try {
    return read(yaml, exact)
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
  return exact && NOT_PRINTABLE.test(yaml) ? 'special characters are not allowed' : null
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
  if (refused !== null) return invalid(refused)
  if (!isMap(doc.contents)) return { kind: 'other' }
  return { kind: 'mapping', values: topLevel(doc.contents, { doc, left: MAX_VALUES }) }
}

function invalid(message: string): StrictYaml {
  return { kind: 'invalid', message }
}

/** The first thing that the reference's dialect of YAML does not have. */
function refusedNode(doc: Document.Parsed, yaml: string): string | null {
  let found: string | null = null
  visit(doc, (_key, node) => {
    found = isPair(node) ? tabBeforeValue(node, yaml) : disallowed(node)
    return found === null ? undefined : visit.BREAK
  })
  return found
}

function disallowed(node: unknown): string | null {
  if (isAlias(node)) return 'Found confusing disallowed anchor token'
  if (!isScalar(node) && !isCollection(node)) return null
  if (node.anchor !== undefined) return 'Found confusing disallowed anchor token'
  if (node.tag !== undefined && node.tag !== '') return 'Found disallowed tag tokens'
  return isCollection(node) && node.flow === true ? 'Found ugly disallowed JSONesque flow mapping' : null
}

function tabBeforeValue(pair: Pair, yaml: string): string | null {
  const end = (pair.key as Node | null)?.range?.[1]
  const start = (pair.value as Node | null)?.range?.[0]
  if (end === undefined || start === undefined) return null
  const between = yaml.slice(end, start)
  return /\t/.test(between.replace(/#.*/g, '')) ? "found character '\\t' that cannot start any token" : null
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
  /** Values that may still be read. */
  left: number
}

function topLevel(map: YAMLMap, walk: Walk): Map<string, StrictValue> {
  return new Map(map.items.map((pair) => [keyOf(pair), toText(pair.value, walk, 0)]))
}

function toText(node: unknown, walk: Walk, depth: number): StrictValue {
  walk.left -= 1
  if (walk.left < 0) throw new Error(`it holds more than ${MAX_VALUES} values`)
  if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`)
  if (isAlias(node)) return toText(anchored(node, walk.doc), walk, depth + 1)
  if (isSeq(node)) return node.items.map((item) => toText(item, walk, depth + 1))
  if (isMap(node)) {
    const entries = node.items.map((pair) => [keyOf(pair), toText(pair.value, walk, depth + 1)] as const)
    return Object.fromEntries(entries)
  }
  return isScalar(node) ? scalarText(node) : ''
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
