import type { AuditAction } from '@shared/domain/audit'
import type { Db } from '../db/open'
import type { Program } from '../db/programs'
import type { Log } from '../lib/log'
import type { Blobs } from './blobs'
import type { KeepLimits } from './keep'
import type { Listing, ListingLimits } from './listing'

export interface UndoAuditEvent {
  actor: 'person' | 'app'
  action: Extract<AuditAction, 'run.changes' | 'run.undone'>
  sessionId: string | null
  target: string
  data: Record<string, unknown>
}

export interface UndoDeps {
  db: Db
  /** Contents are in `snapshots/files/` under it, what there was before running runs in `undo/<program>/`. */
  dataDir: string
  audit(event: UndoAuditEvent): void
  /** What can be said of a request, or undone of a run, changed. */
  changed(what: { requestId: string } | { runId: string }): void
  /** Takes secrets out of a text; left out: there are none. */
  clean?: (text: string) => string
  /** This one among those that use the data. */
  program: Pick<Program, 'id' | 'isAlive' | 'isAlone'>
  /** Milliseconds since 1970. */
  now(): number
  log: Log
  /** Smaller ones are for tests. */
  limits?: Partial<UndoLimits>
}

export interface UndoLimits {
  listing: ListingLimits
  keep: KeepLimits
  /** Of one run; more are counted only. */
  changes: number
  /** Of a run's own new contents, kept to be shown and to take an undo back. */
  afterBytes: number
  /** How long an allowed run waits for copies, in milliseconds. */
  waitMs: number
  /** How long contents are kept, in milliseconds. */
  ageMs: number
  /** Of all contents, in bytes. */
  quota: number
}

/** What the module-level functions work with. */
export interface Context {
  deps: UndoDeps
  limits: UndoLimits
  blobs: Blobs
  /** This program's folder for `writeBefore`. */
  folder: string
  /** The last look at a folder: what was not touched since is not read again. The latest used one is last. */
  latest: Map<string, Listing>
  /** Looks that are under way, by folder. */
  taking: Map<string, Promise<Listing>>
  /** By when a look must end, by folder: an allowed run waits for it. By `performance.now`. */
  hurry: Map<string, number>
  /** What there was before each running run, by request. */
  before: Map<string, Listing>
  /** The app quits: nothing more is read. */
  closing: boolean
  /** One undo at a time. */
  queue: Promise<unknown>
}
