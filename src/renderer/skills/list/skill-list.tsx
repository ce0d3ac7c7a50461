import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { SkillList as List, SkillSummary } from '@shared/domain/skill'
import { parseSkillQuery } from '@shared/skill-query'
import { useSettings } from '../../stores/settings'
import { useSkillUses } from '../../stores/skill-use'
import { togglePane } from '../../stores/ui'
import './skill-grid.css'
import { BulkBar } from './bulk-bar'
import { EmptyList } from './empty-list'
import { FilterBar } from './filter-bar'
import { nestRows } from './grid-rows'
import type { GridRow } from './grid-rows'
import { chipCounts, hasWords, listSkills, matchSkills, warmTexts } from './skill-filter'
import type { FilterWith, SkillFilter, Sorting } from './skill-filter'
import { SkillGrid } from './skill-grid'
import { noteListed, setFilter, usePlace } from '../tree/skills-place'
import { focusList } from '../use-focus-home'
import { outsideReason } from '../use-catalogue'
import type { Outside } from '../use-catalogue'
import { useSearch, useSteadyRows } from '../use-skills'

export interface SkillListProps {
  list: List
  projectDir: string | null
  /** The selected row takes the focus at first. */
  takeFocus: boolean
  /** Both must stay the same functions. */
  onPick: (key: string) => void
  onOpen: (key: string) => void
  outside: Outside
}

/** What narrows the list, and the rows that are left. */
export function SkillList(props: SkillListProps) {
  const { list } = props
  const { filter, selected, marked } = usePlace((state) => state)
  const uses = useSkillUses()
  const [closed, toggle] = useClosed()
  const projectFirst = useSettings((state) => state.view?.settings.projectOverPersonal ?? false)
  const { hits, waiting, failed } = useSearch(props.projectDir, filter.query)
  // What is typed is seen at once; the rows follow.
  const asked = useDeferredValue(filter)
  useEffect(() => warmTexts(list.skills), [list.skills])
  const found = useFound(props, asked, { hits, projectFirst, use: uses })
  const shown = useSteadyRows(found.rows, waiting)
  const rows = useMemo(() => nestRows(shown, closed), [shown, closed])
  useNoteListed(rows, selected)
  const onSort = useCallback((sorting: Sorting) => setFilter({ ...filter, ...sorting }), [filter])
  const searching = hasWords(parseSkillQuery(filter.query))
  return (
    <>
      <FilterBar
        list={list}
        projectDir={props.projectDir}
        filter={filter}
        counts={found.counts}
        searching={searching}
        failed={failed}
        onFilter={setFilter}
        onLeave={focusList}
      />
      <BulkBar rows={rows} marked={marked} projectDir={props.projectDir} />
      {rows.length === 0 && <EmptyList list={list} projectDir={props.projectDir} filter={filter} />}
      {rows.length > 0 && (
        <SkillGrid
          rows={rows}
          projectDir={props.projectDir}
          selected={selected}
          marked={marked}
          filter={filter}
          hits={hits}
          uses={uses}
          outside={props.outside}
          takeFocus={props.takeFocus}
          onPick={props.onPick}
          onOpen={props.onOpen}
          onToggle={toggle}
          onPreview={togglePreview}
          onSort={onSort}
        />
      )}
    </>
  )
}

/** The details are of a row that is there, whatever is searched for. */
function useNoteListed(rows: readonly GridRow[], selected: string | null): void {
  const isListed = useMemo(
    () => selected === null || rows.some(({ skill }) => skill.key === selected),
    [rows, selected],
  )
  useEffect(() => noteListed(selected, isListed), [selected, isListed])
}

/** The rows for what is asked, and how many each chip would show of the same. */
function useFound(
  { list: { skills }, outside }: SkillListProps,
  asked: SkillFilter,
  { hits, projectFirst, use }: Required<Omit<FilterWith, 'outside'>>,
) {
  const matched = useMemo(() => {
    const isOutside = (skill: SkillSummary): boolean => outsideReason(skill, outside) !== ''
    return matchSkills(skills, asked, { hits, use, outside: isOutside })
  }, [skills, asked, hits, use, outside])
  const counts = useMemo(() => chipCounts(matched), [matched])
  const rows = useMemo(
    () => listSkills(matched, asked, { hits, projectFirst, use }),
    [matched, asked, hits, projectFirst, use],
  )
  return { rows, counts }
}

/** Keys of the skills whose children are folded away. */
function useClosed(): [ReadonlySet<string>, (key: string) => void] {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((key: string): void => {
    setClosed((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }, [])
  return [closed, toggle]
}

function togglePreview(): void {
  togglePane('inspector')
}
