import { useMemo } from 'react'
import type { SkillList } from '@shared/domain/skill'
import { Button } from '../../ui/button'
import { CaretDownIcon } from '../../ui/icons'
import { ArrowsDownUpIcon as SortIcon } from '@phosphor-icons/react/dist/csr/ArrowsDownUp'
import { Menu, MenuChoice, MenuSeparator } from '../../ui/menu'
import { FilterChip } from '../../ui/tabs'
import { FilterMenu, OtherFilters } from './filter-menu'
import { sortLabel } from './grid-head'
import { LayoutMenu } from './layout-menu'
import { library } from '../library-strings'
import { SearchBox, SearchNote } from './search-box'
import { chipCounts } from './skill-filter'
import type { Chip, SkillFilter, SortBy } from './skill-filter'
import { listWords } from './list-strings'

export interface FilterBarProps {
  list: SkillList
  projectDir: string | null
  filter: SkillFilter
  /** What each chip would show of what is searched for. */
  counts: Record<Chip | 'all', number>
  /** Words are typed: the search gives the order. */
  searching: boolean
  /** Files could not be searched. */
  failed: boolean
  onFilter: (filter: SkillFilter) => void
  onLeave: () => void
}

const CHIPS: [Chip, string][] = [
  ['effective', listWords.filterBar.effective],
  ['problems', listWords.filterBar.problems],
  ['scripts', listWords.filterBar.hasScripts],
  ['off', listWords.filterBar.off],
  ['enterprise', listWords.filterBar.enterprise],
]
/** Not offered where no skill at all is so; what is typed moves no chip. */
const ONLY_WITH_SOME: ReadonlySet<Chip> = new Set(['off', 'enterprise'])
/** With more the labels of the menus give way sooner (skills.css). */
const USUAL_CHIPS = CHIPS.length - ONLY_WITH_SOME.size

/** What narrows the list, and its order. */
export function FilterBar(props: FilterBarProps) {
  const { list, filter, counts, onFilter } = props
  const offered = useOffered(list, filter)
  const toggle = (chip: Chip): void => {
    const chips = new Set(filter.chips)
    if (!chips.delete(chip)) chips.add(chip)
    onFilter({ ...filter, chips })
  }
  return (
    <div className={offered.length > USUAL_CHIPS ? 'row skl-bar many' : 'row skl-bar'}>
      <SearchBox
        value={filter.query}
        skills={list.skills}
        onChange={(query) => onFilter({ ...filter, query })}
        onLeave={props.onLeave}
      />
      <FilterChip
        pressed={filter.chips.size === 0}
        count={counts.all}
        onPress={() => onFilter({ ...filter, chips: new Set() })}
      >
        {listWords.filterBar.all}
      </FilterChip>
      {offered.map(([chip, label]) => (
        <FilterChip
          key={chip}
          pressed={filter.chips.has(chip)}
          count={counts[chip]}
          onPress={() => toggle(chip)}
        >
          {label}
        </FilterChip>
      ))}
      <OtherFilters filter={filter} onFilter={onFilter} />
      <FilterMenu list={list} projectDir={props.projectDir} filter={filter} onFilter={onFilter} />
      <span className="sp" />
      <SortMenu {...props} />
      <LayoutMenu />
      <SearchNote query={filter.query} list={list} failed={props.failed} />
    </div>
  )
}

function useOffered({ skills }: SkillList, { chips }: SkillFilter): typeof CHIPS {
  const all = useMemo(() => chipCounts(skills), [skills])
  return CHIPS.filter(([chip]) => !ONLY_WITH_SOME.has(chip) || all[chip] > 0 || chips.has(chip))
}

const SORTS: readonly SortBy[] = ['best', 'order', 'name', 'status', 'tokens', 'runs', 'files', 'changed']

function SortMenu({ filter, searching, onFilter }: FilterBarProps) {
  const { reversed } = filter
  const shown = filter.sort === 'best' && !searching ? 'order' : filter.sort
  const choices = SORTS.filter((sort) => searching || sort !== 'best')
  const choose = (sort: SortBy): void =>
    onFilter({ ...filter, sort: sort === 'order' && !searching ? 'best' : sort, reversed: false })
  return (
    <Menu
      align="end"
      trigger={
        <Button small variant="quiet" aria-label={library.sortedBy(sortLabel(shown))}>
          <SortIcon size={14} />
          <span className="skl-word">{sortLabel(shown)}</span>
          <CaretDownIcon size={14} />
        </Button>
      }
    >
      {choices.map((sort) => (
        <MenuChoice key={sort} checked={sort === shown} onSelect={() => choose(sort)}>
          {sortLabel(sort)}
        </MenuChoice>
      ))}
      {shown !== 'best' && (
        <>
          <MenuSeparator />
          <MenuChoice checked={reversed} onSelect={() => onFilter({ ...filter, reversed: !reversed })}>
            {library.reverse}
          </MenuChoice>
        </>
      )}
    </Menu>
  )
}
