import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '@shared/canonical-json'
import { readDataFile } from '../lib/data-file'
import { sha256 } from '../lib/hash'

/** A program that is started and spoken to by its standard streams. */
export interface StdioDefinition {
  kind: 'stdio'
  name: string
  command: string
  args: string[]
  /** Its variables beside those that every server gets; `${NAME}` is one of the app's own environment. */
  env: Record<string, string>
}

/** An address that is spoken to by streamable HTTP. */
export interface HttpDefinition {
  kind: 'http'
  name: string
  url: string
  /** `${NAME}` is a variable of the app's own environment. */
  headers: Record<string, string>
}

export type ServerDefinition = StdioDefinition | HttpDefinition

export interface ServersFile {
  servers: ServerDefinition[]
  /** What could not be used, and why: one or two sentences each. */
  notes: string[]
}

/**
 * The servers of `~/.satchel/mcp.json`, the person's own file, in the shape that other programs have too:
 * `{"mcpServers": {"tickets": {"command": …}, "docs": {"url": …}}}`. No project brings any. What can't be used is a
 * note and left out.
 */
export function readServersFile(homeDir: string): ServersFile {
  const file = readDataFile(join(homeDir, '.satchel', 'mcp.json'), MAX_FILE)
  if (file.state === 'missing') return { servers: [], notes: [] }
  if (file.state === 'broken') return { servers: [], notes: [`${file.reason} No server of it is used.`] }
  const parsed = File.safeParse(file.value)
  if (!parsed.success) return { servers: [], notes: [SHAPE] }
  const servers: ServerDefinition[] = []
  const notes: string[] = []
  for (const [name, entry] of Object.entries(parsed.data.mcpServers)) {
    const read = servers.length < MAX_SERVERS ? readEntry(name, entry) : `there are more than ${MAX_SERVERS}`
    if (typeof read === 'string') notes.push(`"${name.slice(0, 80)}" is left out: ${read}.`)
    else servers.push(read)
  }
  return { servers, notes }
}

/** Names one definition, so that a changed one is not taken for what was allowed. */
export function definitionDigest(definition: ServerDefinition): string {
  return sha256(canonicalJson(definition))
}

/** `text` with every `${NAME}` replaced. Throws a sentence when one of them is not set. */
export function withVariables(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replace(VARIABLE, (_, name: string) => {
    const value = env[name]
    if (value === undefined || value === '') {
      throw new Error(`The variable ${name} is not set where Satchel was started.`)
    }
    return value
  })
}

export const MAX_FILE = 256 * 1024
export const MAX_SERVERS = 20
const SHAPE = 'It must be {"mcpServers": {"name": {…}}}. No server of it is used.'
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** No underscore: `mcp__<server>__<tool>` has one reading only. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/

const text = z.string().max(4096)
const texts = z.record(z.string().regex(/^[A-Za-z_][\w-]{0,100}$/), text)
const File = z.object({ mcpServers: z.record(z.string(), z.unknown()) })
const Stdio = z.object({
  command: text.min(1),
  args: z.array(text).max(100).default([]),
  env: texts.default({}),
})
const Http = z.object({ url: text.min(1), headers: texts.default({}) })

/** The definition, or why there is none, without a full stop. */
export function readEntry(name: string, entry: unknown): ServerDefinition | string {
  if (!NAME.test(name)) return 'a name has at most 30 small letters, digits and single hyphens inside'
  const isProgram = Object.hasOwn(Object(entry), 'command')
  if (isProgram === Object.hasOwn(Object(entry), 'url')) return 'it must have either "command" or "url"'
  const parsed = isProgram ? Stdio.safeParse(entry) : Http.safeParse(entry)
  if (!parsed.success) return `"${parsed.error.issues[0]?.path.join('.') ?? ''}" is not what it must be`
  if ('command' in parsed.data) return { kind: 'stdio', name, ...parsed.data }
  const { url, headers } = parsed.data
  return wrongUrl(url) ?? wrongHeader(headers) ?? { kind: 'http', name, url, headers }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

function wrongUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!url || !isSafe) return 'its address must begin with https:// (http:// is for this computer only)'
  if (url.username !== '' || url.password !== '') return 'its address may hold no name and no password'
  return null
}

/** A key in the file would be in every copy of it. */
function wrongHeader(headers: Record<string, string>): string | null {
  const open = Object.keys(headers).find(
    (name) => /auth|key|token|secret|cookie/i.test(name) && headers[name]!.search(VARIABLE) < 0,
  )
  return open === undefined
    ? null
    : `its header "${open}" must name a variable, as in "Bearer \${TICKETS_TOKEN}"`
}
