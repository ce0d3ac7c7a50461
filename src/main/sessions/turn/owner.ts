import { AppError } from '@shared/errors'
import type { Db } from '../../db/open'
import { getOwner, listOwners, removeOwner, setOwner, type OwnerRow } from '../../db/owner-rows'
import type { Program } from '../../db/programs'
import type { Log } from '../../lib/log'

/** Keeps two programs on the same data, the window app and the command, from working on one chat at a time. */
export interface Owner {
  /**
   * Takes the chat until the returned function is called; several holds of this program count as one. Throws `busy`
   * while another living program has it. A chat whose program has ended is taken over.
   */
  hold(sessionId: string): () => void
  /** It was taken over: what the ended program left in it must be settled before anything else. */
  isTakenOver(sessionId: string): boolean
  settled(sessionId: string): void
  /** Another living program works on it now. */
  isElsewhere(sessionId: string): boolean
  /** Forgets programs that have ended; gives the chats that living ones have, this one's too. In a transaction. */
  sweep(): Set<string>
  /** Chats that another program had and left by ending. */
  left(): string[]
  /** No other program has this data open. */
  isAlone(): boolean
  /**
   * Throws `busy` in the command while another program has the data open: what waits in a chat was asked there, and is
   * answered there.
   */
  refuseWaiting(): void
}

export interface OwnerDeps {
  db: Db
  program: Program
  now(): number
  log: Log
}

interface Context extends OwnerDeps {
  /** How often this program holds a chat now. */
  holds: Map<string, number>
  takenOver: Set<string>
}

export function createOwner(deps: OwnerDeps): Owner {
  const context: Context = { ...deps, holds: new Map(), takenOver: new Set() }
  const isDead = (row: OwnerRow) => !deps.program.isAlive(row.owner)
  return {
    hold: (sessionId) => hold(context, sessionId),
    isTakenOver: (sessionId) => context.takenOver.has(sessionId),
    settled: (sessionId) => void context.takenOver.delete(sessionId),
    isElsewhere(sessionId) {
      const row = getOwner(deps.db.sql, sessionId)
      return row !== null && row.owner !== deps.program.id && !isDead(row)
    },
    sweep() {
      const rows = listOwners(deps.db.sql)
      const dead = new Set(rows.filter(isDead))
      for (const { sessionId, owner } of dead) removeOwner(deps.db.sql, sessionId, owner)
      return new Set(rows.filter((row) => !dead.has(row)).map(({ sessionId }) => sessionId))
    },
    left: () =>
      listOwners(deps.db.sql)
        .filter(isDead)
        .map(({ sessionId }) => sessionId),
    isAlone: deps.program.isAlone,
    refuseWaiting() {
      if (deps.program.kind === 'command' && !deps.program.isAlone()) throw waitsElsewhere()
    },
  }
}

function hold(context: Context, sessionId: string): () => void {
  const held = context.holds.get(sessionId) ?? 0
  if (held === 0) take(context, sessionId)
  context.holds.set(sessionId, held + 1)
  let isOver = false
  return () => {
    if (!isOver) letGo(context, sessionId)
    isOver = true
  }
}

function take({ db, program, now, takenOver }: Context, sessionId: string): void {
  const before = db.tx(() => {
    const row = getOwner(db.sql, sessionId)
    if (row && row.owner !== program.id && program.isAlive(row.owner)) throw busy(row)
    setOwner(db.sql, sessionId, program, now())
    return row
  })
  if (before && before.owner !== program.id) takenOver.add(sessionId)
}

/** A row that can't be removed, as on a full disk, ends with this program at the latest. */
function letGo({ db, program, holds, log }: Context, sessionId: string): void {
  const held = (holds.get(sessionId) ?? 1) - 1
  if (held > 0) return void holds.set(sessionId, held)
  holds.delete(sessionId)
  try {
    db.tx(() => removeOwner(db.sql, sessionId, program.id))
  } catch (error) {
    log.warn('a chat could not be handed back', { reason: String(error) })
  }
}

function waitsElsewhere(): AppError {
  return new AppError(
    'busy',
    'This chat waits for an answer, and another Satchel is open. Answer there, or close it, then send this again. Nothing was sent.',
  )
}

const NAMES: Record<OwnerRow['kind'], string> = {
  window: 'the Satchel window',
  command: 'the satchel command',
}

function busy({ kind, pid }: OwnerRow): AppError {
  const message = `This chat is being used by ${NAMES[kind]} (process ${pid}). Wait for it or stop it.`
  return new AppError('busy', message, { kind, pid })
}
