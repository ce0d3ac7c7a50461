import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { McpServerState } from '@shared/domain/mcp'
import type { NewAuditEvent } from '../audit/audit'
import { newId } from '../lib/ids'
import type { Log } from '../lib/log'
import { definitionDigest, type ServerDefinition } from './definitions'
import { httpTransport, type HttpDeps } from './http'
import { ENDED, serverEntry, whyFailed, type ServerDeed } from './record'
import { stdioTransport, type StdioDeps } from './stdio'
import { MAX_TOOLS, offeredTools, type ListedTool, type McpTool } from './tools'

export interface ServerDeps extends Omit<HttpDeps & StdioDeps, 'mark' | 'said' | 'ended'> {
  version: string
  /** Values of its variables that go before those of the environment. */
  keys?(): Record<string, string>
  now(): number
  log: Log
  /** Puts its starts, failures and ends on record. */
  record(event: NewAuditEvent): void
  /** Its state or its tools are not what they were. */
  changed(): void
}

/** One call of a tool, as the person allowed it. */
export interface McpCall {
  tool: string
  arguments: Record<string, unknown>
  timeoutMs: number
  signal: AbortSignal
}

/** What a server gave back, not yet looked at. */
export type McpAnswer = { content: readonly McpContent[]; structured: unknown; isError: boolean }
export type McpContent = { type: string } & Record<string, unknown>

/** Why a call has no answer. `sent` says whether the server may have carried it out. */
export type McpFailure = { cause: 'refused' | 'timed_out' | 'cancelled' | 'ended'; message: string }

export interface Server {
  definition: ServerDefinition
  digest: string
  state(): McpServerState
  tools(): readonly McpTool[]
  /**
   * Starts it when it is not there, and asks for its tools when they changed. Never throws: the state tells. The chat
   * that needs it goes on record; null: none does.
   */
  ensure(sessionId: string | null): Promise<void>
  /** Starts it again, however often that failed. */
  again(): Promise<void>
  call(call: McpCall): Promise<McpAnswer | McpFailure>
  /** `why` goes on record where it ran. */
  close(why: string): Promise<void>
}

interface Context {
  definition: ServerDefinition
  digest: string
  deps: ServerDeps
  client: Client | null
  state: McpServerState
  tools: readonly McpTool[]
  /** Its tools must be asked for before they are used again. */
  outdated: boolean
  starting: Promise<void> | null
  /** The chat that it was last started for. */
  sessionId: string | null
  starts: number[]
  stderr: string[]
  /** How its process ended. */
  ended: string
  closed: boolean
}

export function createServer(definition: ServerDefinition, deps: ServerDeps): Server {
  const context: Context = {
    definition,
    digest: definitionDigest(definition),
    deps,
    client: null,
    state: { status: 'idle', error: '', notes: [] },
    tools: [],
    outdated: true,
    starting: null,
    sessionId: null,
    starts: [],
    stderr: [],
    ended: '',
    closed: false,
  }
  return {
    definition,
    digest: context.digest,
    state: () => context.state,
    tools: () => context.tools,
    ensure: (sessionId) => ensure(context, sessionId),
    again() {
      context.starts = []
      return ensure(context, null)
    },
    call: (call) => carryOut(context, call),
    async close(why) {
      if (context.client !== null) noted(context, { action: 'mcp.ended', why })
      context.closed = true
      await end(context)
    },
  }
}

const START_MS = 15_000
/** So often it is started in a minute; then it is left alone until the minute is over or a person asks. */
const MAX_STARTS = 3
const MINUTE = 60_000
const MAX_PAGES = 10

function ensure(context: Context, sessionId: string | null): Promise<void> {
  context.starting ??= bring(context, sessionId).finally(() => {
    context.starting = null
  })
  return context.starting
}

async function bring(context: Context, sessionId: string | null): Promise<void> {
  if (context.closed || (context.client !== null && !context.outdated)) return
  try {
    if (context.client === null && !(await start(context, sessionId))) return
    await list(context)
  } catch (error) {
    await fail(context, error)
  }
}

/** False when it was started too often already. */
async function start(context: Context, sessionId: string | null): Promise<boolean> {
  const { deps, definition } = context
  const now = deps.now()
  context.starts = context.starts.filter((at) => now - at < MINUTE)
  if (context.starts.length >= MAX_STARTS) return false
  context.starts.push(now)
  context.stderr = []
  context.ended = ''
  context.sessionId = sessionId
  // Before anything begins: what can't be put on record isn't started.
  deps.record(serverEntry(definition, sessionId, { action: 'mcp.started' }))
  told(context, { status: 'starting', error: '', notes: [] })
  const client = new Client({ name: 'satchel', version: deps.version }, { capabilities: {} })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    context.outdated = true
  })
  Object.assign(client, {
    onclose: () => gone(context, client),
    onerror: (error: Error) =>
      deps.log.warn(`MCP server ${definition.name}`, { error: error.message.slice(0, 500) }),
  })
  context.client = client
  await client.connect(transportOf(context), { timeout: START_MS })
  return true
}

function transportOf(context: Context): Transport {
  const { definition, deps } = context
  const env = { ...deps.env, ...deps.keys?.() }
  if (definition.kind === 'http') return httpTransport(definition, { ...deps, env })
  return stdioTransport(definition, {
    ...deps,
    env,
    mark: newId('mcp'),
    ended(how) {
      context.ended = how
    },
    said(line) {
      if (context.stderr.push(line) > MAX_STDERR) context.stderr.shift()
      deps.log.info(`MCP server ${definition.name} says`, { line })
    },
  })
}

const MAX_STDERR = 20

/** It ended by itself, or its connection broke. */
function gone(context: Context, client: Client): void {
  if (context.client !== client) return
  context.client = null
  context.outdated = true
  context.tools = []
  if (context.state.status === 'ready') {
    const error = new Error(ENDED)
    noted(context, { action: 'mcp.failed', why: whyFailed(error) })
    told(context, { status: 'failed', error: reason(context, error), notes: [] })
  }
}

async function list(context: Context): Promise<void> {
  const { client, definition, digest } = context
  if (client === null) throw new Error(ENDED)
  context.outdated = false
  const listed: ListedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && listed.length <= MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
      timeout: START_MS,
    })
    listed.push(...answer.tools)
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  const { tools, notes } = offeredTools({ name: definition.name, digest }, listed)
  context.tools = tools
  told(context, { status: 'ready', error: '', notes })
}

async function carryOut(context: Context, call: McpCall): Promise<McpAnswer | McpFailure> {
  const { client } = context
  if (client === null) return { cause: 'refused', message: 'The server is not running.' }
  const { tool: name, timeoutMs: timeout, signal } = call
  try {
    const answer = await client.request(
      { method: 'tools/call', params: { name, arguments: call.arguments } },
      CallToolResultSchema,
      { timeout, signal },
    )
    return {
      content: answer.content,
      structured: answer.structuredContent ?? null,
      isError: answer.isError === true,
    }
  } catch (error) {
    const cause = causeOf(error, signal)
    if (cause === 'ended' && context.client === client) await fail(context, error)
    return { cause, message: error instanceof Error ? error.message.slice(0, 1000) : '' }
  }
}

function causeOf(error: unknown, signal: AbortSignal): McpFailure['cause'] {
  if (signal.aborted) return 'cancelled'
  if (!(error instanceof McpError)) return 'ended'
  const code: ErrorCode = error.code
  if (code === ErrorCode.RequestTimeout) return 'timed_out'
  return code === ErrorCode.ConnectionClosed ? 'ended' : 'refused'
}

async function end(context: Context): Promise<void> {
  const { client } = context
  context.client = null
  context.outdated = true
  context.tools = []
  await client?.close()
}

async function fail(context: Context, error: unknown): Promise<void> {
  if (!context.closed) noted(context, { action: 'mcp.failed', why: whyFailed(error) })
  await end(context)
  told(context, { status: 'failed', error: reason(context, error), notes: [] })
}

/** What happened can't be taken back when it can't be put on record. */
function noted({ definition, deps, sessionId }: Context, deed: ServerDeed): void {
  try {
    deps.record(serverEntry(definition, sessionId, deed))
  } catch (error) {
    deps.log.error(`what became of MCP server ${definition.name} is not on record`, error)
  }
}

function told(context: Context, state: McpServerState): void {
  if (context.closed) return
  context.state = state
  context.deps.changed()
}

/** A sentence, and what the server said last: often that is the whole reason. */
function reason(context: Context, error: unknown): string {
  return [whatFailed(context, error), ...context.stderr.slice(-5)].join('\n').slice(0, 2000)
}

function whatFailed({ definition, ended, stderr }: Context, error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  if (code === 'ENOENT') return 'The program was not found. Look at "command" in the file.'
  const isClosed = error instanceof McpError && code === ErrorCode.ConnectionClosed
  const said = error instanceof Error ? error.message : String(error)
  if (!isClosed && said !== ENDED) return said
  if (definition.kind === 'http') return 'It closed the connection before it answered.'
  const last = stderr.length === 0 ? '' : ' It said last:'
  return `It ended by itself${ended === '' ? '' : `, with ${ended}`}.${last}`
}
