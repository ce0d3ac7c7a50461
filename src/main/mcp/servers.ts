import { definitionDigest, readServersFile } from './definitions'
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
}

/** The MCP servers of the person's own settings. */
export interface Mcp {
  /** Reads the file again, and starts what is not there yet; ends early when the signal aborts. Never throws. */
  ready(signal?: AbortSignal): Promise<void>
  /** The tools that are known now. */
  tools(): McpTool[]
  call(tool: McpTool, call: Omit<McpCall, 'tool'>): Promise<McpAnswer | McpFailure>
  close(): Promise<void>
}

interface Context {
  deps: McpDeps
  servers: Map<string, Server>
  closed: boolean
}

export function createMcp(deps: McpDeps): Mcp {
  const context: Context = { deps, servers: new Map(), closed: false }
  return {
    async ready(signal) {
      refresh(context)
      const all = Promise.all([...context.servers.values()].map((server) => server.ensure()))
      await Promise.race([all, aborted(signal)])
    },
    tools: () => [...context.servers.values()].flatMap((server) => server.tools()),
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

/** Takes the file as it is now: a server whose definition changed is another one. */
function refresh(context: Context): void {
  const { deps, servers, closed } = context
  if (closed) return
  const off = new Set(deps.off())
  const wanted = new Map(
    readServersFile(deps.homeDir)
      .servers.filter(({ name }) => !off.has(name))
      .map((definition) => [definition.name, definition]),
  )
  for (const [name, server] of servers) {
    const definition = wanted.get(name)
    if (definition && definitionDigest(definition) === server.digest) continue
    servers.delete(name)
    void server.close()
  }
  for (const [name, definition] of wanted) {
    if (!servers.has(name)) servers.set(name, createServer(definition, deps))
  }
}

async function endAll({ servers }: Context): Promise<void> {
  const all = [...servers.values()]
  servers.clear()
  await Promise.allSettled(all.map((server) => server.close()))
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
}
