import type { Settings } from '@shared/domain/settings'
import { createNetworkFetch } from '../main/llm/network-fetch'
import { createMcp } from '../main/mcp/servers'
import type { Mcp } from '../main/mcp/servers'
import { killRuns } from '../main/runs/process-tree'
import { versionOf } from './version'
import type { World } from './world'

/** The MCP servers of the person's own file, started as a chat would start them; `notes`: what can't be used, and why. */
export interface McpHere {
  mcp: Mcp
  notes: readonly string[]
}

/** `close` of the servers must be called: what they started ends with it. */
export async function openMcpHere(world: World, settings: Settings): Promise<McpHere> {
  const { env, homeDir, now } = world
  const notes: string[] = []
  const mcp = createMcp({
    homeDir,
    env,
    fetch: createNetworkFetch({ fetch: globalThis.fetch, env, choices: () => settings }),
    off: () => settings.mcpOff,
    endMarked: (mark) => killRuns(new Set([mark])),
    changed: () => undefined,
    notice: (message) => void notes.push(message),
    version: versionOf(world),
    now,
    log: { info() {}, warn() {}, error() {} },
  })
  await mcp.ready()
  return { mcp, notes }
}
