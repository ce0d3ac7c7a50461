import type { RunLimits, RunPlan } from '@shared/domain/approval'
import type { NetworkRecord, OutputChunk, Run } from '@shared/domain/run'
import type { Scope } from '@shared/domain/skill'
import type { InterpreterView, SandboxProfile, SandboxView } from '@shared/domain/settings'
import type { SkillExecution } from '@shared/skill-md/run-fields'
import type { Db } from '../db/open'
import type { Log } from '../lib/log'
import type { Limiter } from './limiter'
import type { HeldSecret } from '../lib/redact'
import type { Printed } from './left-output'
import type { Names } from './network/addresses'
import type { PrepareInput } from './environments/plan'
import type { Capabilities } from './sandbox/backend'

/** What a run adds to the record. Called inside the transaction that writes the row it speaks of. */
export interface RunAuditEvent {
  actor: 'agent' | 'app'
  action: 'run.started' | 'run.finished' | 'security.blocked'
  sessionId: string
  target: string
  data: Record<string, unknown>
}

export interface RunsDeps {
  db: Db
  /** Logs are in `runs/` under it, what scripts were not allowed to make in `quarantine/`. */
  dataDir: string
  /** The app's own environment: PATH for interpreters and for the sandbox, HOME. */
  env: Readonly<Record<string, string | undefined>>
  /** PATH of the person's login shell; left out: that of `env` alone counts. */
  loginPath?: () => Promise<string | null>
  /** Variables of git that the login shell sets; left out: those of the app alone count. */
  gitEnv?: () => Promise<Readonly<Record<string, string>>>
  /** Programs that the person chose, by row of the interpreter table. */
  chosenInterpreters?: () => Readonly<Record<string, string>>
  /** What scripts may write; left out: the workspace. */
  profile?: () => SandboxProfile
  /** The only hosts that the organisation lets any run reach; null, or left out: it has no list. */
  allowedHosts?: () => readonly string[] | null
  /** Tests put their own resolver here. */
  names?: Names
  /** What a run may use; left out: SB-6. */
  limits?: () => RunLimits
  /** What holds runs to that; left out: what this machine has. */
  limiter?: Limiter
  /** Folder of a snapshot by tree digest. */
  snapshotDir: (digest: string) => string
  /** True when the snapshot on disk still has that digest. */
  verifySnapshot: (digest: string) => Promise<boolean>
  /** Values of secrets for a run that begins now; throws when one is gone. Left out: there are none. */
  secretValues?: (names: readonly string[]) => Record<string, string>
  /** All secrets of the person, to be taken out of what scripts print. */
  heldSecrets?: () => HeldSecret[]
  audit: (event: RunAuditEvent) => void
  /** Milliseconds since 1970. */
  now: () => number
  log: Log
  /** A run began, ended or changed otherwise. */
  changed: (runId: string) => void
  /** Another living program on the same data works on this chat: its runs are not left behind. Left out: none does. */
  usedElsewhere?: (sessionId: string) => boolean
  runAsRoot: boolean
  /** Between the polite stop and the end of the sandbox; 3 s (AP-9). Tests give less. */
  graceMs?: number
}

/** What both kinds of plan need. `mounts` are the snapshots of all active skills. */
export interface CommonInput {
  args: string[]
  env: Record<string, string>
  /** Relative to the workspace; undefined or "" is the workspace itself. */
  workdir: string | undefined
  stdin: string | null
  interactive: boolean
  /** It draws the whole terminal: then it is typed to, gets no text on standard input, and has more time. */
  fullScreen?: true
  timeoutMs: number
  mounts: RunPlan['mounts']
  /** The chat's workspace, an existing folder. */
  workspace: string
}

export interface ScriptInput extends CommonInput {
  /** Hosts that the person gave the skill; it reaches those of them that it asks for. Left out: none. */
  hosts?: readonly string[]
  /** Names of secrets that the skill was given. */
  secrets?: readonly string[]
  /** `hook`: the skill runs it itself, before or after its use. */
  hook?: 'pre' | 'post'
  /** What the skill asks to be held to; it can only narrow (SB-4). */
  execution?: SkillExecution
  /** A shell script ends at its first command that fails (S0). */
  stopOnError?: boolean
  skill: { name: string; scope: Scope; key: string; treeDigest: string }
  /** `bytes` are those of the snapshot; `sha256` is theirs. */
  script: { path: string; bytes: Uint8Array; sha256: string }
}

/** One text for bash, as the tool `Bash` gives it. */
export interface ShellInput extends Omit<CommonInput, 'args'> {
  text: string
  /** What the active skills ask to be held to; the strictest of all counts. Left out: nothing. */
  executions?: readonly SkillExecution[]
}

/** The right to run one plan once, given by an approval. */
export interface RunTicket {
  requestId: string
  plan: RunPlan
  planHash: string
  sessionId: string
  callId: string
  /** Spends the approval, inside the transaction that inserts the run. Throws when it was spent before. */
  claim: (runId: string) => void
}

export interface RunOutcome {
  run: Run
  /** As a person would see it on a terminal, at most 50 KB or 2,000 lines, head and tail. */
  stdout: string
  stderr: string
  /** Something was left out of `stdout` or `stderr`. */
  truncated: boolean
  durationMs: number
  /** What it did with its network; null: it had none, or nothing confined it. */
  network: NetworkRecord | null
  /** Names of secrets that it printed, taken out of its output. */
  printedSecrets: string[]
  /** How it ended, one sentence for the person and the model. */
  statusText: string
  /** Why Satchel did not start it (`sandbox_failed`); left out: it did, or the sandbox itself failed. */
  refused?: string
}

export interface Runs {
  /** Looks for the sandbox and proves it. Called at start; every plan waits for it. */
  probe(anew?: boolean): Promise<void>
  /** What `probe` found; before it ended: nothing works yet. */
  sandbox(): SandboxView & { capabilities: Capabilities }
  /** The table of interpreters with what was found on this machine. */
  interpreters(): Promise<InterpreterView[]>
  /** Throws `no_interpreter`, `path_escape`, `not_found`, `bad_input`, `too_large`, `sandbox_failed`. */
  planScript(input: ScriptInput): Promise<RunPlan>
  planShell(input: ShellInput): Promise<RunPlan>
  /** Throws `not_ready` and `no_interpreter`. */
  planPreparation(input: PrepareInput): Promise<RunPlan>
  /**
   * Runs a plan and waits for its end. Before anything starts it checks the plan against its hash, every snapshot,
   * the interpreter, the folder and the sandbox, and throws (`stale`, `no_interpreter`, `sandbox_failed`,
   * `cancelled`); the approval is not spent then. Later failures are an outcome.
   */
  execute(ticket: RunTicket, signal: AbortSignal): Promise<RunOutcome>
  /** Throws `not_found`. */
  get(runId: string): Run
  /**
   * Output from a character offset on, then what comes, until the run ends or `signal` aborts. `answers`: it goes to
   * a terminal that answers, which is told what one had before it.
   */
  output(runId: string, from: number, signal: AbortSignal, answers?: boolean): AsyncIterable<OutputChunk>
  /** What is kept of a run's output, as a model gets it; empty when nothing is. For a run that has ended. */
  printed(runId: string): Printed
  /** Keys for an interactive run. Ctrl-C interrupts the script. A full-screen program also gets the terminal's replies. */
  input(runId: string, data: string): Promise<void>
  resize(runId: string, cols: number, rows: number): Promise<void>
  /** SIGTERM, 3 s, then the whole sandbox; `force`: the sandbox at once. Does nothing when it has ended. */
  kill(runId: string, force: boolean): Promise<void>
  /**
   * At start, and when another program on the same data has ended: what it left. Its runs become `interrupted`, surviving processes are killed, their
   * output is kept, files of their own are removed. Gives the ids of those runs.
   */
  recover(): Promise<string[]>
  running(): number
  /** At quit: ends all runs at once; they become `interrupted`. */
  close(): Promise<void>
}
