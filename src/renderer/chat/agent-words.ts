import type { AgentSummary } from '@shared/domain/agent'
import type { ChatAgent } from '@shared/domain/session'
import { SCOPE_NAMES } from '@shared/scope-names'
import { plural } from '../ui/format'

/** What stands beside an agent in the list of those that a chat can be with. */
export function agentHint({ scope, status, problems }: AgentSummary): string {
  if (status === 'not-trusted') return 'not trusted'
  if (status === 'broken') return 'won’t load'
  const count = problems.filter(({ severity }) => severity !== 'info').length
  const where = SCOPE_NAMES[scope]
  return count === 0 ? where : `${where}, ${plural(count, { one: 'problem', other: 'problems' })}`
}

/** What became of the file that a chat began with; empty when nothing did. */
export function fileText({ file, label, otherFile }: ChatAgent): string {
  if (file === 'changed' && otherFile) {
    const whose = otherFile.scope === 'project' ? 'of the project' : SCOPE_NAMES[otherFile.scope]
    return `Another file now has the name of ${label}: ${otherFile.location} (${whose}). This chat keeps the one that it began with.`
  }
  if (file === 'changed') return `The file of ${label} changed. This chat keeps the one that it began with.`
  return file === 'gone'
    ? `The file of ${label} is gone or can’t be used any more. This chat keeps the one that it began with.`
    : ''
}

/** What a project's file would let the agent do; empty when there is nothing to confirm. */
export function unconfirmedText({ unconfirmed, label }: ChatAgent): string {
  if (unconfirmed.length === 0) return ''
  const tools = unconfirmed.length < 2 ? unconfirmed.join('') : listed(unconfirmed)
  return `The project’s file lets ${label} use ${tools} without asking. It asks until you confirm that.`
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
}
