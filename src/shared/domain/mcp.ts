import { z } from 'zod'

/** How an MCP server is. It is started when an agent first needs it. */
export const McpServerState = z.object({
  status: z.enum(['off', 'idle', 'starting', 'ready', 'failed']),
  /** Why it failed, with what the server said last; else empty. */
  error: z.string(),
  /** Tools that are left out, and why. */
  notes: z.array(z.string()),
})
export type McpServerState = z.infer<typeof McpServerState>

/** A server as Settings shows it. */
export const McpServerView = McpServerState.extend({
  name: z.string(),
  /** The command with its arguments, or the address: as in the file, variables by name. */
  target: z.string(),
  /** Names of the tools that agents are offered, as the server calls them. */
  tools: z.array(z.string()),
})
export type McpServerView = z.infer<typeof McpServerView>

export const McpView = z.object({
  /** Where servers are written down, from ~ on. */
  file: z.string(),
  servers: z.array(McpServerView),
  /** What of the file could not be used, and why. */
  notes: z.array(z.string()),
})
export type McpView = z.infer<typeof McpView>
