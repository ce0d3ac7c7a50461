import type { McpServerInput, McpView } from '@shared/domain/mcp'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import type { AppDeps } from '../app/deps'
import type { Audit } from '../audit/audit'
import { definitionDigest, readServersFile, type ServerDefinition } from '../mcp/definitions'
import { removeServer, saveServer } from '../mcp/edit-file'
import type { McpKeys } from '../mcp/keys'
import type { Mcp } from '../mcp/servers'

export interface McpParts {
  deps: Pick<AppDeps, 'homeDir'>
  mcp: Mcp
  mcpKeys: McpKeys
  audit: Audit
}

type McpHandlers = Pick<Handlers<AppContract>, Extract<keyof AppContract, `mcp.${string}`>>

/** MCP servers as Settings changes them: the file keeps what they are, the keyring their keys. */
export function mcpHandlers(parts: McpParts): McpHandlers {
  const { mcp } = parts
  return {
    'mcp.list': () => mcp.view(),
    'mcp.again': async ({ name }) => {
      await mcp.again(name)
      return {}
    },
    'mcp.save': (input) => save(parts, input),
    'mcp.remove': ({ name }) => remove(parts, name),
  }
}

function save(parts: McpParts, { was, name, entry, keys }: McpServerInput): McpView {
  const { deps, mcp, mcpKeys } = parts
  const before = was === null ? undefined : defined(parts, was)
  const definition = saveServer(deps.homeDir, { was, name, entry })
  // Under another name the keys of the same program or address go along.
  const known = before && before.name !== name ? mcpKeys.of({ ...definition, name: before.name }) : {}
  mcpKeys.set(definition, { ...known, ...keys })
  if (was !== null && was !== name) mcpKeys.remove(was)
  note(parts, name, { before, after: definition })
  mcp.drop(name)
  return mcp.view()
}

function remove(parts: McpParts, name: string): McpView {
  const before = defined(parts, name)
  removeServer(parts.deps.homeDir, name)
  parts.mcpKeys.remove(name)
  note(parts, name, { before, after: undefined })
  return parts.mcp.view()
}

function defined({ deps }: McpParts, name: string): ServerDefinition | undefined {
  return readServersFile(deps.homeDir).servers.find((server) => server.name === name)
}

/** What servers there are is on record, without their keys. */
function note(
  { audit }: McpParts,
  name: string,
  { before, after }: Record<'before' | 'after', ServerDefinition | undefined>,
): void {
  const digest = (definition: ServerDefinition | undefined) =>
    definition ? definitionDigest(definition) : null
  audit.append({
    actor: 'person',
    action: 'settings.changed',
    sessionId: null,
    target: `mcp ${name}`,
    data: { before: digest(before), after: digest(after) },
  })
}
