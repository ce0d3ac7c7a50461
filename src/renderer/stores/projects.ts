import type { Project } from '@shared/domain/project'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

interface ProjectsState {
  projects: Project[]
}

export const projectsStore = createStore<ProjectsState>(() => ({ projects: [] }))

export function useProjects<T>(select: (state: ProjectsState) => T): T {
  return useStore(projectsStore, select)
}

/** The opened project with this folder. */
export function useProject(dir: string | null): Project | undefined {
  return useProjects((state) => state.projects.find((project) => project.dir === dir))
}

export async function refreshProjects(): Promise<void> {
  projectsStore.setState({ projects: await api.call('projects.list', {}) })
}
