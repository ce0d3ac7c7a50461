import type { AppEvent } from '@shared/events'
import type { SnapshotReader } from '../../approvals/request-view'
import type { Log } from '../../lib/log'
import { warmRelevance } from '../../sessions/instructions/relevance'
import type { Registry } from '../../skills/registry/registry'
import type { Store } from '../../skills/store/store'

/** What follows a change on disk: digests of the skills that are in use, and the page. */
export interface SkillState {
  /** The registry saw a change. */
  changed(): void
  /** Digest on disk now, as far as known; null for skills nobody asked about yet, or that are gone. */
  currentDigest(key: string): string | null
  reader: SnapshotReader
}

interface SkillStateDeps {
  store: Store
  registry: Pick<Registry, 'all' | 'record' | 'deepen'>
  emit(event: AppEvent): void
  log: Log
}

interface Known {
  digest: string | null
  /** Of the record when the digest was asked for; null when there was none. */
  stamp: string | null
}

export function createSkillState(deps: SkillStateDeps): SkillState {
  const { registry, store } = deps
  const known = new Map<string, Known>()
  const looks = new Map<string, number>()
  const refreshDigest = async (key: string): Promise<string | null> => {
    const look = (looks.get(key) ?? 0) + 1
    looks.set(key, look)
    const record = registry.record(key)
    const stamp = record?.stamp ?? null
    known.set(key, { digest: known.get(key)?.digest ?? null, stamp })
    const digest = record ? await store.digestOf(record).catch(() => null) : null
    // A look that took longer than the one after it says what was there before.
    if (looks.get(key) === look) known.set(key, { digest, stamp })
    return digest
  }
  return {
    changed() {
      const moved = [...known].filter(([key, { stamp }]) => (registry.record(key)?.stamp ?? null) !== stamp)
      void Promise.all(moved.map(([key]) => refreshDigest(key)))
        .then(() => deps.emit({ t: 'skills.changed' }))
        .catch((error: unknown) => deps.log.error('digests could not be read again', error))
      warmRelevance(registry.all()).catch((error: unknown) =>
        deps.log.error('words of skills could not be counted', error),
      )
    },
    currentDigest(key) {
      if (known.has(key)) return known.get(key)?.digest ?? null
      void refreshDigest(key).then((digest) => digest !== null && deps.emit({ t: 'skills.changed' }))
      // What is in use is to be seen changing, whatever file of it does.
      registry.deepen([...known.keys()].slice(-MAX_DEEP))
      return null
    },
    reader: {
      read: (digest, path) => store.read(digest, path),
      files: async (digest) => (await store.manifest(digest)).files,
      current: refreshDigest,
    },
  }
}

const MAX_DEEP = 64
