import { z } from 'zod'
import { ArgScope, RuleDays } from './arg-scope'
import { CallEdit } from './call-edit'
import { FileChange, Sha256 } from './file-change'
import { HostWish } from './host-grant'
import { SecretWish } from './secret'
import { Scope } from './skill'

/** What a run may touch, frozen into the plan (SB-4). */
export const SandboxPlan = z.object({
  backend: z.enum(['bwrap', 'none']),
  /** Name of the backend with version, for people: "bubblewrap 0.8.0". */
  label: z.string(),
  profile: z.enum(['read-only', 'workspace-write', 'none']),
  /** Of the list of profiles; plans of before it was kept have none. */
  profileVersion: z.number().int().positive().optional(),
  /** The skill asks for less than the person's setting gives. */
  narrowed: z.boolean().optional(),
  /** Hosts that the skill asks for; asking gives none. */
  hostsAsked: z.array(z.string()).optional(),
  /** `hosts`: those of `hosts` by TLS, and nothing else. */
  network: z.enum(['off', 'hosts', 'on']),
  /** As `name:port`, or `*.name:port` for all names below one; only with `hosts`. */
  hosts: z.array(z.string()).optional(),
  /** Real paths the script can write. */
  writable: z.array(z.string()),
  /** In words: "the project, the skill, system programs". */
  readable: z.array(z.string()),
})
export type SandboxPlan = z.infer<typeof SandboxPlan>

/** What one run may use (SB-6), beside its time. */
export const RunLimits = z.object({
  processes: z.number().int().positive(),
  memoryBytes: z.number().int().positive(),
  /** Of one file that it writes. */
  fileBytes: z.number().int().positive(),
})
export type RunLimits = z.infer<typeof RunLimits>

export const Mount = z.object({ name: z.string(), treeDigest: Sha256 })

/** Packages that were prepared for exactly these contents of a skill, read-only for the run (ADR 0037). */
export const RunEnvironment = z.object({
  kind: z.enum(['python', 'node']),
  /** Real path, the same inside the sandbox. */
  folder: z.string(),
  /** Of all that lies in it, looked at again before a run. */
  digest: Sha256,
  packages: z.array(z.string()),
})
export type RunEnvironment = z.infer<typeof RunEnvironment>

/** What a preparation puts into its folder, and for what. */
export const Preparation = z.object({
  kind: RunEnvironment.shape.kind,
  /** Of the skill's contents, what is declared and the interpreter: a run with the same finds it. */
  key: Sha256,
  /** Where the packages are named: "the script", "requirements.txt". */
  source: z.string(),
  /** As they are named there. */
  packages: z.array(z.string()),
})
export type Preparation = z.infer<typeof Preparation>

/**
 * What will be executed, frozen (AP-2): its canonical JSON is hashed, shown, and handed to the runner as it is.
 * `argv[0]` is the interpreter as the sandbox sees it; the script is under `/.sandbox/skills/<name>/`. A hook is a
 * script that its skill runs itself; a shell text has neither skill nor script. `prepare` fetches packages for the
 * scripts of a skill: it has a skill and no script, and its workspace is the new folder for them.
 */
export const RunPlan = z.object({
  version: z.literal(1),
  kind: z.enum(['script', 'hook', 'shell', 'prepare']),
  skill: z.object({ name: z.string(), scope: Scope, key: z.string(), treeDigest: Sha256 }).nullable(),
  script: z.object({ path: z.string(), sha256: Sha256, bytes: z.number().int().nonnegative() }).nullable(),
  interpreter: z.object({
    /** Row of the interpreter table: "python3". */
    name: z.string(),
    /** Real path of the program. */
    path: z.string(),
    version: z.string(),
    /** Of the program's file, looked at again before it starts. Plans of before it was kept have none and can't run. */
    sha256: Sha256.optional(),
    source: z.enum(['shebang', 'extension', 'content', 'shell']),
    /** Folders outside /usr that must be mounted read-only for it to work. */
    prefixes: z.array(z.string()),
  }),
  argv: z.array(z.string()).min(1),
  /** Real path. */
  cwd: z.string(),
  /** The chat's workspace: the project, or a folder of its own. Real path. */
  workspace: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Names of secrets that are set besides, read only when it begins; left out: none. */
  secrets: z.array(z.string()).optional(),
  /** Text given on standard input; null: closed. */
  stdin: z.string().nullable(),
  interactive: z.boolean(),
  /** A person said that it draws the whole terminal and reacts to its size and keys; left out: it does not. */
  fullScreen: z.literal(true).optional(),
  timeoutMs: z.number().int().positive(),
  /** Plans of before they were kept have none; those of then apply. */
  limits: RunLimits.optional(),
  /** Snapshots mounted read-only at /.sandbox/skills/<name>. */
  mounts: z.array(Mount),
  /** Of a script or hook; left out: it has none. */
  environment: RunEnvironment.optional(),
  /** Of a `prepare`. */
  prepares: Preparation.optional(),
  sandbox: SandboxPlan,
})
export type RunPlan = z.infer<typeof RunPlan>

/** One file of the workspace that would be written; the new text is bound by `after`, the old one by `before`. */
export const FileEditPlan = FileChange.extend({
  version: z.literal(1),
  kind: z.literal('file_edit'),
  /** Real path; `path` is relative to it. */
  workspace: z.string(),
})
export type FileEditPlan = z.infer<typeof FileEditPlan>

/** One call of a tool of an MCP server. Everything but the names of server and tool is the server's or the model's. */
export const McpPlan = z.object({
  version: z.literal(1),
  kind: z.literal('mcp'),
  server: z.object({
    /** As in the person's own settings. */
    name: z.string(),
    /** Of its definition, so that a changed server is asked for again. */
    digest: Sha256,
  }),
  tool: z.object({
    name: z.string(),
    description: z.string(),
    /** Of name, description and schema as the server listed them. */
    digest: Sha256,
    /** What the server says about the tool; nobody checked it. */
    annotations: z.record(z.string(), z.unknown()),
  }),
  arguments: z.record(z.string(), z.unknown()),
  timeoutMs: z.number().int().positive(),
})
export type McpPlan = z.infer<typeof McpPlan>

/** What a request asks for, by kind. Rows of before there were kinds are scripts. */
export const RequestPlan = z.discriminatedUnion('kind', [RunPlan, FileEditPlan, McpPlan])
export type RequestPlan = z.infer<typeof RequestPlan>

/** The plan of a request that runs something; null for one that does not. */
export function runPlanOf(plan: RequestPlan): RunPlan | null {
  return plan.kind === 'file_edit' || plan.kind === 'mcp' ? null : plan
}

/** The arguments of a plan's script, as a call or a person gave them; without a script none. */
export function scriptArguments({ argv, script, interpreter }: RunPlan): string[] {
  if (!script) return []
  // A program is what runs itself; of another script something stands before it.
  const from = interpreter.source === 'content' ? 0 : 1
  const at = argv.findIndex((word, index) => index >= from && word.endsWith(`/${script.path}`))
  return at === -1 ? [] : argv.slice(at + 1)
}

/** A fact that a fixed rule found in the script or the arguments. Never a verdict. */
export const Finding = z.object({
  id: z.string(),
  level: z.enum(['information', 'notable', 'serious']),
  title: z.string(),
  text: z.string(),
  /** 1-based line of the script. */
  line: z.number().int().positive().optional(),
})
export type Finding = z.infer<typeof Finding>

/** States of `approvals.md` 4. `pending` is what a person sees as Waiting. */
export const RequestStatus = z.enum([
  'pending',
  'approved',
  'denied',
  /** Decided by a rule before anybody was asked. */
  'auto_allowed',
  'auto_denied',
  /** It waited when a rule that allows it was made. */
  'superseded',
  'stale',
  'cancelled',
  'expired',
  /** A person changed what it asks for: another request took its place. */
  'edited',
])
export type RequestStatus = z.infer<typeof RequestStatus>

/** Whether it may be carried out, once. */
export function isAllowed(status: RequestStatus): boolean {
  return status === 'approved' || status === 'auto_allowed' || status === 'superseded'
}

/** A request in lists and in the dock. */
export const RequestSummary = z.object({
  id: z.string(),
  /** Rises with every change of the request; a decision must name it. */
  revision: z.number().int().positive(),
  sessionId: z.string(),
  sessionTitle: z.string(),
  callId: z.string(),
  status: RequestStatus,
  plan: RequestPlan,
  /** sha256 of the plan's canonical JSON. */
  planHash: Sha256,
  findings: z.array(Finding),
  /** Why the person is asked, one sentence. */
  askReason: z.string(),
  /** Allow is offered only in the review. */
  reviewRequired: z.boolean(),
  /** The contents changed since this script was last allowed. */
  changed: z.object({ since: z.number(), added: z.number(), removed: z.number() }).nullable(),
  /** It waited while the app was closed; it will be checked again. */
  restored: z.boolean(),
  agentName: z.string(),
  createdAt: z.number(),
  /** When it ends unanswered, in milliseconds since 1970; left out: never. */
  endsAt: z.number().optional(),
  decidedAt: z.number().nullable(),
  decidedBy: z.enum(['person', 'rule', 'mode']).nullable(),
  /** What was written with a denial. */
  note: z.string().nullable(),
  /** What the rule that decided, or that makes this be asked, said then. */
  ruleText: z.string().nullable(),
})
export type RequestSummary = z.infer<typeof RequestSummary>

/** Everything the review shows. Text is data: the renderer never interprets it. */
export const RequestDetail = RequestSummary.extend({
  lastUserMessage: z.string(),
  script: z
    .object({
      /** null when the file is binary. */
      text: z.string().nullable(),
      bytes: z.number().int().nonnegative(),
      sha256: Sha256,
    })
    .nullable(),
  /** Text of the copy that was allowed before, for the diff. */
  previousText: z.string().nullable(),
  /** Of a script: the rest of its skill. Of a command: files of the active skills that its words name, as `skill/path`. */
  otherFiles: z.array(
    z.object({ path: z.string(), size: z.number(), text: z.string().nullable(), sha256: Sha256 }),
  ),
  before: z.object({
    runs: z.number().int().nonnegative(),
    succeeded: z.number().int().nonnegative(),
    lastDecision: z.object({ choice: z.string(), at: z.number(), sameContents: z.boolean() }).nullable(),
  }),
  /** Secrets that the skill asks for by name. */
  secrets: z.array(SecretWish),
  /** Hosts that it asks for by name. */
  hosts: z.array(HostWish),
  /** What of a run can be taken back; null: it can write nothing. `kept` is null while that is being looked at. */
  undo: z.object({ kept: z.number().int().nonnegative().nullable(), notes: z.array(z.string()) }).nullable(),
  /** The skill's folder beside the copy shown; `gone`: it is not there, or can't be read. */
  onDisk: z.enum(['same', 'changed', 'gone']),
  /** What may be remembered of it. */
  remember: z.object({
    /** Which arguments a rule may leave open, the narrowest first; empty: nothing may be remembered. */
    args: z.array(ArgScope),
    /** Why nothing may be; null where something may. */
    why: z.string().nullable(),
    /** Of the last requests, how many such a rule would have matched, by its arguments. */
    wouldMatch: z.object({ exact: z.number(), flags: z.number(), anyArgs: z.number(), of: z.number() }),
    /** For whom a rule would be. */
    agentLabel: z.string(),
    projectDir: z.string().nullable(),
    /** A rule of before that allowed this script with other contents of its skill, as its sentence. */
    lapsed: z.string().optional(),
    /** "Always deny" has something to name. */
    canDenyAlways: z.boolean(),
    /** The chat tries unsaved text: what is remembered ends with it. */
    chatOnly: z.literal(true).optional(),
  }),
})
export type RequestDetail = z.infer<typeof RequestDetail>

/** What a click sends: never a field of the plan, only which plan was seen (AP-2). */
export const Decision = z.object({
  requestId: z.string(),
  revision: z.number().int().positive(),
  planHash: Sha256,
  choice: z.enum(['once', 'chat', 'always', 'deny', 'deny_stop', 'deny_always', 'edit']),
  /** With `chat` and `always`: which arguments the rule leaves open, and for how many days it holds; null: for ever. */
  remember: z.object({ args: ArgScope, days: RuleDays }).optional(),
  /** Goes to the agent with a denial. */
  note: z.string().max(2000).optional(),
  /** With `edit`: what to ask for in its place. Nothing runs by it. */
  edited: CallEdit.optional(),
  /** Ids of the serious findings that were ticked. */
  acknowledged: z.array(z.string()).default([]),
})
export type Decision = z.infer<typeof Decision>

/** In place of an agent's name: a person typed the run itself (`satchel run`). */
export const ASKED_BY_PERSON = 'You'
