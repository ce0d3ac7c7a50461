import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Authored } from '@shared/domain/editing'
import { api } from '../api'

/** Skills of which scripts run without asking while their person edits them. */
const authorStore = createStore<{ skills: Authored[] }>(() => ({ skills: [] }))

export async function refreshAuthors(): Promise<void> {
  authorStore.setState({ skills: await api.call('editor.authors', {}) })
}

export function useAuthored(): Authored[] {
  return useStore(authorStore, ({ skills }) => skills)
}
