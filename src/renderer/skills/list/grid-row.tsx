/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a row of a grid that acts (APG): it takes the focus itself */
import { clsx } from 'clsx'
import { memo } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import type { SkillHit, SkillSummary, SkillUse } from '@shared/domain/skill'
import { cutText, visibleLine } from '@shared/visible-text'
import { formatAgo, formatExact, formatNumber } from '../../ui/format'
import { CaretDownIcon, CaretRightIcon } from '../../ui/icons'
import { ScopeMark } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import type { Column } from './columns'
import type { GridRow } from './grid-rows'
import { library } from '../library-strings'
import { tokenWords } from '../preview/skill-facts'
import { Snippet } from './snippet'
import { Sparkline } from './sparkline'
import { ProblemMark, SideMarks, Status } from './status'
import { listWords } from './list-strings'

export interface SkillRowProps extends GridRow {
  columns: readonly Column[]
  index: number
  /** The row that Tab reaches. */
  current: boolean
  selected: boolean
  /** Pixels from the top of the list. */
  top: number
  now: number
  hit: SkillHit | undefined
  use: SkillUse | undefined
  /** Why it is not in the catalogue; empty: it is. */
  outside: string
  /** By pointer. */
  onPick: (key: string, event: MouseEvent) => void
  onOpen: (key: string) => void
  onToggle: (key: string) => void
}

/** One skill in the list; drawn again only when something of it changed. */
export const SkillRow = memo(function SkillRow(props: SkillRowProps) {
  const { skill, index, selected, columns, onPick, onOpen } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the grid
    <div
      className={clsx('skg-row', selected && 'on')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      tabIndex={props.current ? 0 : -1}
      draggable
      data-index={index}
      data-key={skill.key}
      data-skill={skill.name}
      data-scope={skill.scope}
      data-state={skill.status}
      data-effective={skill.status === 'effective'}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={(event) => onPick(skill.key, event)}
      onDoubleClick={() => onOpen(skill.key)}
    >
      <NameCell {...props} />
      {columns.map((column) => {
        const Cell = column === 'name' ? null : CELLS[column]
        return Cell && <Cell key={column} {...props} />
      })}
    </div>
  )
})

const CELLS: Record<Exclude<Column, 'name'>, (props: SkillRowProps) => ReactNode> = {
  from: ({ skill }) => (
    <span role="gridcell">
      <ScopeMark scope={skill.scope} />
    </span>
  ),
  status: StatusCell,
  tokens: ({ skill }) => (
    <span role="gridcell" className="r num small">
      {tokenWords(skill)}
    </span>
  ),
  runs: ({ use }) => (
    <span role="gridcell" className="r small">
      <Sparkline runs={use?.runs ?? NO_RUNS} />
    </span>
  ),
  files: ({ skill }) => (
    <span
      role="gridcell"
      className="r num small"
    >{`${formatNumber(skill.scripts)} / ${formatNumber(skill.files)}`}</span>
  ),
  changed: ({ skill, now }) => (
    <span
      role="gridcell"
      className="r num small t3"
      title={skill.changedAt > 0 ? formatExact(skill.changedAt) : ''}
    >
      <span className="trunc">{changedWords(skill, now)}</span>
    </span>
  ),
}

const NO_RUNS: readonly number[] = []

/** Who changes it, where that is nobody here; else when it changed. */
export function changedWords(
  { scope, package: pack, changedAt }: Pick<SkillSummary, 'scope' | 'package' | 'changedAt'>,
  now: number,
): string {
  if (scope === 'enterprise') return library.managed
  if (scope === 'bundled') return library.withSatchel
  if (scope === 'plugin' && pack !== undefined) return visibleLine(pack)
  return changedAt > 0 ? formatAgo(changedAt, now) : '—'
}

function StatusCell({ skill, outside }: SkillRowProps) {
  return (
    <span role="gridcell" className="skg-status" title={visibleLine(skill.statusReason || outside)}>
      <Status skill={skill} outside={outside !== ''} />
      <ProblemMark skill={skill} />
      <SideMarks skill={skill} />
    </span>
  )
}

function NameCell({ skill, level, children, open, hit, onToggle }: SkillRowProps) {
  const used = skill.status === 'effective' || skill.status === 'broken'
  return (
    <span role="gridcell" className="skg-name" style={{ paddingInlineStart: (level - 1) * 20 }}>
      {children > 0 && (
        <button
          type="button"
          className="skg-fold"
          tabIndex={-1}
          aria-label={listWords.gridRow.theSkillsInside(open, visibleLine(skill.name))}
          aria-expanded={open}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(skill.key)
          }}
        >
          {open ? <CaretDownIcon size={12} /> : <CaretRightIcon size={12} />}
        </button>
      )}
      <span className="grow trunc skg-words">
        <span className={clsx('mono m trunc', !used && 't3')}>
          <VisibleText text={skill.name} />
        </span>
        <span className="small t3 trunc">
          <SecondLine skill={skill} hit={hit} />
        </span>
      </span>
    </span>
  )
}

/** Letters of a description that the widest column has room for; a longer one would be laid out in vain. */
const MAX_SECOND = 400

/** What was found, or why it won't load, or what it is for. */
function SecondLine({ skill, hit }: { skill: SkillSummary; hit: SkillHit | undefined }) {
  if (hit && hit.snippet !== '' && hit.where !== 'name') return <Snippet hit={hit} />
  const text = skill.status === 'broken' ? skill.statusReason : skill.description
  return <VisibleText text={cutText(text, MAX_SECOND)} />
}
