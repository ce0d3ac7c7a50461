/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a row of a grid that acts (APG): it takes the focus itself */
import { clsx } from 'clsx'
import { memo } from 'react'
import type { SkillHit, SkillSummary } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { formatAgo, formatExact } from '../ui/format'
import { CaretDownIcon, CaretRightIcon } from '../ui/icons'
import { ScopeMark } from '../ui/marks'
import { VisibleText } from '../ui/visible-text'
import type { GridRow } from './grid-rows'
import { tokenWords } from './skill-facts'
import { Snippet } from './snippet'
import { ProblemMark, Status } from './status'

export interface SkillRowProps extends GridRow {
  index: number
  /** The row that Tab reaches. */
  current: boolean
  selected: boolean
  /** Pixels from the top of the list. */
  top: number
  now: number
  hit: SkillHit | undefined
  /** By pointer. */
  onPick: (key: string) => void
  onOpen: (key: string) => void
  onToggle: (key: string) => void
}

/** One skill in the list; drawn again only when something of it changed. */
export const SkillRow = memo(function SkillRow(props: SkillRowProps) {
  const { skill, index, selected, now, onPick, onOpen } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the grid
    <div
      className={clsx('skg-row', selected && 'on')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      tabIndex={props.current ? 0 : -1}
      data-index={index}
      data-skill={skill.name}
      data-scope={skill.scope}
      data-state={skill.status}
      data-effective={skill.status === 'effective'}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={() => onPick(skill.key)}
      onDoubleClick={() => onOpen(skill.key)}
    >
      <NameCell {...props} />
      <span role="gridcell" className="skg-from">
        <ScopeMark scope={skill.scope} />
      </span>
      <span role="gridcell" className="skg-status" title={visibleLine(skill.statusReason)}>
        <Status skill={skill} />
        <ProblemMark skill={skill} />
      </span>
      <span role="gridcell" className="r num small skg-tokens">
        {tokenWords(skill)}
      </span>
      <span role="gridcell" className="r num small skg-files">{`${skill.scripts} / ${skill.files}`}</span>
      <span role="gridcell" className="r num small t3 skg-changed" title={formatExact(skill.changedAt)}>
        {formatAgo(skill.changedAt, now)}
      </span>
    </div>
  )
})

function NameCell({ skill, level, children, open, hit, onToggle }: SkillRowProps) {
  const used = skill.status === 'effective' || skill.status === 'broken'
  return (
    <span role="gridcell" className="skg-name" style={{ paddingInlineStart: (level - 1) * 20 }}>
      {children > 0 && (
        <button
          type="button"
          className="skg-fold"
          tabIndex={-1}
          aria-label={`${open ? 'Hide' : 'Show'} the skills inside ${visibleLine(skill.name)}`}
          aria-expanded={open}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(skill.key)
          }}
        >
          {open ? <CaretDownIcon size={12} /> : <CaretRightIcon size={12} />}
        </button>
      )}
      <span className="col grow trunc">
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

/** What was found, or why it won't load, or what it is for. */
function SecondLine({ skill, hit }: { skill: SkillSummary; hit: SkillHit | undefined }) {
  if (hit && hit.snippet !== '' && hit.where !== 'name') return <Snippet hit={hit} />
  return <VisibleText text={skill.status === 'broken' ? skill.statusReason : skill.description} />
}
