import type { Message, SessionEvent, ToolCall } from '@shared/domain/session'
import { createEmitter, type Emitter } from '../lib/emitter'
import { createHeldWrites, type HeldWrites } from '../lib/held-writes'
import type { Log } from '../lib/log'

type Unnumbered = SessionEvent extends infer E ? (E extends { seq: number } ? Omit<E, 'seq'> : never) : never
export type Snapshot = Omit<Extract<SessionEvent, { t: 'snapshot' }>, 'seq' | 't'>

/** Live changes of chats, numbered per chat. Joining late and joining again are the same: snapshot, then changes. */
export interface Live {
  /** Does nothing for a chat that nobody watches. */
  emit(sessionId: string, event: Exclude<Unnumbered, { t: 'snapshot' }>): void
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

interface Channel {
  seq: number
  readers: number
  emitter: Emitter<SessionEvent>
}

export function createLive(log: Log): Live {
  const channels = new Map<string, Channel>()
  const create = (): Channel => ({
    seq: 0,
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
      target.seq += 1
      target.emitter.emit({ ...event, seq: target.seq })
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
        if (source.readers === 0) channels.delete(sessionId)
      }
    },
  }
}
