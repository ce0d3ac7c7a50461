import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { hideTrash } from '../../arranging/arranging-store'
import { goTo } from '../../stores/ui'
import type { Place } from './places'
import { NO_FILTER } from '../list/skill-filter'
import type { SkillFilter } from '../list/skill-filter'

interface PlaceState {
  /** With the place that is chosen in the tree. Kept while another area is shown. */
  filter: SkillFilter
  /** Key of the selected skill; kept likewise. */
  selected: string | null
  /** The selected one is among the rows that are listed; one that is not is kept, and shown nowhere. */
  isListed: boolean
  /** Rows that were marked for something done to all of them. */
  marked: ReadonlySet<string>
  /** Where a range of marks begins. */
  anchor: string | null
  /** Key of a row that takes the focus once it is listed; null: none waits. */
  wanted: string | null
  /** How many sidebars draw the tree; with none the area draws it itself. */
  hosts: number
}

const NO_MARKS: ReadonlySet<string> = new Set()

export const placeStore = createStore<PlaceState>(() => ({
  filter: NO_FILTER,
  selected: null,
  isListed: true,
  marked: NO_MARKS,
  anchor: null,
  wanted: null,
  hosts: 0,
}))

export function usePlace<T>(select: (state: PlaceState) => T): T {
  return useStore(placeStore, select)
}

/** Shows a part of the list, in the place of a page that is open. */
export function setPlace(place: Place): void {
  goTo({ skill: null })
  hideTrash()
  placeStore.setState(({ filter }) => ({ filter: { ...filter, place } }))
}

export function setFilter(filter: SkillFilter): void {
  placeStore.setState({ filter })
}

/** What the details are of, and what a command means: never a skill that a search or a filter took off the list. */
export function selectedKey({
  selected,
  isListed,
}: Pick<PlaceState, 'selected' | 'isListed'>): string | null {
  return isListed ? selected : null
}

/** Says of the selected one whether it is among the rows; of one that is selected no more, nothing. */
export function noteListed(key: string | null, isListed: boolean): void {
  placeStore.setState((state) => (state.selected === key ? { isListed } : state))
}

/** Marks are gone, as in any list. */
export function selectSkill(selected: string): void {
  placeStore.setState({ selected, isListed: true, marked: NO_MARKS, anchor: selected, wanted: null })
}

/** The same for one that a change brought under another name or place: its row takes the focus too. */
export function reachSkill(key: string): void {
  selectSkill(key)
  placeStore.setState({ wanted: key })
}

/** The row has the focus. */
export function noteReached(): void {
  placeStore.setState({ wanted: null })
}

/** Goes to a row and leaves the marks as they are. */
export function goToSkill(selected: string): void {
  placeStore.setState({ selected, isListed: true })
}

/** Marks from where the range began to here; `keys` are all rows in their order. */
export function markTo(keys: readonly string[], selected: string): void {
  placeStore.setState((state) => {
    const anchor =
      [state.anchor, state.selected].find((key) => key !== null && keys.includes(key)) ?? selected
    const [from, to] = [keys.indexOf(anchor), keys.indexOf(selected)].toSorted((a, b) => a - b)
    return { selected, isListed: true, anchor, marked: new Set(keys.slice(from, to! + 1)) }
  })
}

/** Marks one more, or one less; what was only selected counts as marked. */
export function toggleMark(key: string): void {
  placeStore.setState(({ marked, selected }) => {
    const next = new Set(marked.size === 0 && selected !== null ? [selected] : marked)
    if (!next.delete(key)) next.add(key)
    return { selected: key, isListed: true, anchor: key, marked: next }
  })
}

export function markAll(keys: readonly string[]): void {
  placeStore.setState({ marked: new Set(keys) })
}

export function clearMarks(): void {
  placeStore.setState({ marked: NO_MARKS })
}

/** Takes over the drawing of the tree; the returned function gives it back. */
export function hostTree(): () => void {
  placeStore.setState(({ hosts }) => ({ hosts: hosts + 1 }))
  return () => placeStore.setState(({ hosts }) => ({ hosts: hosts - 1 }))
}
