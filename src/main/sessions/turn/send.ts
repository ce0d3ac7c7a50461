import { AppError } from '@shared/errors'
import {
  insertMessage,
  listMessages,
  publicMessage,
  removeQueued,
  type MessageRow,
} from '../../db/message-rows'
import { takeSeq, updateSession } from '../../db/session-rows'
import { faultPoint } from '../../lib/fault-point'
import { newId } from '../../lib/ids'
import { cutText, wellFormed } from '../../lib/well-formed'
import { branchAtMessage } from '../history/branches'
import type { SessionDeps } from '../deps'
import { snapshotOf } from '../history/detail'
import { invokeSkills, tellInvoked } from './invoke'
import { need } from './turn'
import type { Turns } from './turns'

/** What a person's words need; who may speak in the chat is for the caller to say. */
interface Sending extends SessionDeps {
  turns: Pick<Turns, 'start'>
}

/** Sends now, or queues for after the current step. Throws `bad_input` for an empty text. */
export function sendMessage(
  context: Sending,
  sessionId: string,
  text: string,
): { messageId: string; queued: boolean } {
  const session = need(context, sessionId)
  if (session.state === 'awaiting_approval') context.owner.refuseWaiting()
  const earlier = listMessages(context.db.sql, sessionId)
  // What a stop or a crash left in the queue was said before this.
  const followsQueue = earlier.some((message) => message.status === 'queued')
  const queued = followsQueue || context.inTurn.has(sessionId) || session.state === 'awaiting_approval'
  const first = !earlier.some((message) => message.role === 'user')
  const sent = context.db.soon(() => {
    const row = messageOf(context, { sessionId, text, status: queued ? 'queued' : 'done' })
    faultPoint('send.before-save')
    insertMessage(context.db.sql, row)
    const title = first && session.title === 'New chat' ? { title: titleOf(text) } : {}
    updateSession(context.db.sql, sessionId, { ...title, draft: '', updatedAt: context.now() })
    // One that waits names its skills when its turn comes: they may be others by then.
    return queued ? { message: row, calls: [], note: null } : invokeSkills(context, session, row)
  })
  const { message } = sent
  faultPoint('send.after-save')
  tellInvoked(context, sent)
  context.live.emit(sessionId, { t: 'message', message: publicMessage(message) })
  context.emit({ t: 'sessions.changed' })
  if (session.state !== 'awaiting_approval' || context.owner.isTakenOver(sessionId)) {
    context.turns.start(sessionId)
  }
  return { messageId: message.id, queued }
}

/** Takes a message out of the queue. Throws `not_found` when it waits no more. */
export function unqueueMessage(context: Sending, sessionId: string, messageId: string): void {
  need(context, sessionId)
  const removed = context.db.durable(() => removeQueued(context.db.sql, sessionId, messageId))
  if (!removed) throw new AppError('not_found', 'This message does not wait any more: the agent has it.')
  context.live.reset(sessionId, () => snapshotOf(context, need(context, sessionId)))
}

/** Says another text in the place of an earlier message; returns the id of the new one. */
export function editMessage(
  context: Sending,
  change: { sessionId: string; messageId: string; text: string },
): string {
  const row = messageOf(context, { ...change, status: 'done' })
  branchAtMessage(context, change.messageId, row)
  context.turns.start(change.sessionId)
  return row.id
}

/** What a person says, as a new row of the chat. */
function messageOf(
  context: Sending,
  { sessionId, text, status }: { sessionId: string; text: string; status: 'queued' | 'done' },
): MessageRow {
  if (text.trim() === '') throw new AppError('bad_input', 'The message is empty. Write something first.')
  return {
    id: newId('msg'),
    sessionId,
    seq: takeSeq(context.db.sql, sessionId),
    role: 'user',
    status,
    parts: [{ type: 'text', text: wellFormed(text) }],
    usage: null,
    model: null,
    createdAt: context.now(),
    providerMessages: null,
  }
}

function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > 60 ? `${cutText(line, 59)}…` : line || 'New chat'
}
