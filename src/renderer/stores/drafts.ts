import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { createStore } from 'zustand/vanilla'
import type { Draft, GoneSkill } from '@shared/domain/editing'
import { api } from '../api'

/** What was typed in the editor and not saved, of all skills. */
const draftStore = createStore<{ drafts: Draft[]; gone: GoneSkill[] }>(() => ({ drafts: [], gone: [] }))

export async function refreshDrafts(): Promise<void> {
  draftStore.setState({ drafts: await api.call('editor.drafts', {}) })
}

/** Looks which skills are gone of which text is kept: when the list of skills is shown, or changed. */
export async function refreshGone(): Promise<void> {
  draftStore.setState({ gone: await api.call('editor.goneDrafts', {}) })
}

export function useGoneSkills(): GoneSkill[] {
  return useStore(draftStore, ({ gone }) => gone)
}

/** All drafts of now: another list when one came or went. */
export function useDrafts(): Draft[] {
  return useStore(draftStore, ({ drafts }) => drafts)
}

/** What is typed right now, while the editor is loaded. */
interface Typed {
  /** Everything that is not kept yet is kept. */
  keep(): Promise<void>
  /** The open files of a skill, or of all, are read again when they are shown next. */
  forget(key: string | null): void
}

let typed: Typed | null = null

export function setTyped(own: Typed): void {
  typed = own
}

/** Does something to folders of skills (null: of any): what is typed is kept before, and found again where it is then. */
export async function withTypedKept<T>(key: string | null, work: () => Promise<T>): Promise<T> {
  await typed?.keep()
  const done = await work()
  typed?.forget(key)
  return done
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
