import { z } from 'zod'

/** What a provider speaks: Anthropic Messages, OpenAI Responses, Google Gemini, or OpenAI Chat Completions. */
const SPOKEN = ['anthropic', 'openai', 'google', 'openai-compatible'] as const

export const ProviderKind = z.enum(['practice', ...SPOKEN])
export type ProviderKind = z.infer<typeof ProviderKind>

/** Where a key lives. `env` names a variable of the app's own environment; `chat` keeps it in memory only. */
export const KeySource = z.enum(['none', 'keychain', 'env', 'memory'])
export type KeySource = z.infer<typeof KeySource>

/** A configured provider as the renderer may see it: never the key, only its last four characters (KEY-2). */
export const ProviderView = z.object({
  id: z.string(),
  kind: ProviderKind,
  label: z.string(),
  baseUrl: z.string().optional(),
  models: z.array(z.string()),
  keySource: KeySource,
  keyEnv: z.string().optional(),
  keyLast4: z.string().optional(),
  /** `ready`, or what is missing, in words. */
  state: z.enum(['ready', 'key-missing', 'key-unreadable']),
})
export type ProviderView = z.infer<typeof ProviderView>

/** What Settings sends. `baseUrl` is an http(s) address; changing it needs the key again (KEY-3). */
export const ProviderInput = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
  kind: z.enum(SPOKEN),
  label: z.string().min(1).max(60),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  models: z.array(z.string().min(1).max(200)).min(1).max(50),
  key: z
    .discriminatedUnion('store', [
      z.object({ store: z.literal('keychain'), value: z.string().min(1).max(10_000) }),
      z.object({ store: z.literal('memory'), value: z.string().min(1).max(10_000) }),
      z.object({ store: z.literal('env'), name: z.string().regex(/^[A-Z_][A-Z0-9_]{0,80}$/) }),
      z.object({ store: z.literal('none') }),
      z.object({ store: z.literal('keep') }),
    ])
    .default({ store: 'keep' }),
})
export type ProviderInput = z.infer<typeof ProviderInput>

/** A provider that is still being written down, to ask it what it offers. */
export const UnsavedProvider = ProviderInput.omit({ models: true })
export type UnsavedProvider = z.infer<typeof UnsavedProvider>

/** What was found, or what failed and what to do; names of the models that it offers, sorted. */
export const ProviderAnswer = z.object({ ok: z.boolean(), message: z.string(), models: z.array(z.string()) })
export type ProviderAnswer = z.infer<typeof ProviderAnswer>

/** A model server that answered on this computer, with the address to enter for it. */
export const LocalServer = z.object({
  /** The name of its preset: "Ollama". */
  name: z.string(),
  baseUrl: z.string(),
  /** Names of the models that it offers, sorted. */
  models: z.array(z.string()),
})
export type LocalServer = z.infer<typeof LocalServer>

/** `provider/model`; the practice agent is `practice/scripted`. */
export const ModelRef = z.string().regex(/^[a-z0-9-]+\/.+$/)
export type ModelRef = z.infer<typeof ModelRef>

export const PRACTICE_MODEL: ModelRef = 'practice/scripted'

export const Theme = z.enum(['system', 'light', 'dark', 'hc-light', 'hc-dark'])

/** The disclosure styles (R9). */
export const DisclosureStyle = z.enum([
  'runtime',
  'compact',
  'get-skill',
  'read-skill',
  'agent-skill-read',
  'skill-tool',
])

export type DisclosureStyle = z.infer<typeof DisclosureStyle>

/** What scripts may write (SB-4); a skill can only ask for less. */
export const SandboxProfile = z.enum(['read-only', 'workspace-write'])
export type SandboxProfile = z.infer<typeof SandboxProfile>

const SETTING = {
  theme: Theme,
  defaultModel: ModelRef,
  /** Who a new chat is with; General where it is not there. Never one of a project. */
  defaultAgent: z.string().min(1).max(100),
  /** Project skills outrank personal ones (decision 1, the flip). */
  projectOverPersonal: z.boolean(),
  /** Folders of other tools that Satchel may write to, by the tool's id; all others are read-only (F4). */
  writableTools: z.array(z.string().max(60)).max(100),
  /** How an agent without an opinion of its own is told of skills (`runtime.md` 4). */
  defaultStyle: DisclosureStyle,
  /** Entries that the catalogue holds, and its share of the model's window (R3). */
  catalogueMax: z.number().int().min(1).max(500),
  catalogueShare: z.number().min(0.001).max(0.2),
  maxActiveSkills: z.number().int().min(1).max(10),
  armDelayMs: z.number().int().min(300).max(2000),
  runTimeoutMs: z.number().int().min(1000).max(3_600_000),
  sandboxProfile: SandboxProfile,
  runMemoryMb: z.number().int().min(64).max(1_048_576),
  runProcesses: z.number().int().min(8).max(32_768),
  /** Shell scripts end at their first command that fails (X10), also where an agent's style does not ask for it. */
  stopOnError: z.boolean(),
  /** Absolute paths of programs that are used in place of the first on the PATH, by row of the interpreter table. */
  interpreters: z.record(z.string().max(20), z.string().max(4096)),
  /** US dollars that a chat, or all chats of a day, may cost before no call is made any more; null: no limit. */
  spendingLimitChat: z.number().min(0).max(100_000).nullable(),
  spendingLimitDay: z.number().min(0).max(100_000).nullable(),
  /** Names of MCP servers that are not used. */
  mcpOff: z.array(z.string().max(60)).max(100),
  /** Address of a proxy for model calls; empty: as the environment says. */
  proxy: z.string().max(500),
  /** Path of a PEM file with a further certificate authority; empty: as the environment says. */
  caFile: z.string().max(4096),
  /** Path of a file that each entry of the audit is also written to; empty: none. */
  auditFile: z.string().max(4096),
}

export const Settings = z.object({
  theme: SETTING.theme.default('system'),
  defaultModel: SETTING.defaultModel.default(PRACTICE_MODEL),
  defaultAgent: SETTING.defaultAgent.default('general'),
  projectOverPersonal: SETTING.projectOverPersonal.default(false),
  writableTools: SETTING.writableTools.default([]),
  defaultStyle: SETTING.defaultStyle.default('runtime'),
  catalogueMax: SETTING.catalogueMax.default(50),
  catalogueShare: SETTING.catalogueShare.default(0.02),
  maxActiveSkills: SETTING.maxActiveSkills.default(5),
  armDelayMs: SETTING.armDelayMs.default(600),
  runTimeoutMs: SETTING.runTimeoutMs.default(120_000),
  sandboxProfile: SETTING.sandboxProfile.default('workspace-write'),
  runMemoryMb: SETTING.runMemoryMb.default(2048),
  runProcesses: SETTING.runProcesses.default(256),
  stopOnError: SETTING.stopOnError.default(false),
  interpreters: SETTING.interpreters.default({}),
  spendingLimitChat: SETTING.spendingLimitChat.default(null),
  spendingLimitDay: SETTING.spendingLimitDay.default(null),
  mcpOff: SETTING.mcpOff.default([]),
  proxy: SETTING.proxy.default(''),
  caFile: SETTING.caFile.default(''),
  auditFile: SETTING.auditFile.default(''),
})
export type Settings = z.infer<typeof Settings>

/** Some of the settings. Without defaults: what is left out stays as it is. */
export const SettingsChange = z.object(SETTING).partial().strict()
export type SettingsChange = z.infer<typeof SettingsChange>

/** What this machine can do for a run, in words for people. */
export const SandboxView = z.object({
  backend: z.enum(['bwrap', 'none']),
  works: z.boolean(),
  /** "bubblewrap 0.8.0", or why there is none and what to do. */
  summary: z.string(),
  /** Whether a run can be let reach some hosts and no others, or why not. */
  network: z.string(),
  /** True when scripts may not run at all: as root without a sandbox. */
  runsRefused: z.boolean(),
})
export type SandboxView = z.infer<typeof SandboxView>

/** One row of the interpreter table, with what this machine has for it. */
export const InterpreterView = z.object({
  /** "python3": the name that is looked for. */
  kind: z.string(),
  /** "Python 3 (python3)" */
  name: z.string(),
  /** Endings of files that it runs without a first line that says so. */
  extensions: z.array(z.string()),
  /** Real path; null: there is none. */
  path: z.string().nullable(),
  version: z.string(),
  /** What the person set in place of the first on the PATH. */
  chosen: z.string().nullable(),
  /** Why there is none, and what to do. */
  problem: z.string().nullable(),
})
export type InterpreterView = z.infer<typeof InterpreterView>

/** Which part of the window a person was in, and which chat was open: there again after every start. */
export const WindowPlace = z.object({
  area: z.enum(['chats', 'skills', 'approvals', 'agents', 'audit', 'settings']),
  chatId: z.string().max(100).nullable(),
})
export type WindowPlace = z.infer<typeof WindowPlace>

/** Where the window stands, in pixels of the desktop, as it is kept between starts. */
export const WindowState = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  maximized: z.boolean(),
})
export type WindowState = z.infer<typeof WindowState>

/** What an organisation decides here. */
export const PolicyView = z.object({
  organisation: z.string(),
  /** As the file names it; empty: it does not. */
  version: z.string(),
  /** Path of the file; empty: there is none. */
  file: z.string(),
  digest: z.string(),
  source: z.enum(['file', 'last-good', 'locked-down', 'none']),
  /** What is wrong with it, in sentences. */
  notes: z.array(z.string()),
  /** Names of the settings that it decides. */
  locked: z.array(z.string()),
  /** What it demands, in sentences. */
  demands: z.array(z.string()),
})
export type PolicyView = z.infer<typeof PolicyView>

export const SettingsView = z.object({
  settings: Settings,
  policy: PolicyView,
  /** null before the first visit. */
  place: WindowPlace.nullable(),
  providers: z.array(ProviderView),
  sandbox: SandboxView,
  keychain: z.object({ available: z.boolean(), reason: z.string() }),
  dataDir: z.string(),
  /** Paths below it are shown from ~ on. */
  homeDir: z.string(),
  version: z.string(),
  /** "Electron 33.2.1", shown in Settings. */
  runtime: z.string(),
  runsAsRoot: z.boolean(),
})
export type SettingsView = z.infer<typeof SettingsView>
