import type { AgentSummary } from '@shared/domain/agent'
import type { ChatAgent } from '@shared/domain/session'
import { SCOPE_NAMES } from '@shared/scope-names'
import { noteWords } from '../note-strings'

/** What stands beside an agent in the list of those that a chat can be with. */
export function agentHint({ scope, status, problems }: AgentSummary): string {
  if (status === 'not-trusted') return noteWords.agentWords.notTrusted
  if (status === 'broken') return noteWords.agentWords.wontLoad
  const count = problems.filter(({ severity }) => severity !== 'info').length
  const where = SCOPE_NAMES[scope]
  return count === 0 ? where : noteWords.agentWords.countProblem(where, count)
}

/** What became of the file that a chat began with; empty when nothing did. */
export function fileText({ file, label, otherFile }: ChatAgent): string {
  if (file === 'changed' && otherFile) {
    const whose =
      otherFile.scope === 'project' ? noteWords.agentWords.ofTheProject : SCOPE_NAMES[otherFile.scope]
    return noteWords.agentWords.anotherFileNowHas(label, otherFile.location, whose)
  }
  if (file === 'changed') return noteWords.agentWords.theFileOfChanged(label)
  return file === 'gone' ? noteWords.agentWords.theFileOfIs(label) : ''
}

/** What a project's file would let the agent do; empty when there is nothing to confirm. */
export function unconfirmedText({ unconfirmed, label }: ChatAgent): string {
  if (unconfirmed.length === 0) return ''
  const tools = unconfirmed.length < 2 ? unconfirmed.join('') : listed(unconfirmed)
  return noteWords.agentWords.theProjectsFileLets(label, tools)
}

function listed(names: readonly string[]): string {
  return noteWords.agentWords.and(names.slice(0, -1).join(', '), names.at(-1)!)
}
