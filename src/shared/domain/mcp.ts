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

const Texts = z.record(z.string().max(101), z.string().max(4096))

/** A server as it stands in the file. */
const McpEntry = z.union([
  z.object({
    command: z.string().min(1).max(4096),
    args: z.array(z.string().max(4096)).max(100),
    env: Texts,
  }),
  z.object({ url: z.string().min(1).max(4096), headers: Texts }),
])

/** A server as Settings saves it. */
export const McpServerInput = z.object({
  /** The name that it had; null: it is new. */
  was: z.string().max(60).nullable(),
  name: z.string().max(60),
  entry: McpEntry,
  /** Values that were entered now, by variable; they never stand in the file. */
  keys: z.record(z.string().regex(/^[A-Za-z_]\w{0,100}$/), z.string().min(1).max(10_000)),
})
export type McpServerInput = z.infer<typeof McpServerInput>

/** A server as Settings shows it. */
export const McpServerView = McpServerState.extend({
  name: z.string(),
  /** The command with its arguments, or the address: as in the file, variables by name. */
  target: z.string(),
  /** Names of the tools that agents are offered, as the server calls them. */
  tools: z.array(z.string()),
  entry: McpEntry,
  /** The variables that it names, and where their values come from. */
  keys: z.array(z.object({ name: z.string(), from: z.enum(['entered', 'environment', 'missing']) })),
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
