import { AppError, isNoSpace, toWire } from '@shared/errors'
import { listCalls, type CallRow } from '../../db/call-rows'
import { getSession, listForks } from '../../db/session-rows'
import { isOpen, settleCall } from './call-step'
import { compact } from '../history/compaction'
import type { SessionDeps } from '../deps'
import { emitSession } from '../history/detail'
import { failed } from './envelope'
import { QUITTING } from './quitting'
import { recoverLeft } from './recover'
import { endBrokenOff, need, runTurn, setState } from './turn'

/** The turns that are under way: one for each chat, several chats at once. */
export interface Turns {
  /** Starts the chat's turn, or lets the running one go round once more. Throws `busy`: another program has it. */
  start(sessionId: string): void
  /** Ends the turn and what waits in it. `force` ends a running script at once. */
  stop(sessionId: string, force: boolean): Promise<void>
  /** Has older messages summarised, as a turn of its own. Throws `busy` while the chat works, and what `compact` throws. */
  compact(sessionId: string): Promise<void>
  running(): number
  /** Ends every turn with what runs in it, as a crash would: nothing is cancelled, a person lets each go on. */
  pauseAll(): Promise<number>
  /** At quit: ends every turn and waits for it; what is open stays open. */
  close(): Promise<void>
}

interface Turn {
  abort: AbortController
  done: Promise<void>
  /** Something arrived while it ran: go round once more. */
  again: boolean
  /** It only summarises: what is open in the chat is not part of it. */
  isCompaction: boolean
  /** Gives the chat back. */
  release(): void
}

interface Context {
  deps: SessionDeps
  turns: Map<string, Turn>
  closing: boolean
}

export function createTurns(deps: SessionDeps): Turns {
  const context: Context = { deps, turns: new Map(), closing: false }
  return {
    start: (sessionId) => start(context, sessionId),
    stop: (sessionId, force) => stop(context, sessionId, force),
    compact: (sessionId) => compactInTurn(context, sessionId),
    running: () => context.turns.size,
    pauseAll: () => pauseAll(context),
    close: () => close(context),
  }
}

function start(context: Context, sessionId: string): void {
  if (context.closing) return
  const running = context.turns.get(sessionId)
  if (running) {
    running.again = true
    return
  }
  const turn = open(context, sessionId, false)
  turn.done = drive(context, sessionId, turn)
}

function open(context: Context, sessionId: string, isCompaction: boolean): Turn {
  const release = context.deps.owner.hold(sessionId)
  const abort = new AbortController()
  const turn: Turn = { abort, done: Promise.resolve(), again: false, isCompaction, release }
  context.turns.set(sessionId, turn)
  context.deps.inTurn.add(sessionId)
  return turn
}

/** What waits for a person goes on waiting; a message that comes meanwhile is answered afterwards. */
async function compactInTurn(context: Context, sessionId: string): Promise<void> {
  const { deps, turns } = context
  if (context.closing || turns.has(sessionId)) {
    throw new AppError(
      'busy',
      'The agent is working in this chat. Wait until it has finished, or stop it first.',
    )
  }
  const { state } = need(deps, sessionId)
  const turn = open(context, sessionId, true)
  const work = async () => {
    try {
      setState(deps, sessionId, 'running')
      await compact(deps, need(deps, sessionId), turn.abort.signal)
    } finally {
      turns.delete(sessionId)
      deps.inTurn.delete(sessionId)
      setState(deps, sessionId, state === 'running' ? 'interrupted' : state)
      if (turn.again) start(context, sessionId)
      turn.release()
    }
  }
  const done = work()
  turn.done = done.catch(() => undefined)
  await done
}

async function drive(context: Context, sessionId: string, turn: Turn): Promise<void> {
  const { signal } = turn.abort
  context.deps.live.held.retry()
  let failure: { error: unknown } | null = null
  try {
    if (context.deps.owner.isTakenOver(sessionId)) await recoverLeft(context.deps, sessionId)
    for (let isFirst = true; isFirst || (turn.again && !signal.aborted); isFirst = false) {
      turn.again = false
      await runTurn(context.deps, { sessionId, signal, isFirst })
    }
    if (signal.aborted && signal.reason !== QUITTING) endOpen(context.deps, sessionId)
  } catch (error) {
    failure = { error }
  } finally {
    context.turns.delete(sessionId)
    context.deps.inTurn.delete(sessionId)
    if (failure) failTurn(context.deps, sessionId, failure.error)
    // Also after a stop: what a person said after it wants its answer.
    if (turn.again) start(context, sessionId)
    turn.release()
  }
}

/** The chat must open and go on whatever happened; what is saved stays. */
function failTurn(deps: SessionDeps, sessionId: string, error: unknown): void {
  if (isNoSpace(error)) deps.log.warn('a turn ended because the disk is full')
  else deps.log.error('a turn failed', error)
  const message = `This chat was interrupted. ${reasonOf(error)}`
  deps.emit({ t: 'notice', level: 'error', message, sessionId })
  const write = () => {
    endBrokenOff(deps, sessionId)
    setState(deps, sessionId, 'interrupted')
  }
  attempt(deps, () => saveOrHold(deps, sessionId, write))
  // The page is told also when nothing could be saved; the row follows when the chat goes on.
  attempt(deps, () => emitSession(deps, sessionId))
  deps.emit({ t: 'sessions.changed' })
}

/** Without a word on what was lost: an answer or an output may have been cut off. */
function reasonOf(error: unknown): string {
  return isNoSpace(error) ? 'The disk is full. Free some space, then try again.' : toWire(error).message
}

/** The end of a turn that a full disk refuses is written later, unless another turn has begun by then. */
function saveOrHold(deps: SessionDeps, sessionId: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isNoSpace(error)) throw error
    deps.live.held.hold(`turn ${sessionId}`, () => {
      if (!deps.inTurn.has(sessionId)) write()
    })
    emitSession(deps, sessionId)
  }
}

/** What fails after a failure is noted and goes no further. */
function attempt(deps: SessionDeps, work: () => void): void {
  try {
    work()
  } catch (error) {
    deps.log.warn('the state of a failed turn could not be saved', { reason: String(error) })
  }
}

async function stop(context: Context, sessionId: string, force: boolean): Promise<void> {
  const turn = context.turns.get(sessionId)
  if (!turn) return endOpen(context.deps, sessionId)
  if (!turn.abort.signal.aborted) {
    turn.abort.abort()
    // What was queued before the stop waits for the next message.
    turn.again = false
  }
  for (const call of openCalls(context.deps, sessionId)) {
    if (force && call.runId) await context.deps.runs.kill(call.runId, true)
  }
  await turn.done
  if (turn.isCompaction) return
  // A turn that failed while it was stopped left what was open.
  if (!context.turns.has(sessionId)) endOpen(context.deps, sessionId)
}

/** What a stop leaves is cancelled, which is not a denial; the agent is told so. Afterwards the chat is idle. */
function endOpen(deps: SessionDeps, sessionId: string): void {
  for (const fork of listForks(deps.db.sql, sessionId)) if (fork.state !== 'idle') endOpen(deps, fork.id)
  deps.live.held.retry()
  const session = getSession(deps.db.sql, sessionId)
  if (!session) return
  const waited = deps.broker.pending(sessionId)
  for (const call of openCalls(deps, sessionId)) cancel(deps, call)
  if (session.state !== 'idle') saveOrHold(deps, sessionId, () => setState(deps, sessionId, 'idle'))
  if (waited.length > 0) deps.emit({ t: 'approvals.changed', sessionId })
}

/** A full disk does not keep a person from stopping: the row follows when there is space. */
function cancel(deps: SessionDeps, call: CallRow): void {
  try {
    settleCall(deps, call, {
      envelope: failed('cancelled', 'The person stopped this turn before the call was carried out.'),
      state: 'cancelled',
    })
  } catch (error) {
    if (!isNoSpace(error)) throw error
  }
}

function openCalls(deps: SessionDeps, sessionId: string): CallRow[] {
  return listCalls(deps.db.sql, sessionId).filter((call) => isOpen(call) && !deps.live.unsaved.has(call.id))
}

async function pauseAll(context: Context): Promise<number> {
  const turns = [...context.turns]
  for (const [sessionId, turn] of turns) {
    turn.again = false
    turn.abort.abort(QUITTING)
    const family = [sessionId, ...listForks(context.deps.db.sql, sessionId).map(({ id }) => id)]
    const runs = family.flatMap((id) => openCalls(context.deps, id)).flatMap(({ runId }) => runId ?? [])
    await Promise.all(runs.map((runId) => context.deps.runs.kill(runId, false)))
  }
  await Promise.allSettled(turns.map(([, turn]) => turn.done))
  return turns.length
}

async function close(context: Context): Promise<void> {
  context.closing = true
  const turns = [...context.turns.values()]
  for (const turn of turns) turn.abort.abort(QUITTING)
  await Promise.allSettled(turns.map((turn) => turn.done))
  context.deps.live.held.close()
}
