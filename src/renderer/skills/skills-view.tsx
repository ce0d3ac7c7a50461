import { useState } from 'react'
import type { SkillList } from '@shared/domain/skill'
import { api, messageOf } from '../api'
import { useProject } from '../stores/projects'
import { useSkillList, useSkills } from '../stores/skills'
import { addNotice, useUi } from '../stores/ui'
import { Button } from '../ui/button'
import { SearchField } from '../ui/field'
import { formatNumber, plural } from '../ui/format'
import { EmptyState, Note } from '../ui/note'
import { FilterChip } from '../ui/tabs'
import './skills.css'
import { ScopeTree } from './scope-tree'
import { chipCounts, filterSkills, NO_FILTER, ROOT_WORDS } from './skill-filter'
import type { Chip, SkillFilter } from './skill-filter'
import { SkillGrid } from './skill-grid'
import { SkillPage } from './skill-page'
import { SkillPreview } from './skill-preview'
import { setPlace, usePlace } from './skills-place'
import { useBodyHits, useCurrentProjectDir, useSkillDetail } from './use-skills'

/** The skills area: where they come from, the list, and the selected one. Read-only. */
export function SkillsView() {
  const projectDir = useCurrentProjectDir()
  const list = useSkillList(projectDir)
  const error = useSkills((state) => state.error)
  const [open, setOpen] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  const [typed, setTyped] = useState<SkillFilter>(NO_FILTER)
  const place = usePlace((state) => state.place)
  const hosted = usePlace((state) => state.hosts > 0)
  const filter = { ...typed, place }
  const setFilter = (next: SkillFilter): void => {
    setTyped(next)
    setPlace(next.place)
  }
  const loaded = useSkillDetail(projectDir, selected)
  const openSkill = (key: string): void => {
    setSelected(key)
    setOpen(true)
  }
  if (!list) return error ? <Note tone="bad">{error}</Note> : null
  if (open) return <SkillPage loaded={loaded} projectDir={projectDir} onBack={() => setOpen(false)} />
  return (
    <div className="skills">
      {!hosted && (
        <div className="skt-col">
          <ScopeTree list={list} place={place} onPlace={setPlace} />
        </div>
      )}
      <div className="skl">
        <ListHead list={list} projectDir={projectDir} />
        {error && <Note tone="bad">{error}</Note>}
        <List
          list={list}
          projectDir={projectDir}
          filter={filter}
          selected={selected}
          onFilter={setFilter}
          onSelect={setSelected}
          onOpen={openSkill}
        />
        <ListFoot list={list} />
      </div>
      <Preview loaded={loaded} list={list} onOpen={openSkill} />
    </div>
  )
}

function Preview(props: {
  loaded: ReturnType<typeof useSkillDetail>
  list: SkillList
  onOpen: (key: string) => void
}) {
  const inspector = useUi((state) => state.inspector)
  const reveal = async (key: string): Promise<void> => {
    try {
      await api.call('desktop.reveal', { key })
    } catch (error) {
      addNotice('error', messageOf(error))
    }
  }
  if (!inspector) return null
  return <SkillPreview {...props} onReveal={(key) => void reveal(key)} />
}

function ListHead({ list, projectDir }: { list: SkillList; projectDir: string | null }) {
  const project = useProject(projectDir)
  const effective = list.skills.filter((skill) => skill.status === 'effective').length
  const inert = list.skills.filter((skill) => skill.status === 'not-trusted').length
  const place = project ? ` in ${project.name}` : ''
  const trust = async (dir: string): Promise<void> => {
    try {
      await api.call('projects.trust', { dir, trusted: true })
    } catch (error) {
      addNotice('error', messageOf(error))
    }
  }
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>Skills</h1>
        <span className="small t3">{`${formatNumber(list.skills.length)} installed, ${formatNumber(effective)} effective${place}`}</span>
      </div>
      {project && !project.trusted && inert > 0 && (
        <div className="skl-note">
          <Note
            tone="warn"
            title={`${project.name} is not trusted`}
            action={
              <Button small onClick={() => void trust(project.dir)}>
                Trust this project
              </Button>
            }
          >
            {`${plural(inert, 'skill of it is', 'skills of it are')} inactive: no agent sees them. Look at them here first.`}
          </Note>
        </div>
      )}
    </>
  )
}

interface ListProps {
  list: SkillList
  projectDir: string | null
  filter: SkillFilter
  selected: string | null
  onFilter: (filter: SkillFilter) => void
  onSelect: (key: string) => void
  onOpen: (key: string) => void
}

function List(props: ListProps) {
  const { list, filter, onFilter } = props
  const hits = useBodyHits(props.projectDir, filter.query)
  const rows = filterSkills(list.skills, filter, new Set(hits.keys()))
  const openFirst = (): void => {
    const key = props.selected ?? rows[0]?.key
    if (key) props.onOpen(key)
  }
  return (
    <>
      <FilterBar list={list} filter={filter} onFilter={onFilter} />
      {list.skills.length === 0 && <NoSkills list={list} />}
      {list.skills.length > 0 && rows.length === 0 && <NoMatch {...props} />}
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter on a row opens it
        <div
          className="skl-grid"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.target as HTMLElement).matches('[role="row"]')) openFirst()
          }}
        >
          <SkillGrid
            skills={rows}
            selected={props.selected}
            sort={filter.sort}
            hits={hits}
            onSelect={props.onSelect}
            onOpen={props.onOpen}
            onSort={(sort) => onFilter({ ...filter, sort })}
          />
        </div>
      )}
    </>
  )
}

const CHIPS: [Chip, string][] = [
  ['effective', 'Effective'],
  ['problems', 'Problems'],
  ['scripts', 'Has scripts'],
]

function FilterBar({ list, filter, onFilter }: Pick<ListProps, 'list' | 'filter' | 'onFilter'>) {
  const counts = chipCounts(list.skills, filter.place)
  const toggle = (chip: Chip): void => {
    const chips = new Set(filter.chips)
    if (!chips.delete(chip)) chips.add(chip)
    onFilter({ ...filter, chips })
  }
  return (
    <div className="row skl-bar">
      <SearchField
        label="Filter by name, text, from:project"
        value={filter.query}
        onChange={(query) => onFilter({ ...filter, query })}
      />
      <FilterChip
        pressed={filter.chips.size === 0}
        count={counts.all}
        onPress={() => onFilter({ ...filter, chips: new Set() })}
      >
        All
      </FilterChip>
      {CHIPS.map(([chip, label]) => (
        <FilterChip
          key={chip}
          pressed={filter.chips.has(chip)}
          count={counts[chip]}
          onPress={() => toggle(chip)}
        >
          {label}
        </FilterChip>
      ))}
      {filter.sort !== 'order' && (
        <Button small variant="quiet" onClick={() => onFilter({ ...filter, sort: 'order' })}>
          Resolution order
        </Button>
      )}
    </div>
  )
}

function NoMatch({ list, filter, onFilter }: ListProps) {
  const what =
    filter.query.trim() === ''
      ? 'Nothing is here with these filters.'
      : `Nothing matches “${filter.query.trim()}” here.`
  return (
    <EmptyState text={what}>
      <Button onClick={() => onFilter({ ...NO_FILTER, query: filter.query })}>
        {`Search all ${formatNumber(list.skills.length)}`}
      </Button>
      <Button onClick={() => onFilter(NO_FILTER)}>Clear</Button>
    </EmptyState>
  )
}

function NoSkills({ list }: { list: SkillList }) {
  return (
    <EmptyState
      text={
        <>
          No skills found. These folders were searched:
          {list.roots.map((root) => (
            <span key={`${root.scope}:${root.location}`} className="row small">
              <span className="mono">{root.location}</span>
              <span className="t3">{root.note ?? ROOT_WORDS[root.state]}</span>
            </span>
          ))}
        </>
      }
    />
  )
}

function ListFoot({ list }: { list: SkillList }) {
  const noted = list.roots.find((root) => root.note)
  const scanned = `Scanned ${plural(list.roots.length, 'folder', 'folders')} in ${formatNumber(Math.round(list.scanMs))} ms`
  return (
    <div className="row small t3 skl-foot">
      <span className="trunc">
        {noted ? `${scanned}. ${noted.location}: ${noted.note}` : `${scanned}, watching for changes`}
      </span>
      <span className="sp" />
      <span className="num">{`Catalogue cost per message: ${formatNumber(list.catalogueTokens)} tokens`}</span>
    </div>
  )
}
