import type { SessionEvent } from '@shared/domain/session'
import { createEmitter, type Emitter } from '../lib/emitter'
import type { Log } from '../lib/log'

type Unnumbered = SessionEvent extends infer E ? (E extends { seq: number } ? Omit<E, 'seq'> : never) : never
export type Snapshot = Omit<Extract<SessionEvent, { t: 'snapshot' }>, 'seq' | 't'>

/** Live changes of chats, numbered per chat. Joining late and joining again are the same: snapshot, then changes. */
export interface Live {
  emit(sessionId: string, event: Exclude<Unnumbered, { t: 'snapshot' }>): void
  /** Chats that somebody watched since the start. */
  known(): string[]
  watch(sessionId: string, snapshot: () => Snapshot, signal: AbortSignal): AsyncIterable<SessionEvent>
}

export function createLive(log: Log): Live {
  const channels = new Map<string, { seq: number; emitter: Emitter<SessionEvent> }>()
  const channel = (sessionId: string) => {
    const known = channels.get(sessionId)
    if (known) return known
    const created = {
      seq: 0,
      emitter: createEmitter<SessionEvent>((error) => log.error('a reader of a chat failed', error)),
    }
    channels.set(sessionId, created)
    return created
  }
  return {
    emit(sessionId, event) {
      const target = channel(sessionId)
      target.seq += 1
      target.emitter.emit({ ...event, seq: target.seq })
    },
    known: () => [...channels.keys()],
    async *watch(sessionId, snapshot, signal) {
      const source = channel(sessionId)
      // Subscribed first: what happens while the snapshot is taken arrives after it.
      const changes = source.emitter.stream(signal)
      yield { t: 'snapshot', seq: source.seq, ...snapshot() }
      yield* changes
    },
  }
}
