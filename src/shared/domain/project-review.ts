import { z } from 'zod'
import { AgentScope, AgentStatus } from './agent'
import { Finding } from './approval'
import { TrustReview } from './skill'

/** An agent of a project, as it would be once the project is trusted. */
export const AgentReview = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  location: z.string(),
  /** The file that is used for this name now and would not be used any more. */
  replaces: z.object({ scope: AgentScope, location: z.string() }).optional(),
  becomes: AgentStatus,
})
export type AgentReview = z.infer<typeof AgentReview>

/** What the fixed rules found in one script of the project. */
export const ScriptFindings = z.object({
  /** Of the skill. */
  key: z.string(),
  path: z.string(),
  findings: z.array(Finding.pick({ level: true, title: true, line: true })),
})
export type ScriptFindings = z.infer<typeof ScriptFindings>

/** Everything that trusting a project would change, for the decision (F6). */
export const ProjectReview = TrustReview.extend({
  agents: z.array(AgentReview),
  /** Scripts in which something was found, worst first within each. */
  findings: z.array(ScriptFindings),
  /** Scripts that were not looked at: too many, or unreadable. */
  unchecked: z.number().int().nonnegative(),
  /** `AGENTS.md` or `CLAUDE.md`, where the project has one: it would be sent with every call. */
  instructions: z.string().nullable(),
})
export type ProjectReview = z.infer<typeof ProjectReview>
