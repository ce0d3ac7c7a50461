import type { Run } from '@shared/domain/run'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

interface RunsState {
  /** Only runs that a view asked for. */
  byId: Record<string, Run>
}

export const runsStore = createStore<RunsState>(() => ({ byId: {} }))

/** One run, fetched when first asked for and again when main says that it changed. */
export function useRun(runId: string | null): Run | undefined {
  const run = useStore(runsStore, (state) => (runId === null ? undefined : state.byId[runId]))
  useEffect(() => {
    if (runId !== null && !runsStore.getState().byId[runId]) void fetchRun(runId)
  }, [runId])
  return run
}

/** After `runs.changed`: fetches only what is shown somewhere. */
export async function refreshRun(runId: string): Promise<void> {
  if (runsStore.getState().byId[runId]) await fetchRun(runId)
}

async function fetchRun(runId: string): Promise<void> {
  try {
    const run = await api.call('runs.get', { runId })
    runsStore.setState((state) => ({ byId: { ...state.byId, [runId]: run } }))
  } catch {
    // The step shows what the call's row says; the run's facts are an addition.
  }
}
