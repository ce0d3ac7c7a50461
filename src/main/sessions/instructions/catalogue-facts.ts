import type { CatalogueFacts, CatalogueSkill } from '@shared/domain/context'
import type { SessionRow } from '../../db/session-rows'
import type { SkillEntry } from '../../skills/record'
import type { Catalogue } from './catalogue'
import type { SessionDeps } from '../deps'

/** More names than this are only counted. */
const MAX_LEFT = 300
const MAX_UNUSABLE = 200

/** What is kept of a catalogue (G6): what was in it, what was not, and why. */
export function catalogueFacts(
  { registry }: Pick<SessionDeps, 'registry'>,
  session: Pick<SessionRow, 'projectDir'>,
  catalogue: Catalogue,
): CatalogueFacts {
  const list = registry.list(session.projectDir)
  const known = facts.get(catalogue)
  if (known?.list === list) return known.facts
  const unusable = unusableIn(list)
  const { entries, omitted, descriptions, shown, left } = catalogue
  const told = [...left.slice(0, MAX_LEFT), ...unusable.slice(0, MAX_UNUSABLE)]
  const found = {
    entries,
    omitted,
    descriptions,
    shown,
    left: told,
    more: left.length + unusable.length - told.length,
  }
  facts.set(catalogue, { list, facts: found })
  return found
}

/** Catalogues are written once for the same question, and so is what is told of them. */
const facts = new WeakMap<Catalogue, { list: readonly SkillEntry[]; facts: CatalogueFacts }>()

/** Copies that are never in a catalogue here: by their status, or because only people may load them. */
function unusableIn(list: readonly SkillEntry[]): CatalogueSkill[] {
  return list.flatMap(({ record, status }) => {
    if (status !== 'effective') return [{ name: record.name, why: status }]
    return record.disableModelInvocation ? [{ name: record.name, why: 'people-only' }] : []
  })
}
