import type { Handlers } from '@shared/ipc/define'
import { createEmitter } from '../lib/emitter'
import type { Log } from '../lib/log'
import type { IndexedSkill } from '../search/worker-contract'
import type { SkillRecord } from '../skills/record'
import type { scanContract, ScanDelta } from '../skills/scan/scan-contract'
import { createScanner } from '../skills/scan/scanner'

/** The part of the search index that follows the scanner. */
export interface FollowingIndex {
  stamps(): { key: string; stamp: string }[]
  index(changes: { upsert: IndexedSkill[]; remove: string[] }): unknown
}

export interface ScanHandlerDeps {
  /** What is known of unchanged skills is kept in this file. */
  scanFile: string
  index: FollowingIndex
  log: Log
}

export interface ScanHandlers {
  handlers: Handlers<typeof scanContract>
  /** Everything that was told and is still there. */
  records(): Iterable<SkillRecord>
  /** Fills an index that was damaged and is empty now. */
  reindex(): void
  close(): void
}

/** The scanner in the worker thread: main hears what it finds, and the search index follows it right here. */
export function createScanHandlers(deps: ScanHandlerDeps): ScanHandlers {
  const deltas = createEmitter<ScanDelta>((error) => deps.log.error('a part of a look was not taken', error))
  const follower = createFollower(deps)
  const told = { seq: 0, records: new Map<string, SkillRecord>() }
  const scanner = createScanner({
    indexFile: deps.scanFile,
    watch: true,
    log: deps.log,
    onDelta(delta) {
      told.seq = delta.seq
      for (const record of delta.upsert) told.records.set(record.key, record)
      for (const key of delta.remove) told.records.delete(key)
      deltas.emit(delta)
      follower.take(delta)
    },
  })
  return {
    handlers: {
      'scan.configure'(input) {
        scanner.configure(input)
        return {}
      },
      'scan.refresh': async () => {
        await scanner.refresh()
        return { seq: told.seq }
      },
      'scan.deepen'({ keys }) {
        scanner.deepen(keys)
        return {}
      },
      'scan.deltas': (_input, signal) => deltas.stream(signal, 1_000_000),
    },
    records: () => told.records.values(),
    reindex: () => follower.all(),
    close() {
      scanner.close()
      follower.close()
    },
  }
}

/** Skills at once in one transaction of the index, about 40 ms; of 50 it takes a third longer for all of 1,000. */
const BATCH = 100

interface Follower {
  index: FollowingIndex
  log: Log
  known: Map<string, IndexedSkill>
  /** Stamps that the index had at the start, until everything was seen once. */
  earlier: Map<string, string> | null
  upsert: Map<string, IndexedSkill>
  remove: Set<string>
  timer: NodeJS.Immediate | undefined
}

function createFollower({ index, log }: ScanHandlerDeps) {
  const state: Follower = {
    index,
    log,
    known: new Map(),
    earlier: null,
    upsert: new Map(),
    remove: new Set(),
    timer: undefined,
  }
  return {
    take: (delta: ScanDelta) => take(state, delta),
    all() {
      state.upsert = new Map(state.known)
      soon(state)
    },
    close: () => clearImmediate(state.timer),
  }
}

function take(state: Follower, delta: ScanDelta): void {
  if (delta.anew) state.earlier = new Map(state.index.stamps().map(({ key, stamp }) => [key, stamp]))
  for (const record of delta.upsert) {
    // Of what is not read whole yet the rest follows; of what may not be read there is nothing to find.
    if (record.unread || record.stamp.startsWith('.')) continue
    const skill = indexed(record)
    state.known.set(skill.key, skill)
    state.remove.delete(skill.key)
    if (state.earlier?.get(skill.key) !== skill.stamp) state.upsert.set(skill.key, skill)
    state.earlier?.delete(skill.key)
  }
  for (const key of delta.remove) {
    state.known.delete(key)
    state.upsert.delete(key)
    state.remove.add(key)
  }
  if (delta.complete && state.earlier) {
    for (const key of state.earlier.keys()) state.remove.add(key)
    state.earlier = null
  }
  soon(state)
}

function soon(state: Follower): void {
  if (state.timer || state.upsert.size + state.remove.size === 0) return
  state.timer = setImmediate(() => {
    state.timer = undefined
    const upsert: IndexedSkill[] = []
    for (const skill of state.upsert.values()) if (upsert.push(skill) === BATCH) break
    const remove = [...state.remove]
    for (const { key } of upsert) state.upsert.delete(key)
    state.remove.clear()
    try {
      state.index.index({ upsert, remove })
    } catch (error) {
      state.log.error('the search index could not be updated', error)
    }
    soon(state)
  })
}

function indexed(record: SkillRecord): IndexedSkill {
  const { key, name, label, description, tags, skillMd, rootDir, stamp } = record
  return { key, name, label, description, tags, skillMd, rootDir, stamp }
}
