import type { DragEvent } from 'react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { openTransfer } from '../../arranging/arranging-store'
import type { MeantSkill } from '../../arranging/arranging-store'
import { isMac } from '../../ui/keys'
import { dropWords } from './drop-target'
import type { DropTarget } from './drop-target'
import type { GridRow } from './grid-rows'

interface DragState {
  dragged: readonly MeantSkill[] | null
  /** What letting go would do where the pointer is; empty: nothing. */
  hint: string
}

const NOTHING: DragState = { dragged: null, hint: '' }
const dragStore = createStore<DragState>(() => NOTHING)

export function useDropHint(): string {
  return useStore(dragStore, (state) => state.hint)
}

/** A row is dragged, with all that are marked together with it. The menu and the bar do the same without a pointer. */
export function startDrag(event: DragEvent, rows: readonly GridRow[], marked: ReadonlySet<string>): void {
  const key = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset['key']
  if (key === undefined) return
  const meant = marked.has(key) ? marked : new Set([key])
  const dragged = rows.filter(({ skill }) => meant.has(skill.key)).map(({ skill }) => skill)
  event.dataTransfer.effectAllowed = 'copyMove'
  // Of a kind of its own: no other part of the window takes it for text.
  event.dataTransfer.setData('application/x-satchel-skills', '')
  dragStore.setState({ dragged, hint: '' })
}

export function endDrag(): void {
  dragStore.setState(NOTHING)
}

/** A place that dragged rows may be dropped on: says what this would do, and opens the dialog that does it; writes nothing. */
export function useDrop(target: DropTarget | null, projectDir: string | null) {
  const [isOver, setOver] = useState(false)
  const show = (hint: string): void => {
    setOver(hint !== '')
    if (dragStore.getState().hint !== hint) dragStore.setState({ hint })
  }
  const onDragOver = (event: DragEvent): void => {
    const { dragged } = dragStore.getState()
    if (!dragged || !target) return
    const isCopy = wantsCopy(event)
    show(dropWords(target, { skills: dragged }, isCopy))
    if ('refusal' in target) return
    event.preventDefault()
    event.dataTransfer.dropEffect = isCopy ? 'copy' : 'move'
  }
  const onDrop = (event: DragEvent): void => {
    const { dragged } = dragStore.getState()
    show('')
    if (!dragged || !target || 'refusal' in target) return
    event.preventDefault()
    endDrag()
    openTransfer(wantsCopy(event) ? 'copy' : 'move', dragged, { projectDir, place: target.place })
  }
  return { isOver, on: { onDragOver, onDragLeave: () => show(''), onDrop } }
}

/** ⌥ on a Mac, Ctrl elsewhere (`ux.md` 2.8). */
function wantsCopy({ altKey, ctrlKey }: DragEvent): boolean {
  return isMac() ? altKey : ctrlKey
}
