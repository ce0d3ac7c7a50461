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
