import type { McpServerView, McpView } from '@shared/domain/mcp'
import { cutText } from '../lib/well-formed'
import { definitionDigest, readServersFile, type ServerDefinition, type ServersFile } from './definitions'
import { variablesIn } from './edit-file'
import {
  createServer,
  type McpAnswer,
  type McpCall,
  type McpFailure,
  type Server,
  type ServerDeps,
} from './server'
import type { McpTool } from './tools'

export interface McpDeps extends ServerDeps {
  /** Names of servers that the person turned off. */
  off(): readonly string[]
  /** Values of variables that the person entered for this server; left out: none. */
  keysOf?(definition: ServerDefinition): Record<string, string>
  /** What can't be used of what a person wrote down, in a sentence: once, until it could be used again. */
  notice(message: string): void
}

/** The MCP servers of the person's own settings. */
export interface Mcp {
  /** Reads the file again, and starts what is not there yet, for that chat; ends early when the signal aborts. Never throws. */
  ready(sessionId: string | null, signal?: AbortSignal): Promise<void>
  /** The tools that are known now. */
  tools(): McpTool[]
  /** Every server of the file as it is now; one that is turned off or gone ends, and none is started. */
  view(): McpView
  /** Starts one server again, however often that failed. */
  again(name: string): Promise<void>
  /** Ends one, so that it begins anew with what is written down now. */
  drop(name: string): void
  call(tool: McpTool, call: Omit<McpCall, 'tool'>): Promise<McpAnswer | McpFailure>
  close(): Promise<void>
}

interface Context {
  deps: McpDeps
  servers: Map<string, Server>
  /** What a notice told already. */
  told: ReadonlySet<string>
  closed: boolean
}

export function createMcp(deps: McpDeps): Mcp {
  const context: Context = { deps, servers: new Map(), told: new Set(), closed: false }
  return {
    async ready(sessionId, signal) {
      const file = refresh(context)
      const all = Promise.all([...context.servers.values()].map((server) => server.ensure(sessionId)))
      await Promise.race([all, aborted(signal)])
      if (!context.closed) tellUnusable(context, file.notes)
    },
    tools: () => [...context.servers.values()].flatMap((server) => server.tools()),
    view: () => view(context),
    async again(name) {
      refresh(context)
      await context.servers.get(name)?.again()
    },
    drop(name) {
      void context.servers.get(name)?.close('it was changed')
      context.servers.delete(name)
    },
    async call(tool, call) {
      const server = context.servers.get(tool.server.name)
      if (!server) return { cause: 'refused', message: 'The server is not there any more.' }
      return server.call({ ...call, tool: tool.tool })
    },
    async close() {
      context.closed = true
      await endAll(context)
    },
  }
}

function view(context: Context): McpView {
  const { servers, notes } = refresh(context)
  return { file: '~/.satchel/mcp.json', servers: servers.map((each) => viewOf(context, each)), notes }
}

function viewOf({ servers, deps }: Context, definition: ServerDefinition): McpServerView {
  const { name } = definition
  const server = servers.get(name)
  const state = server?.state() ?? { status: 'off', error: '', notes: [] }
  const tools = server?.tools().map(({ tool }) => tool) ?? []
  const keys = variablesIn(definition).map((variable) => ({
    name: variable,
    from: sourceOf(deps, definition, variable),
  }))
  return { ...state, name, target: targetOf(definition), tools, entry: entryOf(definition), keys }
}

/** Where the value of a variable comes from. */
function sourceOf(
  { env, keysOf }: McpDeps,
  definition: ServerDefinition,
  variable: string,
): McpServerView['keys'][number]['from'] {
  if (keysOf && Object.hasOwn(keysOf(definition), variable)) return 'entered'
  return (env[variable] ?? '') === '' ? 'missing' : 'environment'
}

function entryOf(definition: ServerDefinition): McpServerView['entry'] {
  if (definition.kind === 'http') return { url: definition.url, headers: definition.headers }
  const { command, args, env } = definition
  return { command, args, env }
}

function targetOf(definition: ServerDefinition): string {
  return definition.kind === 'http' ? definition.url : [definition.command, ...definition.args].join(' ')
}

/** Takes the file as it is now: a server whose definition changed is another one. */
function refresh(context: Context): ServersFile {
  const { deps, servers, closed } = context
  const file = readServersFile(deps.homeDir)
  if (closed) return file
  const off = new Set(deps.off())
  const wanted = new Map(
    file.servers.filter(({ name }) => !off.has(name)).map((definition) => [definition.name, definition]),
  )
  for (const [name, server] of servers) {
    const definition = wanted.get(name)
    if (definition && definitionDigest(definition) === server.digest) continue
    servers.delete(name)
    void server.close(closingReason(file, off, name))
  }
  for (const [name, definition] of wanted) {
    if (!servers.has(name)) servers.set(name, createServer(definition, withKeys(deps, definition)))
  }
  return file
}

function closingReason({ servers }: ServersFile, off: ReadonlySet<string>, name: string): string {
  if (off.has(name)) return 'it was turned off'
  return servers.some((server) => server.name === name) ? 'it was changed' : 'it was removed'
}

/** Its own keys go before the environment, and to no other server. */
function withKeys(deps: McpDeps, definition: ServerDefinition): McpDeps {
  return { ...deps, keys: () => deps.keysOf?.(definition) ?? {} }
}

/** Where an agent needs them: who only talks looks at no settings. */
function tellUnusable(context: Context, notes: readonly string[]): void {
  const { deps, servers, told } = context
  const failed = [...servers.values()].filter((server) => server.state().status === 'failed')
  const wrong = new Map([
    ...notes.map((note) => [note, `MCP servers in ~/.satchel/mcp.json: ${note}`] as const),
    ...failed.map((server) => [server.definition.name, failedText(server)] as const),
    ...[...servers.values()].flatMap(leftOut),
  ])
  for (const [what, message] of wrong) if (!told.has(what)) deps.notice(message)
  context.told = new Set(wrong.keys())
}

function failedText({ definition, state }: Server): string {
  const why = cutText(state().error.replaceAll('\n', ' '), MAX_REASON)
  return `The MCP server "${definition.name}" can't be used, so its tools are not there: ${why}`
}

/** What a server lists and agents are not offered. */
function leftOut({ definition: { name }, state }: Server): (readonly [string, string])[] {
  const { notes } = state()
  if (notes.length === 0) return []
  const text = `Not all that the MCP server "${name}" lists is used. ${notes.join(' ')}`
  return [[`${name} ${notes.join()}`, cutText(text, MAX_REASON)]]
}

const MAX_REASON = 400

async function endAll({ servers }: Context): Promise<void> {
  const all = [...servers.values()]
  servers.clear()
  await Promise.allSettled(all.map((server) => server.close('Satchel ended')))
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
}
