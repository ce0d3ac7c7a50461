/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a grid of rows that act (APG): rows take the focus, and only those on screen are drawn */
import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { SkillSummary } from '@shared/domain/skill'
import { formatAgo, formatExact, formatNumber } from '../ui/format'
import { NotTrustedIcon, ShadowedIcon } from '../ui/icons'
import { ScopeMark, StatusMark } from '../ui/marks'
import { useNow } from '../ui/use-now'
import { VisibleText } from '../ui/visible-text'
import { moveRow, typeAhead } from './grid-keys'
import { statusWords } from './skill-facts'
import type { SortBy } from './skill-filter'

export interface SkillGridProps {
  skills: readonly SkillSummary[]
  selected: string | null
  sort: SortBy
  /** Where the words were found, by key. */
  hits: ReadonlyMap<string, string>
  onSelect: (key: string) => void
  onOpen: (key: string) => void
  onSort: (sort: SortBy) => void
}

const ROW_HEIGHT = 52
/** Above this many rows only those on screen are drawn. */
const VIRTUAL_ABOVE = 100
const TYPE_GAP_MS = 700
const COLUMNS: { label: string; sort: SortBy; end?: boolean }[] = [
  { label: 'Skill', sort: 'name' },
  { label: 'From', sort: 'order' },
  { label: 'Status', sort: 'order' },
  { label: 'Tokens', sort: 'tokens', end: true },
  { label: 'Scripts / files', sort: 'files', end: true },
  { label: 'Changed', sort: 'changed', end: true },
]

/** The list: arrows move, Enter opens, letters jump. The row has the focus, not its cells. */
export function SkillGrid(props: SkillGridProps) {
  const { skills, selected } = props
  const scroller = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    skills.findIndex((skill) => skill.key === selected),
  )
  // oxlint-disable-next-line react/incompatible-library -- it re-renders by itself, nothing is memoised over it
  const virtualizer = useVirtualizer({
    count: skills.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: skills.length > VIRTUAL_ABOVE ? 10 : VIRTUAL_ABOVE,
  })
  const focusRow = useFocusRow(scroller)
  const onKeyDown = useGridKeys(skills, at, (index) => {
    const key = skills[index]?.key
    if (!key) return
    props.onSelect(key)
    virtualizer.scrollToIndex(index)
    focusRow(index)
  })
  return (
    <div
      className="skg"
      role="grid"
      aria-label="Skills"
      aria-rowcount={skills.length + 1}
      aria-colcount={COLUMNS.length}
      onKeyDown={onKeyDown}
    >
      <HeadRow sort={props.sort} onSort={props.onSort} />
      <div ref={scroller} className="skg-scroll" role="rowgroup">
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map((item) => {
            const skill = skills[item.index]
            return skill ? (
              <Row
                key={skill.key}
                {...props}
                skill={skill}
                index={item.index}
                current={item.index === at}
                top={item.start}
              />
            ) : null
          })}
        </div>
      </div>
    </div>
  )
}

function HeadRow({ sort, onSort }: Pick<SkillGridProps, 'sort' | 'onSort'>) {
  return (
    <div className="skg-row skg-head" role="row" aria-rowindex={1}>
      {COLUMNS.map((column) => {
        const on = column.sort === sort && column.sort !== 'order'
        return (
          <span
            key={column.label}
            role="columnheader"
            className={clsx(column.end && 'r')}
            aria-sort={on ? (sort === 'name' ? 'ascending' : 'descending') : undefined}
          >
            <button
              type="button"
              className={clsx('skg-sort', on && 'on')}
              onClick={() => onSort(on ? 'order' : column.sort)}
            >
              {column.label}
              {on && <span aria-hidden="true">{sort === 'name' ? ' ↑' : ' ↓'}</span>}
            </button>
          </span>
        )
      })}
    </div>
  )
}

interface RowProps extends SkillGridProps {
  skill: SkillSummary
  index: number
  current: boolean
  top: number
}

function Row({ skill, index, current, top, selected, hits, onSelect, onOpen }: RowProps) {
  const now = useNow(60_000)
  const dim = skill.status === 'shadowed' || skill.status === 'not-trusted'
  const broken = skill.status === 'broken'
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the grid
    <div
      className={clsx('skg-row', skill.key === selected && 'on')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={skill.key === selected}
      tabIndex={current ? 0 : -1}
      data-index={index}
      data-skill={skill.name}
      data-scope={skill.scope}
      data-state={skill.status}
      data-effective={skill.status === 'effective'}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(skill.key)}
      onDoubleClick={() => onOpen(skill.key)}
    >
      <span role="gridcell" className="col trunc">
        <span className={clsx('mono m trunc', dim && 't3')}>{skill.name}</span>
        <span className="small t3 trunc">
          <VisibleText text={hits.get(skill.key) ?? (broken ? skill.statusReason : skill.description)} />
        </span>
      </span>
      <span role="gridcell">
        <ScopeMark scope={skill.scope} />
      </span>
      <span role="gridcell" title={skill.statusReason}>
        <Status skill={skill} />
      </span>
      <span role="gridcell" className="r num small">
        {broken ? '— / —' : `${formatNumber(skill.tokens.catalogue)} / ${formatNumber(skill.tokens.body)}`}
      </span>
      <span role="gridcell" className="r num small">{`${skill.scripts} / ${skill.files}`}</span>
      <span role="gridcell" className="r num small t3" title={formatExact(skill.changedAt)}>
        {formatAgo(skill.changedAt, now)}
      </span>
    </div>
  )
}

export function Status({ skill }: { skill: SkillSummary }) {
  const { tone, word } = statusWords(skill)
  const icons = { shadowed: <ShadowedIcon size={14} />, 'not-trusted': <NotTrustedIcon size={14} /> }
  const icon = skill.status === 'shadowed' || skill.status === 'not-trusted' ? icons[skill.status] : undefined
  return (
    <StatusMark tone={tone} icon={icon}>
      {word}
    </StatusMark>
  )
}

/** Focuses a row by its place, now or once it is drawn. */
function useFocusRow(scroller: RefObject<HTMLDivElement | null>): (index: number) => void {
  const wanted = useRef<number | null>(null)
  const tryFocus = (): void => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!row || wanted.current === null) return
    row.focus({ preventScroll: true })
    wanted.current = null
  }
  useEffect(tryFocus)
  return (index) => {
    wanted.current = index
    tryFocus()
  }
}

function useGridKeys(skills: readonly SkillSummary[], at: number, move: (index: number) => void) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    if (!(event.target as HTMLElement).matches('[role="row"]')) return
    const next = moveRow(event.key, at, skills.length) ?? jump(event)
    if (next === null) return
    event.preventDefault()
    move(next)
  }

  function jump(event: KeyboardEvent): number | null {
    if (event.key.length !== 1 || event.key === ' ') return null
    const fresh = event.timeStamp - typed.current.at > TYPE_GAP_MS
    typed.current = { text: (fresh ? '' : typed.current.text) + event.key, at: event.timeStamp }
    return typeAhead(
      skills.map((skill) => skill.name),
      at,
      typed.current.text,
    )
  }
}
