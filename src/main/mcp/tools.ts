import { canonicalJson } from '@shared/canonical-json'
import { sha256 } from '../lib/hash'
import { wellFormed } from '../lib/well-formed'

/** A tool as its server lists it: nothing of it is checked yet. */
export interface ListedTool {
  name: string
  description?: string | undefined
  inputSchema: Record<string, unknown>
  annotations?: Record<string, unknown> | undefined
}

/** A tool that agents may be offered. Every text of it is the server's. */
export interface McpTool {
  /** `mcp__<server>__<tool>`, which every provider takes. */
  name: string
  server: { name: string; digest: string }
  /** Its name for the server. */
  tool: string
  description: string
  schema: Record<string, unknown>
  /** What the server says about it; nobody checked it. */
  annotations: Record<string, unknown>
  /** Of all that the server listed of it. */
  digest: string
}

export interface Offered {
  tools: McpTool[]
  /** Which are left out, and why. */
  notes: string[]
}

/** More are not taken, and not asked for. */
export const MAX_TOOLS = 64

/** The tools of a server that can be offered, within the limits of a request: a server may list anything. */
export function offeredTools(server: McpTool['server'], listed: readonly ListedTool[]): Offered {
  const tools: McpTool[] = []
  const notes: string[] = []
  const taken = listed.slice(0, MAX_TOOLS)
  if (listed.length > MAX_TOOLS) notes.push(`Only its first ${MAX_TOOLS} tools are used.`)
  const names = taken.map(({ name }) => fullName(server.name, name))
  const doubles = doublesIn(taken, names)
  let bytes = 0
  for (const [at, tool] of taken.entries()) {
    const name = names[at]!
    const schema = cleanSchema(tool.inputSchema)
    const size = schema === null ? 0 : JSON.stringify(schema).length
    const why =
      wrong({ name, double: doubles[at]! }, schema) ??
      (bytes + size > MAX_ALL ? 'its server has too much of them' : null)
    if (why !== null || schema === null) notes.push(`${shown(tool.name)} is left out: ${why}.`)
    else {
      bytes += size
      tools.push(toolOf(server, { name, tool, schema }))
    }
  }
  return { tools, notes }
}

const MAX_NAME = 64
const MAX_SCHEMA = 16_000
const MAX_ALL = 100_000
const MAX_DEPTH = 16
const MAX_TEXT = 500
const MAX_DESCRIPTION = 4000
const MAX_ANNOTATIONS = 2000

function fullName(server: string, tool: string): string {
  return `mcp__${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
}

/**
 * Names that differ only in what no name may hold are one name, and so none of them is used. Of tools that are listed
 * under the very same name the first is.
 */
function doublesIn(listed: readonly ListedTool[], names: readonly string[]): (string | null)[] {
  const folded = names.map((name) => name.toLowerCase())
  return listed.map(({ name }, at) => {
    const same = listed.filter((_other, place) => folded[place] === folded[at])
    const others = new Set(same.map((other) => other.name))
    const shownName = names[at]!.slice(0, MAX_NAME)
    if (others.size > 1) return `${same.length} tools have the name ${shownName}`
    const isFirst = listed.findIndex((other) => other.name === name) === at
    return isFirst ? null : `a tool before it has the name ${shownName}, and that one is used`
  })
}

function wrong(
  { name, double }: { name: string; double: string | null },
  schema: object | null,
): string | null {
  if (name.length > MAX_NAME) return `its name is longer than ${MAX_NAME} characters`
  if (double !== null) return double
  return schema === null ? 'its parameters are no object, or too large' : null
}

function toolOf(
  server: McpTool['server'],
  { name, tool, schema }: { name: string; tool: ListedTool; schema: Record<string, unknown> },
): McpTool {
  const annotations = tool.annotations ?? {}
  return {
    name,
    server,
    tool: tool.name,
    description: wellFormed((tool.description ?? '').slice(0, MAX_DESCRIPTION)),
    schema,
    annotations: JSON.stringify(annotations).length > MAX_ANNOTATIONS ? {} : annotations,
    digest: sha256(
      canonicalJson({
        name: tool.name,
        description: tool.description ?? '',
        schema: tool.inputSchema,
        annotations,
      }),
    ),
  }
}

/** What a request can hold of a schema; null: it is none, or too large. */
function cleanSchema(schema: Record<string, unknown>): Record<string, unknown> | null {
  if (schema['type'] !== 'object') return null
  const { $schema: _dialect, ...rest } = schema
  const cleaned = clean(rest, 0)
  const isSmall = cleaned !== TOO_DEEP && JSON.stringify(cleaned).length <= MAX_SCHEMA
  return isSmall ? (cleaned as Record<string, unknown>) : null
}

const TOO_DEEP = Symbol('too deep')

/** Texts are cut and their invisible characters dropped; what is nested too deeply has no end. */
function clean(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return TOO_DEEP
  if (typeof value === 'string') return plain(value).slice(0, MAX_TEXT)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => [plain(key), clean(part, depth + 1)] as const)
  if (parts.some(([, part]) => part === TOO_DEEP)) return TOO_DEEP
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
}

function plain(text: string): string {
  return wellFormed(text.replace(/(?![\t\n])\p{Cc}|\p{Cf}|\p{Variation_Selector}/gu, ''))
}

function shown(name: string): string {
  return JSON.stringify(plain(name).slice(0, 80))
}
