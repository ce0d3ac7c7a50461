import type { McpView } from '@shared/domain/mcp'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

interface McpState {
  /** undefined until a page asked for it. */
  view: McpView | undefined
}

export const mcpStore = createStore<McpState>(() => ({ view: undefined }))

export function useMcp<T>(select: (state: McpState) => T): T {
  return useStore(mcpStore, select)
}

export async function refreshMcp(): Promise<void> {
  showMcp(await api.call('mcp.list', {}))
}

export function showMcp(view: McpView): void {
  mcpStore.setState({ view })
}

/** Nothing is asked for while nobody looked at it. */
export async function mcpChanged(): Promise<void> {
  if (mcpStore.getState().view) await refreshMcp()
}
