import type { DisclosureStyle } from '@shared/domain/settings'
import type { Keyring } from '../lib/keyring'
import type { Log } from '../lib/log'
import type { OneOffProvider } from '../llm/command-providers'

/** What only a desktop can do. */
export interface Desktop {
  pickFolder(): Promise<string | null>
  /** Where a file of this name is to be saved; null: nowhere. */
  pickNewFile(name: string): Promise<string | null>
  /** Opens an https, http or mailto address after its own checks; throws `bad_input` for every other. */
  openExternal(url: string): Promise<void>
  reveal(path: string): Promise<void>
  /** Goes on with a drag that began in the window as one of this file, to any program. It is copied, never moved. */
  dragFile(path: string): void
  /** True where a terminal was found. */
  hasTerminal(): boolean
  /** Opens the system's terminal in this folder; throws `not_ready` where none is found or it can't be started. */
  openTerminal(dir: string): Promise<void>
}

/** Everything the app takes from outside. Electron, the tests and the command each give their own. */
export interface AppDeps {
  /** Database, snapshots, run logs: SATCHEL_HOME or the platform's application data folder. */
  dataDir: string
  /**
   * True for the app with the window: it refuses to start while another one has the same data open, because the
   * second would take what the first one does for the rest of a crash. The command shares the data on purpose.
   */
  ownsData?: boolean
  /** Holds `skills/`, the bundled ones. */
  resourcesDir: string
  /** Personal skills are under it. */
  homeDir: string
  /** The app's own environment: keys named by variable, PATH for interpreters. */
  env: Readonly<Record<string, string | undefined>>
  /** Interpreters are looked for on the PATH of the login shell first: for an app that no terminal started. */
  asksLoginShell?: boolean
  /** Holds the policy and the Enterprise skills; by default the platform's folder, null: there is none. */
  policyDir?: string | null
  /** Entry of the worker thread, a CommonJS file. */
  workerFile: string
  secrets: Keyring
  desktop: Desktop
  fetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  log: Log
  version: string
  /** "Electron 33.2.1", for Settings. */
  runtime: string
  /**
   * The command: what it was given counts for this run and is not stored, and keys come from environment variables
   * only, because it can't open the app's store of keys.
   */
  command?: {
    provider: OneOffProvider | null
    style: DisclosureStyle | null
    /** No rule allows anything. */
    ignoresRules?: boolean
  }
  /** Folder of practice scenario files (`*.practice.json`), for tests. */
  practiceDir?: string
}
