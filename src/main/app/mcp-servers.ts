import type { AppEvent } from '@shared/events'
import type { AppDeps } from './deps'
import type { Audit } from '../audit/audit'
import type { Db } from '../db/open'
import type { Emitter } from '../lib/emitter'
import { createNetworkFetch } from '../llm/network-fetch'
import { createMcpKeys, type McpKeys } from '../mcp/keys'
import { createMcp, type Mcp } from '../mcp/servers'
import { killRuns } from '../runs/process-tree'
import type { SettingsStore } from '../settings/settings'

interface Base {
  deps: AppDeps
  db: Db
  audit: Audit
  events: Emitter<AppEvent>
  settings: Pick<SettingsStore, 'get'>
}

/** Servers of the person's own settings; what they start carries a mark like a run's, by which it is ended. */
export function createMcpServers({ deps, db, audit, events, settings }: Base): {
  mcp: Mcp
  mcpKeys: McpKeys
} {
  const mcpKeys = createMcpKeys({ db, secrets: deps.secrets })
  const mcp = createMcp({
    homeDir: deps.homeDir,
    env: deps.env,
    fetch: createNetworkFetch({ fetch: deps.fetch, env: deps.env, choices: settings.get }),
    off: () => settings.get().mcpOff,
    keysOf: mcpKeys.of,
    endMarked: (mark) => killRuns(new Set([mark])),
    changed: () => events.emit({ t: 'mcp.changed' }),
    notice: (message) => events.emit({ t: 'notice', level: 'warning', message }),
    version: deps.version,
    now: deps.now,
    record: audit.append,
    log: deps.log,
  })
  return { mcp, mcpKeys }
}
