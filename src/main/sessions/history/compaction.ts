import { AppError } from '@shared/errors'
import { insertMessage, publicMessage, type MessageRow } from '../../db/message-rows'
import { takeSeq, updateSession, type SessionRow } from '../../db/session-rows'
import { newId } from '../../lib/ids'
import { wellFormed } from '../../lib/well-formed'
import { SUMMARISE } from '../../llm/summarise'
import type { LlmError, LlmRequest, ModelUsage, UsedByFailed } from '../../llm/types'
import { endCall, keepCall, type KeptCall } from '../context/call-record'
import { chatText, planCompaction, tokensOf, type CompactionPlan } from './compaction-plan'
import { chatRows } from '../instructions/compose-call'
import type { SessionDeps } from '../deps'
import { bodyCalls, measure, partTokens, totalTokens } from '../context/measure'
import { overLimit } from '../turn/spending-limit'

const MAX_OUTPUT_TOKENS = 4096
/** Of the window, for the chat that is summarised: estimates may be a tenth too low, and the answer needs room. */
const INPUT_SHARE = 0.7

/**
 * Has the model summarise older messages into a new one (R20). Everything said stays; only what is sent changes, from the
 * next call on. A summary that fails changes nothing. Throws `not_ready` (nothing to summarise), `provider`, `cancelled`.
 */
export async function compact(deps: SessionDeps, session: SessionRow, signal: AbortSignal): Promise<void> {
  const { id: sessionId } = session
  const rows = chatRows(deps, sessionId)
  const window = deps.llm.contextWindow(session.model)
  const plan = planCompaction(rows, { bodies: bodyCalls(session, rows.calls), window })
  if (!plan) throw new AppError('not_ready', NOTHING)
  const refusal = overLimit(deps, session)
  if (refusal) throw failure(refusal)
  const text = chatText(plan, rows.calls, window * INPUT_SHARE)
  const messageId = newId('msg')
  const kept = keepSummary(deps, session, { messageId, text })
  const answer = await summarise(deps, kept, { session, text, signal })
  const row = rowOf(deps, session, { id: messageId, plan, answer })
  const part = row.parts[0]
  const isShorter = part?.type === 'compaction' && part.after < part.before
  const saved = deps.db.durable(() => {
    endCall(deps, kept, isShorter ? 'answered' : 'failed', answer.usage)
    return isShorter ? save(deps, row) : null
  })
  if (!saved) throw failure({ message: 'The summary was no shorter than the messages.', action: '' })
  deps.live.emit(sessionId, { t: 'message', message: publicMessage(saved) })
}

const NOTHING = 'There is nothing to summarise yet: the last messages always stay as they are.'

interface Answer {
  text: string
  usage: ModelUsage
}

/** The model's summary. What it calls is not looked at. */
async function summarise(
  deps: SessionDeps,
  kept: KeptCall,
  { session, text, signal }: { session: SessionRow; text: string; signal: AbortSignal },
): Promise<Answer> {
  const request: LlmRequest = {
    model: session.model,
    instructions: [SUMMARISE],
    history: [{ role: 'user', text }],
    tools: [],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
    onRetry: () => void (kept.retries += 1),
  }
  let said = ''
  for await (const event of deps.llm.stream(request)) {
    if (event.type === 'text') said += event.text
    else if (event.type === 'error') throw ended(deps, kept, event.error, event.used)
    else if (event.type === 'stopped') throw stopped(deps, kept, event.used)
    else if (event.type === 'done') {
      if (said.trim() === '' || event.cut) throw ended(deps, kept, UNFINISHED, event.usage)
      return { text: wellFormed(said.trim()), usage: event.usage }
    }
  }
  throw ended(deps, kept, UNFINISHED, { inputTokens: null, outputTokens: 0, estimated: true })
}

const UNFINISHED = {
  message: 'The model gave no whole summary.',
  action: 'Try again, or with another model.',
}

function keepSummary(
  deps: SessionDeps,
  { id: sessionId, model }: SessionRow,
  { messageId, text }: { messageId: string; text: string },
): KeptCall {
  const blocks = [{ part: 'summary' as const, text: SUMMARISE }]
  const messages = [measure({ role: 'user', content: [{ type: 'text', text }] })]
  const tokens = partTokens({ parts: [], listInTool: 0, tools: [], messages, bodies: new Set() })
  const parts = { ...tokens, summary: measure({ role: 'system', content: SUMMARISE }).tokens }
  const call = { sessionId, kind: 'summary' as const, messageId, model, blocks, tools: [], messages, parts }
  const catalogue = { entries: 0, omitted: 0, descriptions: 'full' as const, shown: [], left: [], more: 0 }
  return deps.db.tx(() => keepCall(deps, { ...call, catalogue, meter: totalTokens(parts) }))
}

function rowOf(
  deps: SessionDeps,
  { id: sessionId, model }: SessionRow,
  { id, plan, answer }: { id: string; plan: CompactionPlan; answer: Answer },
): MessageRow {
  const { upTo, kept, before } = plan
  const row: MessageRow = {
    id,
    sessionId,
    seq: 0,
    role: 'note',
    status: 'done',
    parts: [{ type: 'compaction', text: answer.text, upTo, kept, before, after: 0 }],
    usage: answer.usage,
    model,
    createdAt: deps.now(),
    providerMessages: null,
  }
  const part = {
    type: 'compaction' as const,
    text: answer.text,
    upTo,
    kept,
    before,
    after: tokensOf([row], []),
  }
  return { ...row, parts: [part] }
}

function save(deps: SessionDeps, row: MessageRow): MessageRow {
  const saved = { ...row, seq: takeSeq(deps.db.sql, row.sessionId) }
  insertMessage(deps.db.sql, saved)
  updateSession(deps.db.sql, row.sessionId, { updatedAt: deps.now() })
  return saved
}

function ended(deps: SessionDeps, kept: KeptCall, error: Told, used?: ModelUsage | UsedByFailed): AppError {
  deps.db.tx(() => endCall(deps, kept, 'failed', used))
  return failure(error)
}

function stopped(deps: SessionDeps, kept: KeptCall, used: UsedByFailed | undefined): AppError {
  deps.db.tx(() => endCall(deps, kept, 'stopped', used))
  return new AppError('cancelled', 'Summarising was stopped. Nothing was changed.')
}

type Told = Pick<LlmError, 'message' | 'action'>

function failure({ message, action }: Told): AppError {
  return new AppError(
    'provider',
    `Nothing was summarised and nothing was changed. ${message} ${action}`.trim(),
  )
}
