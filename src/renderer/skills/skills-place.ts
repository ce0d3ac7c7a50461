import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { goTo } from '../stores/ui'
import type { Place } from './places'
import { NO_FILTER } from './skill-filter'
import type { SkillFilter } from './skill-filter'

interface PlaceState {
  /** With the place that is chosen in the tree. Kept while another area is shown. */
  filter: SkillFilter
  /** Key of the selected skill; kept likewise. */
  selected: string | null
  /** How many sidebars draw the tree; with none the area draws it itself. */
  hosts: number
}

export const placeStore = createStore<PlaceState>(() => ({ filter: NO_FILTER, selected: null, hosts: 0 }))

export function usePlace<T>(select: (state: PlaceState) => T): T {
  return useStore(placeStore, select)
}

/** Shows a part of the list, in the place of a page that is open. */
export function setPlace(place: Place): void {
  goTo({ skill: null })
  placeStore.setState(({ filter }) => ({ filter: { ...filter, place } }))
}

export function setFilter(filter: SkillFilter): void {
  placeStore.setState({ filter })
}

export function selectSkill(selected: string): void {
  placeStore.setState({ selected })
}

/** Takes over the drawing of the tree; the returned function gives it back. */
export function hostTree(): () => void {
  placeStore.setState(({ hosts }) => ({ hosts: hosts + 1 }))
  return () => placeStore.setState(({ hosts }) => ({ hosts: hosts - 1 }))
}
