import { ZodError } from 'zod'
import { isAllowed } from '@shared/domain/approval'
import type { FileChange } from '@shared/domain/file-change'
import type { CallState, Envelope } from '@shared/domain/session'
import { getCall, updateCall, type CallRow } from '../../db/call-rows'
import type { SessionRow } from '../../db/session-rows'
import { AppError, isNoSpace } from '@shared/errors'
import { faultPoint } from '../../lib/fault-point'
import type { ToolSpec } from '../../llm/types'
import { withoutSecrets } from '../../lib/redact'
import { wellFormedJson } from '../../lib/well-formed'
import { refusalOf } from '../gate/call-gate'
import { nextCall } from '../instructions/compose'
import type { ComposeDeps, SessionDeps } from '../deps'
import { withEditNote } from '../requests/edited-call'
import { failed, failedBy } from './envelope'
import { onlyLooks } from './looking'
import { coreCallOf, styledTool } from '../styles/styled-call'
import { agentTool } from '../tools/agent'
import { bashTool } from '../tools/bash'
import { editFileTool } from '../tools/edit-file'
import { globTool } from '../tools/glob'
import { grepTool } from '../tools/grep'
import { listTool } from '../tools/list'
import { loadTool } from '../tools/load'
import { mcpSpecs, mcpTool } from '../tools/mcp'
import { postHooksTool } from '../tools/post-hooks'
import { proposeTool } from '../tools/propose'
import { readTool } from '../tools/read'
import { readFileTool } from '../tools/read-file'
import { runScriptTool } from '../tools/run-script'
import { describeIssue, type Tool, type ToolOutcome } from '../tools/tool'
import { unloadTool } from '../tools/unload'
import { writeFileTool } from '../tools/write-file'

/** Every tool there is, in the order in which the model sees them. */
export const TOOLS: readonly Tool[] = [
  listTool,
  loadTool,
  unloadTool,
  readTool,
  runScriptTool,
  proposeTool,
  readFileTool,
  globTool,
  grepTool,
  editFileTool,
  writeFileTool,
  bashTool,
  agentTool,
]

/** What a model may be offered: every tool of the core, and those of the MCP servers. */
export function coreSpecs({ mcp }: Pick<ComposeDeps, 'mcp'>): ToolSpec[] {
  return [...TOOLS.map((tool) => tool.spec), ...mcpSpecs(mcp.tools())]
}

/** The tool of that name, as the core knows it; `MultiEdit` is another name of `Edit`. */
export function coreTool(name: string): Tool | undefined {
  if (name.startsWith('mcp__')) return mcpTool(name)
  const known = name === 'MultiEdit' ? 'Edit' : name
  return [...TOOLS, postHooksTool].find((tool) => tool.spec.name === known)
}

const OPEN = new Set<CallState>(['ready', 'awaiting_approval', 'running'])

export function isOpen(call: CallRow): boolean {
  return OPEN.has(call.state)
}

/**
 * Carries out one open call as far as it goes. Returns `waiting` when a person must decide first. Its result, the
 * rows it causes and their audit entries are one durable transaction.
 */
export async function stepCall(
  deps: SessionDeps,
  session: SessionRow,
  call: CallRow,
  signal: AbortSignal,
): Promise<'settled' | 'waiting'> {
  if (deps.live.unsaved.has(call.id)) return saveHeld(deps, call)
  const started: CallRow = { ...call, startedAt: call.startedAt ?? deps.now() }
  const began = performance.now()
  faultPoint('tool.before-work')
  const outcome = await runTool(deps, session, started, signal)
  faultPoint('tool.after-work')
  if (outcome.kind === 'waiting') return 'waiting'
  const envelope = { ...outcome.envelope, duration_ms: Math.round(performance.now() - began) }
  const { state, record, change } = outcome
  settleCall(deps, started, { envelope, state, record, change })
  return 'settled'
}

interface Settlement {
  envelope: Envelope
  state?: CallState | undefined
  record?: (() => void) | undefined
  change?: FileChange | undefined
}

/** Ends a call with its result, and tells the page. A request that it still has ends with it. */
export function settleCall(deps: SessionDeps, call: CallRow, settlement: Settlement): CallRow {
  // Whatever a tool found: a script may have left a secret in a file, in a name, or with a server (AP-7).
  const secrets = deps.secrets.held()
  const envelope = withoutSecrets(secrets, wellFormedJson(settlement.envelope))
  const { change } = settlement
  // The row may know more by now: the request that was opened, the run that was started.
  const known = getCall(deps.db.sql, call.id) ?? call
  const settled: CallRow = {
    ...known,
    startedAt: known.startedAt ?? call.startedAt,
    state: settlement.state ?? stateOf(envelope),
    envelope: withEditNote(known, envelope),
    endedAt: deps.now(),
    ...(change ? { change: { ...change, diff: withoutSecrets(secrets, change.diff) } } : {}),
  }
  const rows = () => {
    updateCall(deps.db.sql, settled)
    settlement.record?.()
    endRequest(deps, settled)
  }
  // What was only looked up can be looked up again: nobody waits for the disk (ADR 0022).
  const isLight = settlement.record === undefined && onlyLooks(call.name)
  const write = () => (isLight ? deps.db.soon(rows) : deps.db.durable(rows))
  try {
    write()
  } catch (error) {
    if (isNoSpace(error)) hold(deps, settled, write)
    throw error
  }
  faultPoint('tool.after-save')
  deps.live.emit(call.sessionId, { t: 'call', call: settled })
  return settled
}

/** The page sees the end at once; the row gets its result as soon as the disk takes it. */
function hold({ db, live }: SessionDeps, settled: CallRow, write: () => void): void {
  const { id, sessionId } = settled
  const shown: CallRow = { ...settled, state: 'interrupted', envelope: NOT_SAVED }
  live.unsaved.set(id, shown)
  live.emit(sessionId, { t: 'call', call: shown })
  live.held.hold(id, () => {
    const before = getCall(db.sql, id)
    if (before && isOpen(before)) write()
    live.unsaved.delete(id)
    const now = getCall(db.sql, id)
    if (now) live.emit(sessionId, { t: 'call', call: now })
  })
}

const NOT_SAVED = failed(
  'interrupted',
  'This step has ended, but its result could not be saved: the disk is full. It is saved when there is space again.',
)

/** A call that has ended is never carried out again. Throws `disk_full` while its end can't be saved. */
function saveHeld({ live }: SessionDeps, call: CallRow): 'settled' {
  live.held.retry()
  if (!live.unsaved.has(call.id)) return 'settled'
  throw new AppError('disk_full', 'The disk is full. Free some space, then try again.')
}

function stateOf(envelope: Envelope): CallState {
  if (envelope.success) return 'done'
  return envelope.error_code === 'cancelled' ? 'cancelled' : 'failed'
}

/** No request outlives its call, waiting or allowed but never used: nothing could come of it any more. */
function endRequest({ broker }: SessionDeps, { requestId, state, envelope }: CallRow): void {
  const request = requestId === null ? null : broker.get(requestId)
  const isLive =
    request && (request.status === 'pending' || (isAllowed(request.status) && request.usedAt === null))
  if (!isLive) return
  if (state === 'cancelled') broker.cancel(request)
  else broker.stale(request, envelope?.error ?? 'the step that asked has ended')
}

async function runTool(
  deps: SessionDeps,
  session: SessionRow,
  call: CallRow,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const core = coreTool(call.name)
  const tool = core ?? styledTool(call.name, TOOLS)
  if (!tool) return { kind: 'result', envelope: await noSuchTool(deps, session, call.name) }
  const raw = call.input['__unreadable__']
  if (raw !== undefined) return { kind: 'result', envelope: failed('bad_input', unreadable(raw)) }
  try {
    const refusal = await refusalOf(deps, session, call)
    if (refusal !== null) return { kind: 'result', envelope: failed('tool_not_allowed', refusal) }
    const input = core ? (coreCallOf({ deps, session }, call)?.input ?? call.input) : call.input
    return await tool.run({ deps, session, call, signal }, input)
  } catch (error) {
    return { kind: 'result', envelope: envelopeOf(deps, call, error) }
  }
}

function unreadable(raw: unknown): string {
  const what = typeof raw === 'string' && isJson(raw) ? 'are no JSON object' : 'were cut off or are not JSON'
  return `The arguments ${what}. Nothing was done. Call again with complete arguments.`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // which is the answer
  }
}

async function noSuchTool(deps: SessionDeps, session: SessionRow, name: string): Promise<Envelope> {
  const { tools } = await nextCall(deps, session)
  const offered = tools(coreSpecs(deps), true)
  const names = offered.map((tool) => tool.name).join(', ')
  return failed('not_found', `There is no tool "${name}". There are: ${names}.`)
}

function envelopeOf(deps: SessionDeps, call: CallRow, error: unknown): Envelope {
  if (error instanceof ZodError) return failed('bad_input', describeIssue(error, call.input))
  if (error instanceof AppError) return failedBy(error)
  deps.log.error(`tool ${call.name} failed`, error)
  return failedBy(error)
}
