import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { TrialChat } from '@shared/domain/editing'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { unsavedFiles } from '../documents'

/** Chats in which unsaved text is tried, at most one of each skill. */
const store = createStore<{ trials: readonly TrialChat[] }>(() => ({ trials: [] }))
/** Skills of which a trial is about to begin. */
const starting = new Set<string>()
/** The skill whose trial a person asked for just now: its message box takes the focus as soon as it is there. */
let wanted: string | null = null

export function useTrial(key: string): TrialChat | undefined {
  return useStore(store, ({ trials }) => trials.find((trial) => trial.key === key))
}

export async function refreshTrials(): Promise<void> {
  await guarded(async () => store.setState({ trials: await api.call('editor.tries', {}) }))
}

/** Begins a chat with the text of now; one of an earlier text ends. */
export async function tryIt(key: string): Promise<void> {
  if (starting.has(key)) return
  starting.add(key)
  await guarded(async () => void (await api.call('editor.try', { key, files: await unsavedFiles(key) })))
  starting.delete(key)
  wanted = key
  await refreshTrials()
}

/** Whether a person has just begun this trial; true once. */
export function takeWanted(key: string): boolean {
  if (wanted !== key) return false
  wanted = null
  return true
}

export async function closeTrial(sessionId: string): Promise<void> {
  await guarded(async () => void (await api.call('editor.endTry', { sessionId })))
  await refreshTrials()
}
