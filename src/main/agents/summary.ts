import type { AgentSummary } from '@shared/domain/agent'
import { estimateTokens } from '@shared/tokens'
import type { AgentEntry } from './precedence'

/** An agent as a list shows it; its texts stay out. */
export function summaryOf({
  agent,
  scope,
  location,
  status,
  statusReason,
  digest,
}: AgentEntry): AgentSummary {
  const { role, overrides, frontmatter: _all, diagnostics: problems, broken: _broken, ...profile } = agent
  const tokens = estimateTokens(role) + estimateTokens(overrides)
  return { ...profile, scope, location, status, statusReason, digest, tokens, problems }
}
