import { listCalls } from '../db/call-rows'
import { chatStamps } from '../db/changes'
import { listMessages, publicMessage } from '../db/message-rows'
import type { SessionDeps } from './deps'
import { emitSession } from './detail'

/** What the readers of a chat have seen of its rows, so that they can be told what another program wrote. */
export interface Seen {
  /** A reader gets the chat as it is now. */
  remember(sessionId: string): void
  /** Tells the readers of every chat what is new. Chats in a turn of this program are told by it. */
  tell(): void
}

export function createSeen(deps: SessionDeps): Seen {
  const seen = new Map<string, ReadonlyMap<string, string>>()
  const remember = (sessionId: string) => seen.set(sessionId, chatStamps(deps.db.sql, sessionId))
  return {
    remember: (sessionId) => void remember(sessionId),
    tell() {
      const watched = new Set(deps.live.watched())
      for (const sessionId of seen.keys()) if (!watched.has(sessionId)) seen.delete(sessionId)
      for (const sessionId of watched) {
        if (deps.inTurn.has(sessionId)) continue
        const before = seen.get(sessionId) ?? new Map<string, string>()
        remember(sessionId)
        const after = seen.get(sessionId)!
        tellChat(deps, sessionId, (rowId) => before.get(rowId) !== after.get(rowId))
      }
    },
  }
}

function tellChat(deps: SessionDeps, sessionId: string, isNew: (rowId: string) => boolean): void {
  const { db, live } = deps
  for (const message of listMessages(db.sql, sessionId)) {
    if (isNew(message.id)) live.emit(sessionId, { t: 'message', message: publicMessage(message) })
  }
  for (const call of listCalls(db.sql, sessionId))
    if (isNew(call.id)) live.emit(sessionId, { t: 'call', call })
  if (isNew(sessionId)) emitSession(deps, sessionId)
}
