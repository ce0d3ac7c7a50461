import type { SkillList } from '@shared/domain/skill'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api, messageOf } from '../api'
import { createSkillWatches } from './skill-watches'

interface SkillsState {
  /** By project folder; '' is the view from no project. Only those that somebody looks at. */
  lists: Record<string, SkillList>
  error: string
  /** Rises when something on disk or a choice changed, for views that hold details of their own. */
  version: number
}

export const skillsStore = createStore<SkillsState>(() => ({ lists: {}, error: '', version: 0 }))

export function useSkills<T>(select: (state: SkillsState) => T): T {
  return useStore(skillsStore, select)
}

/** The skills as seen from a project, or from none; undefined until every one was told. Kept true by a stream. */
export function useSkillList(projectDir: string | null): SkillList | undefined {
  const list = useSkills((state) => state.lists[projectDir ?? ''])
  useEffect(() => watches.use(projectDir), [projectDir])
  return list
}

/** After `skills.changed`: details that are shown are fetched again; the lists follow by themselves. */
export function skillsChanged(): void {
  skillsStore.setState((state) => ({ version: state.version + 1 }))
}

const watches = createSkillWatches({
  open: (projectDir, on) => api.stream('skills.watch', { projectDir }, on),
  publish: (projectDir, list) => setList(projectDir ?? '', list),
  fail: (error) => skillsStore.setState({ error: error ? messageOf(error) : '' }),
  later(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
})

function setList(dir: string, list: SkillList | undefined): void {
  skillsStore.setState(({ lists }) => {
    if (list) return { lists: { ...lists, [dir]: list } }
    const { [dir]: _gone, ...rest } = lists
    return { lists: rest }
  })
}
