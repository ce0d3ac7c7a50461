import { AppError } from '@shared/errors'
import { getSession } from '../../db/session-rows'
import type { SessionDeps } from '../deps'
import { recoverLeft } from './recover'
import { need } from './turn'
import type { Turns } from './turns'

/** What work in a chat that nobody else may do at the same time needs. */
interface Holding extends SessionDeps {
  turns: Pick<Turns, 'stop'>
}

/**
 * Changes a chat while no other program can (`security.md` 6). One whose program has ended is settled first. Throws
 * `busy` while another one works on it.
 */
export async function holding<T>(context: Holding, sessionId: string, work: () => Promise<T>): Promise<T> {
  refuseFork(context, sessionId)
  const release = context.owner.hold(sessionId)
  try {
    if (context.owner.isTakenOver(sessionId) && !context.inTurn.has(sessionId)) {
      await recoverLeft(context, sessionId)
    }
    return await work()
  } finally {
    release()
  }
}

/** A fork ends by itself or with its chat: nobody speaks in it. */
export function refuseFork({ db }: Holding, sessionId: string): void {
  if (!getSession(db.sql, sessionId)?.fork) return
  throw new AppError(
    'bad_input',
    'A skill or another agent works here by itself. Write in the chat that it belongs to.',
  )
}

/**
 * A branch begins or is shown only where nothing is under way: a turn goes on with the branch it began with. What an
 * interrupted turn left open is cancelled first.
 */
export function atRest<T>(context: Holding, sessionId: string, work: () => T): Promise<T> {
  const refuseAtWork = () => {
    const { state } = need(context, sessionId)
    if (context.inTurn.has(sessionId) || state === 'awaiting_approval') {
      throw new AppError('busy', 'The agent is at work in this chat. Stop it first, then try again.')
    }
  }
  return holding(context, sessionId, async () => {
    refuseAtWork()
    await context.turns.stop(sessionId, false)
    refuseAtWork()
    return work()
  })
}
