import { z } from 'zod'
import { DisclosureStyle } from './settings'
import { Diagnostic } from './skill'

/** Where an agent's file comes from, in the decided order (`runtime.md` 5). */
export const AgentScope = z.enum(['enterprise', 'personal', 'project', 'bundled'])
export type AgentScope = z.infer<typeof AgentScope>

/** `never` wins over everything; `allow` is never offered for scripts and Bash. */
export const ToolSetting = z.enum(['allow', 'ask', 'never'])
export type ToolSetting = z.infer<typeof ToolSetting>

/** How requests of scripts and commands are decided (`approvals.md` 5). */
export const AgentMode = z.enum(['ask', 'every-time', 'never'])
export type AgentMode = z.infer<typeof AgentMode>

/** How much a model thinks before it answers, where it can be told. */
export const Thinking = z.enum(['off', 'low', 'medium', 'high'])
export type Thinking = z.infer<typeof Thinking>

/** Which skills an agent sees: in `only` (null: any), with one of `tags` (null: any), and not in `except`. */
export const SkillChoice = z.object({
  only: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
  except: z.array(z.string()),
})
export type SkillChoice = z.infer<typeof SkillChoice>

/** For one turn, which is everything up to the next message of the person; null: as the app has it. */
export const AgentLimits = z.object({
  /** Model calls. */
  steps: z.number().int().positive().nullable(),
  minutes: z.number().positive().nullable(),
  tokens: z.number().int().positive().nullable(),
  activeSkills: z.number().int().min(1).max(10).nullable(),
})
export type AgentLimits = z.infer<typeof AgentLimits>

/** What an agent's file says besides its texts. */
export const AgentProfile = z.object({
  /** The name of its file, without `.md`. */
  name: z.string(),
  /** For people. */
  label: z.string(),
  description: z.string(),
  /** `provider/model`; null: the person's default. */
  model: z.string().nullable(),
  fallback: z.string().nullable(),
  thinking: Thinking.nullable(),
  style: DisclosureStyle.nullable(),
  /** Skills that are always loaded, in this order. */
  usesSkills: z.array(z.string()),
  skills: SkillChoice,
  /** By the name of a tool, of an MCP server (`mcp__tickets`), or `*` for all others. */
  tools: z.record(z.string(), ToolSetting),
  mode: AgentMode,
  limits: AgentLimits,
  /** Names of agents that it may hand work to. */
  subagents: z.array(z.string()),
})
export type AgentProfile = z.infer<typeof AgentProfile>

/** `broken`: shown with the reason, never chosen. `not-trusted`: inert until the project is trusted. */
export const AgentStatus = z.enum(['effective', 'shadowed', 'broken', 'not-trusted'])
export type AgentStatus = z.infer<typeof AgentStatus>

/** One file, as a list shows it. */
export const AgentSummary = AgentProfile.extend({
  scope: AgentScope,
  /** For display: starts at ~ or at the project. */
  location: z.string(),
  status: AgentStatus,
  /** One sentence; empty when effective. */
  statusReason: z.string(),
  /** SHA-256 of the file. */
  digest: z.string(),
  /** Estimated tokens of its texts, which every call holds. */
  tokens: z.number().int().nonnegative(),
  problems: z.array(Diagnostic),
})
export type AgentSummary = z.infer<typeof AgentSummary>
