import { setImmediate } from 'node:timers/promises'
import type { MessageRow } from '../../db/message-rows'
import { lastAnswerCall } from '../../db/model-call-rows'
import type { SessionRow } from '../../db/session-rows'
import type { ChatRows } from '../instructions/compose-call'
import type { SessionDeps } from '../deps'
import { toHistory } from '../history/history'
import { totalTokens } from './measure'
import { byName, isCounted, measureSaid, type Meter } from './meter'
import { asSeen } from '../styles/model-view'

/** Counting the tokens of so many messages keeps nobody waiting. */
const SHORT = 500
/** The last call must have been made so near to the end: then it says what the next one holds. */
const NEAR = 20
/** Messages that are counted in one go, a millisecond or two. */
const STEP = 50

/** By the first message: rows that are read anew are counted anew. */
const counted = new WeakMap<MessageRow, 'under way' | 'done'>()

/**
 * The meter of a long chat that was just opened, as its last call had it, so that the end of the chat is seen before
 * all of it is counted (`performance.md` G6.5); null: it can be counted at once. Counts it in small steps meanwhile,
 * then calls `tell`.
 */
export function keptMeter(
  deps: Pick<SessionDeps, 'db' | 'llm'>,
  session: SessionRow,
  rows: ChatRows,
  tell: () => void,
): Meter | null {
  const { messages } = rows
  const [first] = messages
  if (!first || messages.length <= SHORT || counted.get(first) === 'done') return null
  const meter = meterOfLast(deps, session, messages)
  if (meter !== null && !counted.has(first)) {
    counted.set(first, 'under way')
    void count(rows, first).then(tell)
  }
  return meter
}

/** What the last call said, where it was made near the end; `messages` may be the end of the chat alone. */
export function meterOfLast(
  deps: Pick<SessionDeps, 'db' | 'llm'>,
  session: SessionRow,
  messages: readonly MessageRow[],
): Meter | null {
  const last = lastAnswerCall(deps.db.sql, session.id)
  const at = messages.findLastIndex(({ id }) => id === last?.messageId)
  const since = messages.slice(at)
  if (!last || since.length > NEAR || since.some(isSummary)) return null
  const { usage, parts } = last
  return {
    ...byName(parts),
    used: isCounted(last.model, usage) ? usage.inputTokens + usage.outputTokens : totalTokens(parts),
    counted: false,
    window: deps.llm.contextWindow(session.model),
  }
}

/** From the beginning on: what was counted of the start of a chat is gone on with. */
async function count({ messages, calls }: ChatRows, first: MessageRow): Promise<void> {
  for (let to = STEP; to < messages.length; to += STEP) {
    await setImmediate()
    measureSaid(asSeen(toHistory(messages.slice(0, to), calls)))
  }
  counted.set(first, 'done')
}

function isSummary({ parts }: MessageRow): boolean {
  return parts.some(({ type }) => type === 'compaction')
}
