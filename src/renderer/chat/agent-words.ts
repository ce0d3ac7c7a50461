import type { AgentSummary } from '@shared/domain/agent'
import type { ChatAgent } from '@shared/domain/session'
import { SCOPE_NAMES } from '@shared/scope-names'
import { plural } from '../ui/format'

/** Letters that fit into the margin beside a message. */
const MARGIN = 12

/** An agent as who speaks: its name, or the last word of one that is too long for the margin. */
export function speakerName(label: string): string {
  if (label.length <= MARGIN) return label
  const last = label.split(' ').at(-1)!
  return last.charAt(0).toUpperCase() + last.slice(1)
}

/** What stands beside an agent in the list of those that a chat can be with. */
export function agentHint({ scope, status, problems }: AgentSummary): string {
  if (status === 'not-trusted') return 'not trusted'
  if (status === 'broken') return 'won’t load'
  const count = problems.filter(({ severity }) => severity !== 'info').length
  const where = SCOPE_NAMES[scope]
  return count === 0 ? where : `${where}, ${plural(count, 'problem', 'problems')}`
}

/** What became of the file that a chat began with; empty when nothing did. */
export function fileText({ file, label }: ChatAgent): string {
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
