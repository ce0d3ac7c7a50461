import type { RunPlan, SandboxPlan } from '@shared/domain/approval'
import type { Found } from './nested'
import type { Reach } from './profiles'

/** What a backend can do; stored with every run (SB-1). */
export interface Capabilities {
  /** Writes outside the workspace fail. */
  fsWrite: boolean
  /** What was not given can't be read. */
  fsRead: boolean
  netDeny: boolean
  netAllowlist: boolean
  /** No process outlives a run. */
  treeKill: boolean
  /** Programs notice when the terminal changes its size. */
  winch: boolean
  /** It can run a program that draws the whole terminal and is told of its size, on a terminal of its own. */
  fullScreen: boolean
}

/** What a backend needs beside the plan to start it. */
export interface RunPlace {
  runId: string
  snapshotDir: (digest: string) => string
  /** The app's own data: hidden from every script. */
  dataDir: string
  /** Folders that stand in the workspace for this run where a protected path was missing. */
  covers: readonly string[]
  /** Protected places below the root of the workspace. */
  nested: readonly Found[]
  /** Socket of the run's proxy; null: it has no network. */
  network: string | null
  /** Stands before the command, inside the sandbox. */
  inside: readonly string[]
  /** The pipe that becomes the script's standard error; null: it has that of the sandbox. */
  errors: string | null
}

/** How a plan is started: what comes after the wrapper, and what the sandbox reads from descriptor 4. */
export interface WrappedCommand {
  argv: string[]
  env: Record<string, string>
  cwd: string
  /** NUL-separated options; empty where the backend takes none. */
  options: string[]
}

export interface SandboxBackend {
  id: SandboxPlan['backend']
  /** "bubblewrap 0.8.0" */
  label: string
  capabilities: Capabilities
  /** Where the files of a skill are for the script. */
  skillDir(name: string, treeDigest: string): string
  /** The home folder for the script. */
  home: string
  /** What the request says about reach. */
  describe(reach: Reach): SandboxPlan
  /** Pure but for looking at which protected paths of the workspace exist. Throws when it can't be wrapped (SB-3). */
  wrap(plan: RunPlan, place: RunPlace): WrappedCommand
  /** The script's own process below the wrapper; empty while it isn't there yet. */
  scriptProcesses(wrapperPid: number): number[]
  /** Ends every process below the wrapper, at once; the wrapper stays to report. */
  end(wrapperPid: number): void
  /** True when the command's own report says that the script's first instruction was reached. */
  scriptStarted(statusText: string, exitCode: number | null): boolean
}
