import { useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { closeOverlay } from '../stores/overlay'
import { matches } from '../ui/keys'
import { findEntries } from './find-entries'
import type { EntryAction, FoundEntry, PaletteEntry } from './find-entries'
import { words } from './palette-strings'
import { recentEntries, rememberEntry } from './recent-entries'
import { usePaletteEntries } from './use-palette-entries'

export interface PaletteState {
  typed: string
  rows: readonly FoundEntry[]
  /** How many there are, shown or not. */
  count: number
  /** Of the current row. */
  at: number
  listLabel: string
  type: (text: string) => void
  /** Puts a prefix before what is typed, in place of another. */
  narrow: (prefix: string) => void
  point: (place: number) => void
  run: (place: number) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** What is typed, what is found, and which row is current; with → the actions of a row take the place of the list. */
export function usePalette(): PaletteState {
  const entries = usePaletteEntries()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [of, setOf] = useState<PaletteEntry | null>(null)
  const found = useMemo(() => findEntries(entries, typed, recentEntries()), [entries, typed])
  const actionRows = useMemo(() => (of ? rowsOf(of) : null), [of])
  const rows = actionRows ?? found.shown
  const current = Math.min(at, Math.max(0, rows.length - 1))
  const go = (next: { typed?: string; of?: PaletteEntry | null }): void => {
    if (next.typed !== undefined) setTyped(next.typed)
    setOf(next.of ?? null)
    setAt(0)
  }
  const run = (
    place: number,
    keep = false,
    by?: (actions: readonly EntryAction[]) => EntryAction | undefined,
  ) => {
    const entry = rows[place]?.entry
    const action = entry && (by ? by(entry.actions) : entry.actions[0])
    if (!entry || !action || entry.unavailable !== undefined) return
    if (!of) rememberEntry(entry.id)
    if (!keep) closeOverlay()
    // Once the dialog is gone, so that what it does may take the focus.
    requestAnimationFrame(() => action.run())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const row = rows[current]
    if (event.nativeEvent.isComposing) return
    const next = moved(event.key, current, rows.length)
    if (next !== null) setAt(next)
    else if (matches(event, 'Enter')) run(current)
    else if (matches(event, 'Mod+Enter')) run(current, true)
    else if (matches(event, 'Alt+Enter'))
      run(current, false, (all) => all.find(({ keys }) => keys === 'Alt+Enter'))
    else if (row && !of && opensActions(event)) go({ of: row.entry })
    else if (of && (event.key === 'ArrowLeft' || event.key === 'Escape')) go({})
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    typed,
    rows,
    count: of ? rows.length : found.count,
    at: current,
    listLabel: of ? words.actionsOf(of.name) : words.title,
    type: (text) => go({ typed: text }),
    narrow: (prefix) => go({ typed: `${prefix}${typed.replace(/^[>@#!:]/, '')}` }),
    point: setAt,
    run,
    onKeyDown,
  }
}

function rowsOf({ id, kind, actions }: PaletteEntry): FoundEntry[] {
  return actions.map((action) => ({
    at: [],
    entry: { id: `${id} ${action.label}`, kind, name: action.label, where: '', actions: [action] },
  }))
}

function moved(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'PageDown') return Math.min(count - 1, at + 8)
  return key === 'PageUp' ? Math.max(0, at - 8) : null
}

/** → only at the end of what is typed: before it the caret moves. */
function opensActions(event: KeyboardEvent<HTMLInputElement>): boolean {
  if (matches(event, 'Mod+K')) return true
  const { selectionStart, value } = event.currentTarget
  return matches(event, 'ArrowRight') && selectionStart === value.length
}
