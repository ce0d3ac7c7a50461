import type { Message, SessionEvent, ToolCall } from '@shared/domain/session'
import { createEmitter, type Emitter } from '../../lib/emitter'
import { createHeldWrites, type HeldWrites } from '../../lib/held-writes'
import type { Log } from '../../lib/log'

type Unnumbered = SessionEvent extends infer E ? (E extends { seq: number } ? Omit<E, 'seq'> : never) : never
export type Snapshot = Omit<Extract<SessionEvent, { t: 'snapshot' }>, 'seq' | 't'>

/** Live changes of chats, numbered per chat. Joining late and joining again are the same: snapshot, then changes. */
export interface Live {
  /** Does nothing for a chat that nobody watches. */
  emit(sessionId: string, event: Exclude<Unnumbered, { t: 'snapshot' }>): void
  /**
   * Tells the readers of a chat within `LATER_MS` what `tell` finds then, once for all that asked meanwhile; not at all
   * where they are told before with `emit` of a session.
   */
  later(sessionId: string, tell: () => void): void
  /** Replaces what the readers of a chat know of it. */
  reset(sessionId: string, snapshot: () => Snapshot): void
  /** Answers that are arriving, as far as they were sent: a snapshot needs them, their rows are older. */
  arriving: Map<string, Message>
  /** Calls whose end a full disk refused, as they are shown until `held` has written them. */
  unsaved: Map<string, ToolCall>
  held: HeldWrites
  /** Chats that somebody watches now. */
  watched(): string[]
  watch(sessionId: string, snapshot: () => Snapshot, signal: AbortSignal): AsyncIterable<SessionEvent>
}

/** Details of a chat between the steps of a turn are told that late: the next step often follows at once. */
const LATER_MS = 100

interface Channel {
  seq: number
  later: NodeJS.Timeout | undefined
  readers: number
  emitter: Emitter<SessionEvent>
}

export function createLive(log: Log): Live {
  const channels = new Map<string, Channel>()
  const create = (): Channel => ({
    seq: 0,
    later: undefined,
    readers: 0,
    emitter: createEmitter<SessionEvent>((error) => log.error('a reader of a chat failed', error)),
  })
  return {
    arriving: new Map(),
    unsaved: new Map(),
    held: createHeldWrites(log),
    emit(sessionId, event) {
      const target = channels.get(sessionId)
      if (!target) return
      if (event.t === 'session') target.later = clear(target)
      target.seq += 1
      target.emitter.emit({ ...event, seq: target.seq })
    },
    later(sessionId, tell) {
      const target = channels.get(sessionId)
      if (!target) return
      target.later ??= setTimeout(() => {
        target.later = undefined
        try {
          tell()
        } catch (error) {
          log.error('a chat could not be told', error)
        }
      }, LATER_MS).unref()
    },
    reset(sessionId, snapshot) {
      const target = channels.get(sessionId)
      if (!target) return
      target.seq += 1
      target.emitter.emit({ t: 'snapshot', seq: target.seq, ...snapshot() })
    },
    watched: () => [...channels.keys()],
    async *watch(sessionId, snapshot, signal) {
      const source = channels.get(sessionId) ?? create()
      channels.set(sessionId, source)
      source.readers += 1
      try {
        // Subscribed first: what happens while the snapshot is taken arrives after it.
        const changes = source.emitter.stream(signal)
        yield { t: 'snapshot', seq: source.seq, ...snapshot() }
        yield* changes
      } finally {
        source.readers -= 1
        if (source.readers === 0) {
          source.later = clear(source)
          channels.delete(sessionId)
        }
      }
    },
  }
}

function clear({ later }: Channel): undefined {
  clearTimeout(later)
}
