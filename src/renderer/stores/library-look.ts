import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Columns of the library that have a width of their own; the names take the rest. */
export const LIBRARY_COLUMNS = ['from', 'status', 'tokens', 'runs', 'files', 'changed'] as const
export type LibraryColumn = (typeof LIBRARY_COLUMNS)[number]

/** How the library is laid out; outlives the window like the panes do. */
export interface LibraryLook {
  hidden: readonly LibraryColumn[]
  /** CSS pixels; left out: the usual width. */
  widths: Readonly<Partial<Record<LibraryColumn, number>>>
  density: 'comfortable' | 'compact'
}

const KEY = 'satchel.library'
export const COLUMN_WIDTH = { min: 64, max: 320 }
export const USUAL_LOOK: LibraryLook = { hidden: ['files'], widths: {}, density: 'comfortable' }

export const libraryLook = createStore<LibraryLook>(() => ({
  ...USUAL_LOOK,
  ...readLook(globalThis.localStorage),
}))

export function useLibraryLook(): LibraryLook {
  return useStore(libraryLook)
}

export function showColumn(column: LibraryColumn, shown: boolean): void {
  libraryLook.setState(({ hidden }) => ({
    hidden: shown ? hidden.filter((other) => other !== column) : [...hidden, column],
  }))
}

export function resizeColumn(column: LibraryColumn, width: number): void {
  const clamped = Math.round(Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, width)))
  libraryLook.setState(({ widths }) => ({ widths: { ...widths, [column]: clamped } }))
}

export function setDensity(density: LibraryLook['density']): void {
  libraryLook.setState({ density })
}

/** Writes every change. Returns a function that stops. */
export function keepLook(storage: Pick<Storage, 'setItem'>): () => void {
  return libraryLook.subscribe((look) => storage.setItem(KEY, JSON.stringify(look)))
}

/** What was kept, each value only if it still has the right shape. */
export function readLook(storage: Pick<Storage, 'getItem'> | undefined): Partial<LibraryLook> {
  try {
    const raw: unknown = JSON.parse(storage?.getItem(KEY) ?? '{}')
    return typeof raw === 'object' && raw !== null ? checked(raw as Record<string, unknown>) : {}
  } catch {
    // Unreadable: the list looks as on the first day.
    return {}
  }
}

function checked({ hidden, widths, density }: Record<string, unknown>): Partial<LibraryLook> {
  return {
    ...(Array.isArray(hidden) && { hidden: LIBRARY_COLUMNS.filter((column) => hidden.includes(column)) }),
    ...(typeof widths === 'object' && widths !== null && { widths: checkedWidths(widths) }),
    ...((density === 'compact' || density === 'comfortable') && { density }),
  }
}

function checkedWidths(widths: object): LibraryLook['widths'] {
  const fits = (width: unknown): width is number =>
    typeof width === 'number' && width >= COLUMN_WIDTH.min && width <= COLUMN_WIDTH.max
  const kept = Object.entries(widths).filter(
    ([column, width]) => (LIBRARY_COLUMNS as readonly string[]).includes(column) && fits(width),
  )
  return Object.fromEntries(kept)
}
