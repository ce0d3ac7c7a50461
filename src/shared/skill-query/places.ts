import { Scope } from '../domain/skill'
import type { SkillQuery } from '../skill-query'
import { toolIds } from '../tool-ids'
import { matchesOperators } from './match'
import type { SkillFacets } from './match'

/** Where skills are, for `from:`. */
export interface KnownPlaces {
  skills: readonly SkillFacets[]
  /** Folders that are searched; of those of other tools and of plugins the name counts. */
  roots: readonly { tool?: string | undefined }[]
}

/** What is said of a `from:` that names no scope, tool or plugin; one sentence for each. */
export function unknownPlaces({ operators }: Pick<SkillQuery, 'operators'>, known: KnownPlaces): string[] {
  const froms = operators.filter(({ operator }) => operator === 'from')
  if (froms.length === 0) return []
  const tools = [...toolIds(), ...known.roots.flatMap(({ tool }) => tool ?? [])]
  const places: readonly SkillFacets[] = [
    ...Scope.options.map((scope) => ({ ...NOWHERE, scope })),
    ...tools.map((tool) => ({ ...NOWHERE, tool })),
  ]
  return froms
    .filter((term) => {
      const query = { operators: [{ ...term, negated: false }] }
      const isThere = (row: SkillFacets) => matchesOperators(query, row)
      return !places.some(isThere) && !known.skills.some(isThere)
    })
    .map(({ value }) => `"from:${value}" names no scope, tool or plugin that is known here.`)
}

const NOWHERE = {
  name: '',
  scope: 'personal',
  status: 'effective',
  scripts: 0,
  problems: 0,
  tokens: { catalogue: 0, body: 0, files: 0 },
  tags: [],
  tools: [],
} as const
