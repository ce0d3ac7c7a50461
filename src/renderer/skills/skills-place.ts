import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Place } from './skill-filter'

interface PlaceState {
  place: Place
  /** How many sidebars draw the tree; with none the area draws it itself. */
  hosts: number
}

export const placeStore = createStore<PlaceState>(() => ({ place: { kind: 'all' }, hosts: 0 }))

export function usePlace<T>(select: (state: PlaceState) => T): T {
  return useStore(placeStore, select)
}

export function setPlace(place: Place): void {
  placeStore.setState({ place })
}

/** Takes over the drawing of the tree; the returned function gives it back. */
export function hostTree(): () => void {
  placeStore.setState(({ hosts }) => ({ hosts: hosts + 1 }))
  return () => placeStore.setState(({ hosts }) => ({ hosts: hosts - 1 }))
}
