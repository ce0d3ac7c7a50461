import { z } from 'zod'
import { AgentScope, AgentStatus } from './agent'
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

/** Everything that trusting a project would change, for the decision (F6). */
export const ProjectReview = TrustReview.extend({
  agents: z.array(AgentReview),
  /** `AGENTS.md` or `CLAUDE.md`, where the project has one: it would be sent with every call. */
  instructions: z.string().nullable(),
})
export type ProjectReview = z.infer<typeof ProjectReview>
