import { readTree, shownIds } from '../../db/branch-rows'
import { listCalls } from '../../db/call-rows'
import { chatStamps } from '../../db/changes'
import { listMessages, publicMessage } from '../../db/message-rows'
import { getSession } from '../../db/session-rows'
import type { SessionDeps } from '../deps'
import { emitSession, snapshotOf } from './detail'

/** What the readers of a chat have seen of its rows, so that they can be told what another program wrote. */
export interface Seen {
  /** A reader gets the chat as it is now. */
  remember(sessionId: string): void
  /** A reader got the end of a chat whose rows are still being read: nothing is told of it until `remember`. */
  wait(sessionId: string): void
  /** Tells the readers of every chat what is new. Chats in a turn of this program are told by it. */
  tell(): void
}

interface ChatSeen {
  stamps: ReadonlyMap<string, string>
  /** Messages of the branch that was shown. */
  shown: ReadonlySet<string>
}

export function createSeen(deps: SessionDeps): Seen {
  const seen = new Map<string, ChatSeen>()
  const waiting = new Set<string>()
  const remember = (sessionId: string): ChatSeen => {
    const { sql } = deps.db
    const now = { stamps: chatStamps(sql, sessionId), shown: shownIds(readTree(sql, sessionId)) }
    seen.set(sessionId, now)
    waiting.delete(sessionId)
    return now
  }
  return {
    remember: (sessionId) => void remember(sessionId),
    wait: (sessionId) => void waiting.add(sessionId),
    tell() {
      const watched = new Set(deps.live.watched())
      for (const sessionId of seen.keys()) if (!watched.has(sessionId)) seen.delete(sessionId)
      for (const sessionId of watched) {
        if (deps.inTurn.has(sessionId) || waiting.has(sessionId)) continue
        const before = seen.get(sessionId)
        const after = remember(sessionId)
        const session = getSession(deps.db.sql, sessionId)
        if (session && before && isGone(before.shown, after.shown)) {
          deps.live.reset(sessionId, () => snapshotOf(deps, session))
        } else {
          tellChat(deps, sessionId, (rowId) => before?.stamps.get(rowId) !== after.stamps.get(rowId))
        }
      }
    },
  }
}

/** Another branch is shown: what readers have of the chat is not it any more. */
function isGone(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  return [...before].some((id) => !after.has(id))
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
