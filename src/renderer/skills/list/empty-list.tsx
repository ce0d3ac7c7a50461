import type { SkillList } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { openNewSkill } from '../../arranging/arranging-store'
import { words } from '../../arranging/strings'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/note'
import { library } from '../library-strings'
import { placeName, ROOT_WORDS } from '../tree/places'
import { NO_FILTER } from './skill-filter'
import type { SkillFilter } from './skill-filter'
import { setFilter } from '../tree/skills-place'

interface EmptyProps {
  list: SkillList
  projectDir: string | null
}

/** Why there are no rows, with a way on (`ux.md` 2.10). */
export function EmptyList({ list, projectDir, filter }: EmptyProps & { filter: SkillFilter }) {
  if (list.skills.length === 0) return <NoSkills list={list} projectDir={projectDir} />
  const isHere = filter.place.kind === 'scope' && !isNarrowed(filter)
  return (
    <EmptyState text={visibleLine(emptyWords(filter))}>
      {isHere && <Button onClick={() => openNewSkill(projectDir)}>{words.newSkill}</Button>}
      {filter.query.trim() === '' ? (
        <Button onClick={() => setFilter(NO_FILTER)}>{library.empty.showAll(list.skills.length)}</Button>
      ) : (
        <>
          <Button onClick={() => setFilter({ ...NO_FILTER, query: filter.query })}>
            {library.empty.searchAll(list.skills.length)}
          </Button>
          <Button onClick={() => setFilter(NO_FILTER)}>{library.empty.clear}</Button>
        </>
      )}
    </EmptyState>
  )
}

/** "Nothing matches 'kube' in Project." */
export function emptyWords(filter: SkillFilter): string {
  const where = placeName(filter.place)
  const query = filter.query.trim()
  if (query !== '') return library.empty.noMatch(query, where)
  return isNarrowed(filter) ? library.empty.noFit(where) : library.empty.nothingIn(where)
}

function isNarrowed({ query, chips, neverUsed, usedBy }: SkillFilter): boolean {
  return query.trim() !== '' || chips.size > 0 || neverUsed || usedBy !== null
}

function NoSkills({ list, projectDir }: EmptyProps) {
  return (
    <EmptyState
      text={
        <>
          {library.empty.noSkills}
          {list.roots.map((root) => (
            <span key={`${root.scope}:${root.location}`} className="row small">
              <span className="mono">{visibleLine(root.location)}</span>
              <span className="t3">{root.note ?? ROOT_WORDS[root.state]}</span>
            </span>
          ))}
        </>
      }
    >
      <Button onClick={() => openNewSkill(projectDir)}>{words.newSkill}</Button>
    </EmptyState>
  )
}
