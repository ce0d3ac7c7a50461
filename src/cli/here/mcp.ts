import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '@shared/domain/settings'
import type { Audit } from '../../main/audit/audit'
import { openDb, type Db } from '../../main/db/open'
import { createNetworkFetch } from '../../main/llm/network-fetch'
import { createMcp } from '../../main/mcp/servers'
import type { Mcp } from '../../main/mcp/servers'
import { killRuns } from '../../main/runs/process-tree'
import { recordHere } from './record'
import { versionOf } from '../version'
import type { World } from '../world'

/** The MCP servers of the person's own file, started as a chat would start them; `notes`: what can't be used, and why. */
export interface McpHere {
  mcp: Mcp
  notes: readonly string[]
}

/** For whom they are started: the chat, where there is one, and the data whose record says so; null: there is none. */
export interface McpFor {
  settings: Settings
  dataDir: string | null
  sessionId: string | null
}

/** `close` of the servers must be called: what they started ends with it. */
export async function openMcpHere(world: World, { settings, dataDir, sessionId }: McpFor): Promise<McpHere> {
  const { env, homeDir, now } = world
  const notes: string[] = []
  const file = dataDir === null ? null : join(dataDir, 'satchel.db')
  // Written only where a server is started at all.
  let db: Db | null = null
  let audit: Audit | null = null
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
    record(event) {
      if (file === null || !existsSync(file)) return
      db ??= openDb(file)
      audit ??= recordHere(db, now)
      audit.append(event)
    },
    log: { info() {}, warn() {}, error() {} },
  })
  await mcp.ready(sessionId)
  const close = async (): Promise<void> => {
    await mcp.close()
    db?.close()
  }
  return { mcp: { ...mcp, close }, notes }
}
