import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { moveRow, typeAhead } from './grid-keys'
import type { GridRow } from './grid-rows'
import { clearMarks, goToSkill, markAll, markTo, selectSkill, toggleMark } from './skills-place'

const TYPE_GAP_MS = 700

export interface GridKeys {
  rows: readonly GridRow[]
  /** The row that Tab reaches. */
  at: number
  onOpen: (key: string) => void
  onToggle: (key: string) => void
  /** Space: shows the details of the row, or hides them. */
  onPreview: () => void
  /** Brings a row on screen and gives it the focus. */
  show: (index: number) => void
}

/**
 * Arrows move, with Shift they mark a range, with Ctrl they leave the marks; Ctrl+Space marks one, Ctrl+A all, Escape
 * none. Enter opens, Space shows the details, letters jump, left and right fold (`ux.md` 2.6, "Lists").
 */
export function useGridKeys(keys: GridKeys): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 })
  // The pause between two letters counts from when the row of the first was drawn, however long that took.
  useLayoutEffect(() => {
    if (typed.current.text !== '') typed.current.at = performance.now()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another row was drawn
  }, [keys.at])
  return (event) => {
    if (event.altKey || event.nativeEvent.isComposing) return
    if (!(event.target as HTMLElement).matches('[role="row"]')) return
    if (act(keys, event) || move(keys, event) || jump(keys, event, typed)) event.preventDefault()
  }
}

/** What a key does with the row itself. */
function act(keys: GridKeys, event: KeyboardEvent): boolean {
  const { rows, at } = keys
  const row = rows[at]
  const mod = event.ctrlKey || event.metaKey
  if (!row) return false
  if (mod && event.key.toLowerCase() === 'a') markAll(rows.map(({ skill }) => skill.key))
  else if (mod && event.key === ' ') toggleMark(row.skill.key)
  else if (mod) return false
  else if (event.key === 'Escape') clearMarks()
  else if (event.key === 'Enter') keys.onOpen(row.skill.key)
  else if (event.key === ' ') keys.onPreview()
  else if (folds(row, event.key)) keys.onToggle(row.skill.key)
  else return false
  return true
}

function move({ rows, at, show }: GridKeys, event: KeyboardEvent): boolean {
  const next = moveRow(event.key, at, rows.length)
  const key = next === null ? undefined : rows[next]?.skill.key
  if (next === null || key === undefined) return false
  if (event.shiftKey) {
    markTo(
      rows.map(({ skill }) => skill.key),
      key,
    )
  } else if (event.ctrlKey || event.metaKey) goToSkill(key)
  else selectSkill(key)
  show(next)
  return true
}

function jump(
  { rows, at, show }: GridKeys,
  event: KeyboardEvent,
  typed: { current: { text: string; at: number } },
): boolean {
  if (event.ctrlKey || event.metaKey || event.key.length !== 1 || event.key === '/') return false
  const fresh = event.timeStamp - typed.current.at > TYPE_GAP_MS
  typed.current = { text: (fresh ? '' : typed.current.text) + event.key, at: event.timeStamp }
  const names = rows.map(({ skill }) => skill.name)
  const next = typeAhead(names, at, typed.current.text)
  const key = next === null ? undefined : rows[next]?.skill.key
  if (next === null || key === undefined) return false
  selectSkill(key)
  show(next)
  return true
}

function folds({ children, open }: GridRow, key: string): boolean {
  return children > 0 && key === (open ? 'ArrowLeft' : 'ArrowRight')
}
