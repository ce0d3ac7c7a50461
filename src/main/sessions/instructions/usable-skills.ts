import type { SessionRow } from '../../db/session-rows'
import type { SkillRecord } from '../../skills/record'
import type { Resolved } from '../../skills/registry/resolve'
import { agentOf, seesSkill, type AgentDeps } from '../agent/agent'
import type { CatalogueEntry } from './catalogue'
import type { SessionDeps } from '../deps'
import { createRelevance, type Relevance } from './relevance'
import { skillIds } from '../styles/ids'

/** What is needed to know what the chat's agent sees. */
type Deps = AgentDeps & Pick<SessionDeps, 'registry'>

/** Skills that a model may load in this chat, by name: effective, seen by its agent, and not for people only. */
export function usableSkills(deps: Deps, session: SessionRow): readonly SkillRecord[] {
  return factsOf(deps, session).records
}

/** The copy that a name means for the chat's agent, whether it sees it by itself or not. */
export function resolveHere(deps: Deps, session: SessionRow, name: string): Resolved {
  return deps.registry.resolve(session.projectDir, name, agentOf(deps, session).name)
}

/** The same as what a catalogue is made of. Whoever puts work aside keeps it: later ones may be other skills. */
export function usableHere(deps: Deps, session: SessionRow): Usable {
  return factsOf(deps, session)
}

/** As entries of the catalogue, with their ids. */
export function entriesOf(facts: Usable): readonly CatalogueEntry[] {
  const { records, pinned } = facts
  facts.entries ??= skillIds(records).map((id, at) => {
    const { name, description, scope, projectDir, key } = records[at]!
    return { name, description, id, scope, inProject: projectDir !== null, pinned: pinned.has(key) }
  })
  return facts.entries
}

/** Finds among them, by place in their list. */
export function relevanceOf(facts: Usable): Relevance {
  facts.relevance ??= createRelevance(facts.records)
  return facts.relevance
}

/** The skills of one list of the registry for one agent, and what was made of them. */
export interface Usable {
  records: readonly SkillRecord[]
  /** Keys of those that the person chose for the project. */
  pinned: ReadonlySet<string>
  entries: readonly CatalogueEntry[] | null
  relevance: Relevance | null
}

/** The registry gives the same list as long as nothing in it changed. */
const known = new WeakMap<object, Map<string, Usable>>()

function factsOf(deps: Deps, session: SessionRow): Usable {
  const agent = agentOf(deps, session)
  const list = deps.registry.list(session.projectDir, agent.name)
  const byAgent = known.get(list) ?? new Map<string, Usable>()
  const found = byAgent.get(agent.digest)
  if (found) return found
  const entries = list.filter(
    ({ status, record }) =>
      status === 'effective' && !record.disableModelInvocation && seesSkill(agent, record),
  )
  const facts: Usable = {
    records: entries.map(({ record }) => record),
    pinned: new Set(entries.filter(({ pinned }) => pinned).map(({ record }) => record.key)),
    entries: null,
    relevance: null,
  }
  known.set(list, byAgent.set(agent.digest, facts))
  return facts
}
