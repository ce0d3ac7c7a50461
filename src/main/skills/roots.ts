import { realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RootSpec } from './record'

/** A folder that a person opened. */
export interface ProjectFolder {
  dir: string
  trusted: boolean
}

/** Every folder that is searched for skills, in the order of precedence. */
export function rootSpecs(deps: {
  homeDir: string
  resourcesDir: string
  projects: readonly ProjectFolder[]
}): RootSpec[] {
  const { homeDir, resourcesDir, projects } = deps
  const free = { projectDir: null, containIn: null, sharedIn: null } as const
  return [
    { ...free, dir: join(homeDir, '.satchel', 'skills'), scope: 'personal', label: '~/.satchel/skills' },
    {
      ...free,
      dir: join(homeDir, '.agents', 'skills'),
      scope: 'shared',
      sharedIn: 'personal',
      label: '~/.agents/skills',
    },
    ...projects.flatMap(({ dir }) => projectSpecs(dir)),
    { ...free, dir: join(resourcesDir, 'skills'), scope: 'bundled', label: 'Satchel/skills' },
  ]
}

function projectSpecs(dir: string): RootSpec[] {
  const inside = { projectDir: dir, containIn: realOrSelf(dir) }
  const label = basename(dir)
  return [
    {
      ...inside,
      dir: join(dir, '.satchel', 'skills'),
      scope: 'project',
      sharedIn: null,
      label: `${label}/.satchel/skills`,
    },
    {
      ...inside,
      dir: join(dir, '.agents', 'skills'),
      scope: 'shared',
      sharedIn: 'project',
      label: `${label}/.agents/skills`,
    },
  ]
}

function realOrSelf(dir: string): string {
  try {
    return realpathSync(dir)
  } catch {
    return dir // the project is gone: its roots are missing too
  }
}
