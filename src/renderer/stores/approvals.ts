import type { RequestSummary } from '@shared/domain/approval'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

interface ApprovalsState {
  /** Everything that waits for the person, oldest first. */
  pending: RequestSummary[]
  /** Rises with every change, for the review that holds the details of one. */
  version: number
}

export const approvalsStore = createStore<ApprovalsState>(() => ({ pending: [], version: 0 }))

export function useApprovals<T>(select: (state: ApprovalsState) => T): T {
  return useStore(approvalsStore, select)
}

export async function refreshApprovals(): Promise<void> {
  const all = await api.call('approvals.list', {})
  const pending = all
    .filter((request) => request.status === 'pending')
    .toSorted((a, b) => a.createdAt - b.createdAt)
  approvalsStore.setState((state) => ({ pending, version: state.version + 1 }))
}
