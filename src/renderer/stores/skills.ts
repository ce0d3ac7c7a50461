import type { SkillList } from '@shared/domain/skill'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api, messageOf } from '../api'

interface SkillsState {
  /** By project folder; '' is the view from no project. */
  lists: Record<string, SkillList>
  error: string
  /** Rises when something on disk changed, for views that hold details of their own. */
  version: number
}

export const skillsStore = createStore<SkillsState>(() => ({ lists: {}, error: '', version: 0 }))

export function useSkills<T>(select: (state: SkillsState) => T): T {
  return useStore(skillsStore, select)
}

/** The skills as seen from a project, or from none. Fetched once; kept up to date by events. */
export function useSkillList(projectDir: string | null): SkillList | undefined {
  const list = useSkills((state) => state.lists[projectDir ?? ''])
  useEffect(() => {
    if (!skillsStore.getState().lists[projectDir ?? '']) void fetchSkills(projectDir)
  }, [projectDir])
  return list
}

export async function fetchSkills(projectDir: string | null): Promise<void> {
  try {
    const list = await api.call('skills.list', { projectDir })
    skillsStore.setState((state) => ({ lists: { ...state.lists, [projectDir ?? '']: list }, error: '' }))
  } catch (error) {
    skillsStore.setState({ error: messageOf(error) })
  }
}

/** Fetches every list again that was ever shown. */
export async function refreshSkills(): Promise<void> {
  const dirs = Object.keys(skillsStore.getState().lists)
  await Promise.all(dirs.map((dir) => fetchSkills(dir === '' ? null : dir)))
  skillsStore.setState((state) => ({ version: state.version + 1 }))
}
