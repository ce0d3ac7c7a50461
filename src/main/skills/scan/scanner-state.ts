import type { watch as fsWatch } from 'node:fs'
import type { CheckEnvironment } from '@shared/skill-check/folder-input'
import type { Log } from '../../lib/log'
import type { KeptRoots } from '../roots/kept-roots'
import type { Mounts } from '../sources/mounts'
import type { ReadAheadOptions } from './read-ahead'
import type { Roots, ScanInput } from '../roots/roots'
import type { ScanDelta } from './scan-contract'
import type { ScanIndex } from './scan-index'
import type { RootScan, Skill } from './scan-state'
import type { Told } from '../registry/told'
import type { Wake } from '../registry/wake'
import type { Watcher } from '../registry/watch'

export interface ScannerDeps {
  /** What is known of unchanged skills is kept in this file, which can be deleted at any time; null: nowhere. */
  indexFile: string | null
  /** False: looks only when it is asked to. */
  watch: boolean
  onDelta(delta: ScanDelta): void
  log: Log
  /** The folders to look at; for tests and other sources. */
  roots?(input: ScanInput): Roots | Promise<Roots>
  /** Milliseconds between regular looks; for tests. */
  pollMs?: number
  /** Milliseconds between the first event and the look; for tests. */
  debounceMs?: number
  /** For tests. */
  readAhead?: ReadAheadOptions
  /** For tests. */
  fsWatch?: typeof fsWatch
  /** Milliseconds since 1970; for tests. */
  now?(): number
  /** True for folders whose changes the system does not tell; for tests. */
  isRemote?(dir: string): boolean
}

/** The scanner's memory; one look at a time works on it. */
export interface ScanState {
  deps: ScannerDeps
  input: ScanInput | null
  /** By what makes a root another one. */
  roots: Map<string, RootScan>
  index: ScanIndex
  mounts: Mounts
  /** Where the roots are, as long as `rootsMoved` is what it was. */
  rootsKept: KeptRoots | null
  /** Rises with everything after which the roots may be elsewhere. */
  rootsMoved: number
  /** What is there on this machine for skills. */
  environment: CheckEnvironment
  told: Told
  watcher: Watcher
  wake: Wake
  /** Number of the last look. */
  look: number
  /** By their own folders, for events. */
  byDir: Map<string, Skill>
  /** Skills whose files are looked at more often than others. */
  deep: Set<string>
  /** Skills or folders came, went or moved since watches were set. */
  moved: boolean
  /** The next look at everything compares the times of all folders of skills too. */
  thorough: boolean
  /** Where the round of deep looks goes on. */
  round: number
  running: Promise<void>
  queued: Promise<void> | null
  closed: boolean
}
