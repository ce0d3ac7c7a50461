import { FunnelSimpleIcon as FilterIcon } from '@phosphor-icons/react/dist/csr/FunnelSimple'
import { useMemo } from 'react'
import type { AgentSummary } from '@shared/domain/agent'
import type { SkillList } from '@shared/domain/skill'
import { operatorText } from '@shared/skill-query'
import type { Operator } from '@shared/skill-query'
import { visibleLine } from '@shared/visible-text'
import { useAgents } from '../../stores/agents'
import { Button } from '../../ui/button'
import { CaretDownIcon, CloseIcon } from '../../ui/icons'
import { Menu, MenuChoice, MenuItem, MenuSeparator, SubMenu } from '../../ui/menu'
import { library } from '../library-strings'
import { knownValues } from './query-help'
import type { SkillFilter } from './skill-filter'

interface FilterMenuProps {
  list: SkillList
  projectDir: string | null
  filter: SkillFilter
  onFilter: (filter: SkillFilter) => void
}

/** Operators that are typed as well: choosing one writes it into the search. */
const TYPED: readonly ('tag' | 'tool' | 'license' | 'author')[] = ['tag', 'tool', 'license', 'author']
const RANGES = ['<1000', '1000..3000', '>3000', '>5000']
const MAX_VALUES = 40

/** More ways to narrow the list (ux.md 3.3): a tag, a tool, a license, an author, tokens, an agent, never used. */
export function FilterMenu(props: FilterMenuProps) {
  return (
    <Menu
      trigger={
        <Button small variant="quiet" aria-label={library.filter}>
          <FilterIcon size={14} />
          <span className="skl-word">{library.filter}</span>
          <CaretDownIcon size={14} />
        </Button>
      }
    >
      <Choices {...props} />
    </Menu>
  )
}

/** Gathered from all skills when the menu opens, not before. */
function Choices({ list, projectDir, filter, onFilter }: FilterMenuProps) {
  const known = useMemo(() => knownValues(list.skills), [list.skills])
  const write = (operator: Operator, value: string): void => {
    const text = operatorText({ operator, value, negated: false })
    onFilter({ ...filter, query: `${filter.query.trim()} ${text} `.trimStart() })
  }
  const offered = TYPED.map((operator) => [operator, known[operator] ?? []] as const)
  return (
    <>
      {offered.map(([operator, values]) => (
        <SubMenu key={operator} label={library.filterBy[operator]} disabled={values.length === 0}>
          {values.slice(0, MAX_VALUES).map((value) => (
            <MenuItem key={value} onSelect={() => write(operator, value)}>
              {visibleLine(value)}
            </MenuItem>
          ))}
        </SubMenu>
      ))}
      <SubMenu label={library.filterBy.status}>
        {Object.entries(library.statuses).map(([value, word]) => (
          <MenuItem key={value} onSelect={() => write('status', value)}>
            {word}
          </MenuItem>
        ))}
      </SubMenu>
      <SubMenu label={library.filterBy.tokens}>
        {RANGES.map((range) => (
          <MenuItem key={range} onSelect={() => write('tokens', range)}>
            {range}
          </MenuItem>
        ))}
      </SubMenu>
      <AgentMenu projectDir={projectDir} filter={filter} onFilter={onFilter} />
      <MenuSeparator />
      <MenuChoice
        checked={filter.neverUsed}
        onSelect={() => onFilter({ ...filter, neverUsed: !filter.neverUsed })}
      >
        {library.neverUsedFilter}
      </MenuChoice>
    </>
  )
}

function AgentMenu({ projectDir, filter, onFilter }: Omit<FilterMenuProps, 'list'>) {
  const using = useAgents(projectDir).filter(
    ({ status, usesSkills }) => status === 'effective' && usesSkills.length > 0,
  )
  return (
    <SubMenu label={library.filterBy.agent} disabled={using.length === 0}>
      {using.map((agent) => (
        <MenuItem
          key={agent.name}
          onSelect={() => onFilter({ ...filter, usedBy: usesOf(agent) })}
          hint={agent.usesSkills.length}
        >
          {visibleLine(agent.name)}
        </MenuItem>
      ))}
    </SubMenu>
  )
}

/** Those of the filters that stand in no other place, each to be taken away by a click. */
export function OtherFilters({ filter, onFilter }: Pick<FilterMenuProps, 'filter' | 'onFilter'>) {
  const { neverUsed, usedBy } = filter
  return (
    <>
      {neverUsed && (
        <Chosen label={library.neverUsedFilter} onRemove={() => onFilter({ ...filter, neverUsed: false })} />
      )}
      {usedBy && (
        <Chosen
          label={library.usedBy(visibleLine(usedBy.agent))}
          onRemove={() => onFilter({ ...filter, usedBy: null })}
        />
      )}
    </>
  )
}

function Chosen({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button type="button" className="chip on" aria-label={library.removeFilter(label)} onClick={onRemove}>
      {label}
      <CloseIcon size={12} aria-hidden="true" />
    </button>
  )
}

/** Names as the rows have them: what follows an @ only says which copy. */
function usesOf({ name, usesSkills }: AgentSummary): NonNullable<SkillFilter['usedBy']> {
  return { agent: name, skills: usesSkills.map((skill) => skill.replace(/@.*$/, '')) }
}
