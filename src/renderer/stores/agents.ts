import type { AgentSummary } from '@shared/domain/agent'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

interface AgentsState {
  /** By project, '' for none; only of projects that were shown. */
  lists: Record<string, AgentList>
}

/** `notes`: folders that could not be used, and why. */
interface AgentList {
  agents: readonly AgentSummary[]
  notes: readonly string[]
}

export const agentsStore = createStore<AgentsState>(() => ({ lists: {} }))

/** Every file of an agent as seen from the project; empty until it is known. */
export function useAgents(projectDir: string | null): readonly AgentSummary[] {
  return useAgentList(projectDir).agents
}

export function useAgentList(projectDir: string | null): AgentList {
  const list = useStore(agentsStore, (state) => state.lists[projectDir ?? ''])
  useEffect(() => {
    if (!agentsStore.getState().lists[projectDir ?? '']) void fetchList(projectDir)
  }, [projectDir])
  return list ?? NONE
}

const NONE: AgentList = { agents: [], notes: [] }

/** Asks again for every list that was shown. */
export async function refreshAgents(): Promise<void> {
  await Promise.all(Object.keys(agentsStore.getState().lists).map((dir) => fetchList(dir || null)))
}

async function fetchList(projectDir: string | null): Promise<void> {
  try {
    const list = await api.call('agents.list', { projectDir })
    agentsStore.setState(({ lists }) => ({ lists: { ...lists, [projectDir ?? '']: list } }))
  } catch {
    // The page is going away, or the app: the next change asks again.
  }
}
