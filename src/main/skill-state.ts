import { AppError } from '@shared/errors'
import type { AppEvent } from '@shared/events'
import type { SnapshotReader } from './approvals/request-view'
import type { Log } from './lib/log'
import type { WorkerClient } from './search/worker-client'
import type { Registry } from './skills/registry'
import type { SkillRecord } from './skills/record'
import type { Store } from './skills/store'

/** What follows a change on disk: digests of the skills that are in use, the search index, the page. */
export interface SkillState {
  /** The registry saw a change. */
  changed(): void
  /** Digest on disk now, as far as known; null for skills nobody asked about yet, or that are gone. */
  currentDigest(key: string): string | null
  reader: SnapshotReader
}

interface SkillStateDeps {
  store: Store
  registry: Registry
  worker: WorkerClient
  emit(event: AppEvent): void
  log: Log
}

export function createSkillState(deps: SkillStateDeps): SkillState {
  const digests = new Map<string, string | null>()
  const looks = new Map<string, number>()
  const refreshDigest = async (key: string): Promise<string | null> => {
    const look = (looks.get(key) ?? 0) + 1
    looks.set(key, look)
    const record = findRecord(deps.registry, key)
    const digest = record ? await deps.store.digestOf(record).catch(() => null) : null
    // A look that took longer than the one after it says what was there before.
    if (looks.get(key) === look) digests.set(key, digest)
    return digest
  }
  return {
    changed() {
      void Promise.all([...digests.keys()].map(refreshDigest))
        .then(() => deps.emit({ t: 'skills.changed' }))
        .catch((error: unknown) => deps.log.error('digests could not be read again', error))
      void reindex(deps)
    },
    currentDigest(key) {
      if (digests.has(key)) return digests.get(key) ?? null
      digests.set(key, null)
      void refreshDigest(key).then((digest) => digest !== null && deps.emit({ t: 'skills.changed' }))
      return null
    },
    reader: {
      read: (digest, path) => deps.store.read(digest, path),
      files: async (digest) => (await deps.store.manifest(digest)).files,
      current: refreshDigest,
    },
  }
}

async function reindex({ registry, worker, log }: SkillStateDeps): Promise<void> {
  try {
    await worker.indexSkills(registry.all())
  } catch (error) {
    if (error instanceof AppError && error.code === 'cancelled') return
    log.error('the search index could not be updated', error)
  }
}

function findRecord(registry: Registry, key: string): SkillRecord | undefined {
  return registry.all().find((record) => record.key === key)
}
