import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { createStore } from 'zustand/vanilla'
import type { Draft } from '@shared/domain/editing'
import { api } from '../api'

/** What was typed in the editor and not saved, of all skills. */
const draftStore = createStore<{ drafts: Draft[] }>(() => ({ drafts: [] }))

export async function refreshDrafts(): Promise<void> {
  draftStore.setState({ drafts: await api.call('editor.drafts', {}) })
}

/** True while something of this skill is not saved. */
export function useIsUnsaved(key: string): boolean {
  return useStore(draftStore, ({ drafts }) => drafts.some((draft) => draft.key === key))
}

/** The unsaved files of one skill. */
export function useDraftsOf(key: string): Draft[] {
  return useStore(
    draftStore,
    useShallow(({ drafts }: { drafts: Draft[] }) => drafts.filter((draft) => draft.key === key)),
  )
}
