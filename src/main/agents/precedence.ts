import type { AgentScope, AgentStatus } from '@shared/domain/agent'
import type { AgentFile } from './folders'

/** One file as seen from a project, or from none. */
export interface AgentEntry extends AgentFile {
  status: AgentStatus
  /** One sentence; empty when effective. */
  statusReason: string
}

/** What decides besides the files. */
export interface AgentRules {
  /** The person's setting, or the policy's, that flips Personal and Project. */
  projectOverPersonal: boolean
  /** The project that is looked from is trusted. */
  trusted: boolean
}

const ORDER: readonly AgentScope[] = ['enterprise', 'personal', 'project', 'bundled']
const FLIPPED: readonly AgentScope[] = ['enterprise', 'project', 'personal', 'bundled']

/**
 * Which file of each name is used (`product.md`, decision 1, as for skills), by name, the used one first. A broken one,
 * or one of a project that is not trusted, never shadows another.
 */
export function resolveAgents(files: readonly AgentFile[], rules: AgentRules): AgentEntry[] {
  const order = rules.projectOverPersonal ? FLIPPED : ORDER
  const rank = ({ scope }: AgentFile) => order.indexOf(scope)
  const sorted = files.toSorted((a, b) => compare(a.agent.name, b.agent.name) || rank(a) - rank(b))
  const used = new Map<string, AgentFile>()
  for (const file of sorted) {
    if (whyInert(file, rules) === null && !used.has(file.agent.name)) used.set(file.agent.name, file)
  }
  return sorted
    .map((file) => entryOf(file, used.get(file.agent.name), rules))
    .sort((a, b) => compare(a.agent.name, b.agent.name) || place(a) - place(b))
}

function entryOf(file: AgentFile, used: AgentFile | undefined, rules: AgentRules): AgentEntry {
  const inert = whyInert(file, rules)
  if (inert) return { ...file, ...inert }
  if (file === used) return { ...file, status: 'effective', statusReason: '' }
  const by = used ? used.location : 'another file'
  return { ...file, status: 'shadowed', statusReason: `${by} has the same name and is used.` }
}

function whyInert(
  { agent, scope }: AgentFile,
  { trusted }: AgentRules,
): Pick<AgentEntry, 'status' | 'statusReason'> | null {
  if (scope === 'project' && !trusted) {
    return { status: 'not-trusted', statusReason: 'The project is not trusted.' }
  }
  if (!agent.broken) return null
  const error = agent.diagnostics.find(({ severity }) => severity === 'error')
  return { status: 'broken', statusReason: error?.message ?? 'The file can not be read.' }
}

/** The used one before the others, which stay in their order. */
function place({ status }: AgentEntry): number {
  return status === 'effective' ? 0 : 1
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
