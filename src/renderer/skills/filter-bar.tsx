import type { SkillList } from '@shared/domain/skill'
import { Button } from '../ui/button'
import { CaretDownIcon } from '../ui/icons'
import { Menu, MenuItem } from '../ui/menu'
import { FilterChip } from '../ui/tabs'
import { SearchBox, SearchNote } from './search-box'
import { chipCounts } from './skill-filter'
import type { Chip, SkillFilter, SortBy } from './skill-filter'

export interface FilterBarProps {
  list: SkillList
  filter: SkillFilter
  /** Words are typed: the search gives the order. */
  searching: boolean
  onFilter: (filter: SkillFilter) => void
  onLeave: () => void
}

const CHIPS: [Chip, string][] = [
  ['effective', 'Effective'],
  ['problems', 'Problems'],
  ['scripts', 'Has scripts'],
  ['off', 'Off'],
]

/** What narrows the list, and its order. */
export function FilterBar(props: FilterBarProps) {
  const { list, filter, onFilter } = props
  const counts = chipCounts(list.skills, filter.place)
  const toggle = (chip: Chip): void => {
    const chips = new Set(filter.chips)
    if (!chips.delete(chip)) chips.add(chip)
    onFilter({ ...filter, chips })
  }
  return (
    <div className="row skl-bar">
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
        All
      </FilterChip>
      {CHIPS.filter(([chip]) => chip !== 'off' || counts.off > 0 || filter.chips.has('off')).map(
        ([chip, label]) => (
          <FilterChip
            key={chip}
            pressed={filter.chips.has(chip)}
            count={counts[chip]}
            onPress={() => toggle(chip)}
          >
            {label}
          </FilterChip>
        ),
      )}
      <span className="sp" />
      <SortMenu {...props} />
      <SearchNote query={filter.query} list={list} />
    </div>
  )
}

const SORTS: Record<SortBy, string> = {
  best: 'Best match',
  order: 'Resolution order',
  name: 'Name',
  tokens: 'Tokens',
  files: 'Scripts and files',
  changed: 'Changed',
}

function SortMenu({ filter, searching, onFilter }: FilterBarProps) {
  const shown = filter.sort === 'best' && !searching ? 'order' : filter.sort
  const choices = (Object.keys(SORTS) as SortBy[]).filter((sort) => searching || sort !== 'best')
  return (
    <Menu
      align="end"
      trigger={
        <Button small variant="quiet" aria-label={`Sorted by: ${SORTS[shown]}`}>
          {SORTS[shown]}
          <CaretDownIcon size={14} />
        </Button>
      }
    >
      {choices.map((sort) => (
        <MenuItem
          key={sort}
          onSelect={() => onFilter({ ...filter, sort: sort === 'order' && !searching ? 'best' : sort })}
        >
          {SORTS[sort]}
        </MenuItem>
      ))}
    </Menu>
  )
}
