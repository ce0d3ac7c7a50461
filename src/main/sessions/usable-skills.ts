import type { SessionRow } from '../db/session-rows'
import type { SkillRecord } from '../skills/record'
import type { CatalogueEntry } from './catalogue'
import type { SessionDeps } from './deps'
import { plainLine } from './escape'
import { createRelevance, type Relevance } from './relevance'
import { skillIds } from './styles/ids'

/** Skills that a model may load in this chat, by name: effective and not for people only. */
export function usableSkills(
  deps: Pick<SessionDeps, 'registry'>,
  session: SessionRow,
): readonly SkillRecord[] {
  return factsOf(deps, session).records
}

/** The same as entries of the catalogue, with their ids. */
export function usableEntries(
  deps: Pick<SessionDeps, 'registry'>,
  session: SessionRow,
): readonly CatalogueEntry[] {
  const facts = factsOf(deps, session)
  const { records, pinned } = facts
  facts.entries ??= skillIds(records).map((id, at) => {
    const { name, description, scope, key } = records[at]!
    return { name, description: plainLine(description), id, scope, pinned: pinned.has(key) }
  })
  return facts.entries
}

/** Finds among `usableSkills`, by place in that list. */
export function relevanceOf(deps: Pick<SessionDeps, 'registry'>, session: SessionRow): Relevance {
  const facts = factsOf(deps, session)
  facts.relevance ??= createRelevance(facts.records)
  return facts.relevance
}

interface Facts {
  records: readonly SkillRecord[]
  /** Keys of those that the person chose for the project. */
  pinned: ReadonlySet<string>
  entries: readonly CatalogueEntry[] | null
  relevance: Relevance | null
}

/** The registry gives the same list as long as nothing in it changed. */
const known = new WeakMap<object, Facts>()

function factsOf({ registry }: Pick<SessionDeps, 'registry'>, session: SessionRow): Facts {
  const list = registry.list(session.projectDir)
  const found = known.get(list)
  if (found) return found
  const entries = list.filter(
    ({ status, record }) => status === 'effective' && !record.disableModelInvocation,
  )
  const facts: Facts = {
    records: entries.map(({ record }) => record),
    pinned: new Set(entries.filter(({ pinned }) => pinned).map(({ record }) => record.key)),
    entries: null,
    relevance: null,
  }
  known.set(list, facts)
  return facts
}
