import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { NewAuditEvent } from '../audit/audit'
import { definitionDigest, type ServerDefinition } from './definitions'

/** What became of a server; `why` is a constant text, or the number of an HTTP answer. */
export type ServerDeed = { action: 'mcp.started' } | { action: 'mcp.failed' | 'mcp.ended'; why: string }

/**
 * The entry of a start, a failure or an end. What a server said and the arguments, variables, headers, path and query of its
 * definition are left out: any of them may hold a key, and the digest names them all the same.
 */
export function serverEntry(
  definition: ServerDefinition,
  sessionId: string | null,
  { action, ...more }: ServerDeed,
): NewAuditEvent {
  const data = { digest: definitionDigest(definition), ...placeOf(definition), ...more }
  return { actor: 'app', action, sessionId, target: definition.name, data }
}

function placeOf(definition: ServerDefinition): { program: string } | { url: string } {
  if (definition.kind === 'stdio') return { program: definition.command }
  return { url: new URL(definition.url).origin }
}

/** Why a server can't be used, in words that none of its own are among. */
export function whyFailed(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 'ENOENT') return 'the program was not found'
  if (code === 'EACCES') return 'the program may not be started'
  if (error instanceof McpError) return ofProtocol(error)
  if (typeof code === 'number' && code >= 100 && code < 600) return `HTTP ${code}`
  if (typeof message === 'string' && /^The variable [A-Za-z_]\w* is not set /.test(message))
    return 'a variable is not set'
  return message === ENDED ? 'it ended by itself' : 'it could not be reached'
}

/** Of an error that stands for the end of a server. */
export const ENDED = 'It ended by itself.'

function ofProtocol({ code }: McpError): string {
  if (code === (ErrorCode.RequestTimeout as number)) return 'it did not answer in time'
  return code === (ErrorCode.ConnectionClosed as number) ? 'it ended by itself' : 'it answered with an error'
}
