import { OFFER_AT } from '@shared/context-fullness'
import { AppError } from '@shared/errors'
import { allMessages, insertMessage, listMessages, type MessageRow } from '../../db/message-rows'
import { takeSeq, type SessionRow } from '../../db/session-rows'
import { newId } from '../../lib/ids'
import type { LlmError } from '../../llm/types'
import { compact } from './compaction'
import { keptUpTo, planCompaction } from './compaction-plan'
import { chatRows, composeCall, type ChatRows, type ComposedCall } from '../instructions/compose-call'
import type { SessionDeps } from '../deps'
import { compactionIn, type CompactionPart } from './history'
import { bodyCalls, totalTokens } from '../context/measure'

/**
 * Summaries and branches (R20, ADR 0023): a summary stands behind the messages that it is of, so a branch that begins
 * before it would send all of them again.
 */

/** A call that is ready to be made; or why it can't be. */
export interface Fitted {
  rows: ChatRows
  composed: ComposedCall
  refusal: Pick<LlmError, 'code' | 'message' | 'action'> | null
}

/**
 * A summary of another branch that is of nothing but messages of this one counts here too. Called where a branch
 * begins, behind what is said in it.
 */
export function carrySummary(deps: Pick<SessionDeps, 'db'>, session: SessionRow): void {
  const { sql } = deps.db
  const rows = chatRows(deps, session.id)
  const found = reusable(allMessages(sql, session.id), rows.messages)
  if (!found) return
  const kept = keptUpTo(rows, bodyCalls(session, rows.calls), found.part.upTo)
  insertMessage(sql, {
    ...found.message,
    id: newId('msg'),
    seq: takeSeq(sql, session.id),
    parts: [{ ...found.part, kept }],
    // Asked for once, paid once.
    usage: null,
  })
}

/**
 * Composes the next call. A branch that was left out of the chat's summaries and does not fit into the window gets one
 * of its own first. Null: stopped meanwhile.
 */
export async function composeToFit(
  deps: SessionDeps,
  session: SessionRow,
  signal: AbortSignal,
): Promise<Fitted | null> {
  const now = await compose(deps, session)
  if (!needsSummary(deps, session, now)) return now
  try {
    await compact(deps, session, signal)
  } catch (error) {
    if (signal.aborted) return null
    if (!(error instanceof AppError)) throw error
    return { ...now, refusal: refusalFor(error) }
  }
  return await compose(deps, session)
}

async function compose(deps: SessionDeps, session: SessionRow): Promise<Fitted> {
  const rows = chatRows(deps, session.id)
  return { rows, composed: await composeCall(deps, session, rows), refusal: null }
}

/** Elsewhere a full window is for the person to decide on (`ux.md` 3.1); here they decided before. */
function needsSummary(deps: SessionDeps, session: SessionRow, { rows, composed }: Fitted): boolean {
  const window = deps.llm.contextWindow(session.model)
  if (totalTokens(composed.parts) < window * OFFER_AT) return false
  const [all, here] = [allMessages(deps.db.sql, session.id), listMessages(deps.db.sql, session.id)]
  if (all.length === here.length) return false
  const shown = new Set(here.map(({ id }) => id))
  const elsewhere = all.some((message) => !shown.has(message.id) && summaryOf(message) !== null)
  return elsewhere && planCompaction(rows, { bodies: bodyCalls(session, rows.calls), window }) !== null
}

function refusalFor({ message }: AppError): Fitted['refusal'] {
  return {
    code: 'context_length',
    message: `This branch is too long for the model, and it could not be summarised. ${message}`,
    action: 'Summarise it and try again, or switch to a model with a larger window.',
  }
}

interface Summary {
  message: MessageRow
  part: CompactionPart
}

/** The one that reaches furthest, and further than what the branch has; never over what waits for an answer. */
function reusable(all: readonly MessageRow[], branch: readonly MessageRow[]): Summary | null {
  const reached = compactionIn(branch)?.part.upTo ?? 0
  const last = branch.findLast(({ role, status }) => role !== 'note' && status !== 'queued')?.seq ?? 0
  const places = new Set(branch.map(({ seq }) => seq))
  const fits = ({ part: { upTo } }: Summary) => upTo > reached && upTo < last && places.has(upTo)
  return (
    all
      .flatMap((message) => {
        const part = summaryOf(message)
        return part ? [{ message, part }] : []
      })
      .filter(fits)
      .toSorted((a, b) => a.part.upTo - b.part.upTo)
      .at(-1) ?? null
  )
}

function summaryOf({ parts, status }: MessageRow): CompactionPart | null {
  const part = status === 'done' ? parts.find(({ type }) => type === 'compaction') : undefined
  return part?.type === 'compaction' ? part : null
}
