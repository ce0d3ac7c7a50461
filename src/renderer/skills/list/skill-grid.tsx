/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a grid of rows that act (APG): rows take the focus, and only those on screen are drawn */
import { clsx } from 'clsx'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, MouseEvent, RefObject } from 'react'
import type { SkillUse } from '@shared/domain/skill'
import { useLibraryLook } from '../../stores/library-look'
import type { LibraryLook } from '../../stores/library-look'
import { useFocusRow } from '../../ui/use-focus-row'
import { useNow } from '../../ui/use-now'
import { columnTemplate, fitColumns } from './columns'
import type { Column } from './columns'
import { endDrag, startDrag } from './drag-skills'
import { GridHead } from './grid-head'
import { SkillRow } from './grid-row'
import type { GridRow } from './grid-rows'
import { RowMenu } from './row-menu'
import type { Hits, SkillFilter, Sorting } from './skill-filter'
import { goToSkill, markTo, noteReached, toggleMark, usePlace } from '../tree/skills-place'
import { outsideReason } from '../use-catalogue'
import type { Outside } from '../use-catalogue'
import { useFixedRows } from './use-fixed-rows'
import { useGridKeys } from './use-grid-keys'
import { useSteadyPlace } from './use-steady-place'
import { skillWords } from '../skill-strings'

export interface SkillGridProps {
  rows: readonly GridRow[]
  projectDir: string | null
  selected: string | null
  marked: ReadonlySet<string>
  filter: SkillFilter
  hits: Hits | null
  uses: ReadonlyMap<string, SkillUse> | null
  outside: Outside
  /** The selected row takes the focus when the list appears: coming back from its page. */
  takeFocus: boolean
  /** All must stay the same functions: rows are only drawn again when something of them changed. */
  onPick: (key: string) => void
  onOpen: (key: string) => void
  onToggle: (key: string) => void
  onPreview: () => void
  onSort: (sorting: Sorting) => void
}

const ROW_HEIGHT: Record<LibraryLook['density'], number> = { comfortable: 52, compact: 32 }
const HEAD_HEIGHT = 30
/** Rows drawn above and below those on screen: with them at most 60 are in the page (ux.md 7). */
const OVERSCAN = 8

/** The list; rows have the focus, not their cells. */
export function SkillGrid(props: SkillGridProps) {
  const { rows, selected, marked } = props
  const look = useLibraryLook()
  const rowHeight = ROW_HEIGHT[look.density]
  const now = useNow(60_000)
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroller, look)
  const at = useSelectedAt(rows, selected)
  const shown = useRows(props, { scroller, rowHeight, at })
  const { drawn, onKeyDown } = shown
  useStart(props, at, shown)
  useWanted(rows, shown)
  const onClick = useClicks(props)
  return (
    <RowMenu rows={rows} projectDir={props.projectDir} onOpen={props.onOpen}>
      <div
        ref={scroller}
        className={clsx('skg', look.density === 'compact' && 'compact')}
        role="grid"
        aria-label={skillWords.skillGrid.skills}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        style={{ '--skg-columns': columnTemplate(columns, look) } as CSSProperties}
        onKeyDown={onKeyDown}
        onDragStart={(event) => startDrag(event, rows, marked)}
        onDragEnd={endDrag}
        onFocus={(event) => selectReached(event.target, selected)}
      >
        <GridHead columns={columns} sorting={props.filter} onSort={props.onSort} />
        <div role="rowgroup" className="skg-rows" style={{ height: rows.length * rowHeight }}>
          {rows.slice(drawn.start, drawn.end).map((row, place) => {
            const { skill } = row
            const index = drawn.start + place
            return (
              <SkillRow
                key={skill.key}
                {...row}
                columns={columns}
                index={index}
                current={index === at}
                selected={marked.size > 0 ? marked.has(skill.key) : skill.key === selected}
                top={index * rowHeight}
                now={now}
                hit={props.hits?.get(skill.key)}
                use={props.uses?.get(skill.key)}
                outside={outsideReason(skill, props.outside)}
                onPick={onClick}
                onOpen={props.onOpen}
                onToggle={props.onToggle}
              />
            )
          })}
        </div>
      </div>
    </RowMenu>
  )
}

/** The row that Tab reaches: the selected one, else the first. */
function useSelectedAt(rows: readonly GridRow[], selected: string | null): number {
  const at = useMemo(() => rows.findIndex(({ skill }) => skill.key === selected), [rows, selected])
  return Math.max(0, at)
}

type Rows = ReturnType<typeof useRows>

function useRows(
  props: SkillGridProps,
  { scroller, rowHeight, at }: { scroller: RefObject<HTMLDivElement | null>; rowHeight: number; at: number },
) {
  const { rows, filter } = props
  const drawn = useFixedRows({
    scroller,
    count: rows.length,
    rowHeight,
    headHeight: HEAD_HEIGHT,
    overscan: OVERSCAN,
  })
  const focusRow = useFocusRow(scroller)
  const show = (index: number): void => {
    drawn.scrollTo(index)
    focusRow(index)
  }
  const onKeyDown = useGridKeys({ ...props, at, show })
  useSteadyPlace({ scroller, rows, rowHeight, asked: filter, show })
  return { drawn, show, onKeyDown }
}

/** A row that keys reached is the selected one, so that the details are of it; a pointer selects by its click. */
function selectReached(target: HTMLElement, selected: string | null): void {
  const key = target.matches('[role="row"]:focus-visible') ? target.dataset['key'] : undefined
  if (key !== undefined && key !== selected) goToSkill(key)
}

/** As many columns as there is room for, before the first of them is seen. */
function useColumns(scroller: RefObject<HTMLDivElement | null>, look: LibraryLook): readonly Column[] {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return useMemo(() => fitColumns(width, look), [width, look])
}

/** A click picks, with Shift it marks a range, with Ctrl one more. */
function useClicks({ rows, onPick }: SkillGridProps) {
  const shown = useRef(rows)
  useEffect(() => {
    shown.current = rows
  })
  return useCallback(
    (key: string, event: MouseEvent): void => {
      if (event.shiftKey) {
        markTo(
          shown.current.map(({ skill }) => skill.key),
          key,
        )
      } else if (event.ctrlKey || event.metaKey) toggleMark(key)
      else onPick(key)
    },
    [onPick],
  )
}

/** A row that is waited for, as the one of a skill under its new name, is shown and takes the focus when it is there. */
function useWanted(rows: readonly GridRow[], { show }: Rows): void {
  const wanted = usePlace((state) => state.wanted)
  useEffect(() => {
    const index = wanted === null ? -1 : rows.findIndex(({ skill }) => skill.key === wanted)
    if (index < 0) return
    noteReached()
    show(index)
  })
}

/** Once, when the list appears: the selected row is on screen, and has the focus if it is wanted. */
function useStart({ selected, takeFocus }: SkillGridProps, at: number, rows: Rows): void {
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    if (selected !== null && at > 0) rows.drawn.scrollTo(at, 'centre')
    if (takeFocus) rows.show(at)
  })
}
