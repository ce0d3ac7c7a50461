import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { deleteSkills, openArrange } from '../../arranging/arranging-store'
import { isMac } from '../../ui/keys'
import { moveRow, typeAhead } from './grid-keys'
import type { GridRow } from './grid-rows'
import { clearMarks, goToSkill, markAll, markTo, selectSkill, toggleMark } from '../tree/skills-place'

const TYPE_GAP_MS = 700

export interface GridKeys {
  rows: readonly GridRow[]
  projectDir: string | null
  marked: ReadonlySet<string>
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
 * none. Enter opens, Space shows the details, F2 renames, Delete deletes, letters jump, left and right fold
 * (`ux.md` 2.6, "Lists").
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

/** What a key does with the row itself, or with the marks. */
function act(keys: GridKeys, event: KeyboardEvent): boolean {
  const row = keys.rows[keys.at]
  return row !== undefined && (mark(keys, row, event) || change(keys, row, event) || open(keys, row, event))
}

function mark({ rows }: GridKeys, { skill }: GridRow, event: KeyboardEvent): boolean {
  const mod = event.ctrlKey || event.metaKey
  if (mod && event.key.toLowerCase() === 'a') markAll(rows.map((row) => row.skill.key))
  else if (mod && event.key === ' ') toggleMark(skill.key)
  else if (!mod && event.key === 'Escape') clearMarks()
  else return false
  return true
}

/** Both ask or can be undone. */
function change(keys: GridKeys, row: GridRow, event: KeyboardEvent): boolean {
  if (isDelete(event)) deleteMeant(keys, row)
  else if (event.key === 'F2') openArrange('rename', row.skill, keys.projectDir)
  else return false
  return true
}

function open(keys: GridKeys, row: GridRow, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false
  if (event.key === 'Enter') keys.onOpen(row.skill.key)
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

/** ⌘⌫ on a Mac, Delete elsewhere (`ux.md` 2.6); it can be undone. */
function isDelete(event: KeyboardEvent): boolean {
  return isMac() ? event.key === 'Backspace' && event.metaKey : event.key === 'Delete' && !event.ctrlKey
}

/** All marked rows where this one is among them, else this one. */
function deleteMeant({ rows, marked, projectDir }: GridKeys, { skill }: GridRow): void {
  const all = rows.map((row) => row.skill.key).filter((key) => marked.has(key))
  const keys = marked.has(skill.key) ? all : [skill.key]
  clearMarks()
  deleteSkills(keys, projectDir)
}

function folds({ children, open }: GridRow, key: string): boolean {
  return children > 0 && key === (open ? 'ArrowLeft' : 'ArrowRight')
}
