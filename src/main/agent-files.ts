import type { AppEvent } from '@shared/events'
import { createAgents } from './agents/registry'
import type { Agents } from './agents/registry'
import type { AppDeps } from './app-deps'
import type { Emitter } from './lib/emitter'
import type { Projects } from './projects/projects'
import { createWatcher } from './skills/watch'

interface AgentParts {
  deps: AppDeps
  events: Emitter<AppEvent>
}

interface AgentRules {
  projects: Projects
  agentRules: { policyDir: string | null; projectOverPersonal(): boolean }
}

/** Agents' files; which of them count depends on the same rules as for skills. */
export function createAgentFiles({ deps, events }: AgentParts, { projects, agentRules }: AgentRules): Agents {
  return createAgents({
    places: () => ({
      homeDir: deps.homeDir,
      resourcesDir: deps.resourcesDir,
      policyDir: agentRules.policyDir,
      projects: projects.rows().map(({ dir }) => dir),
    }),
    rules: (projectDir) => ({
      projectOverPersonal: agentRules.projectOverPersonal(),
      trusted: projectDir !== null && projects.isTrusted(projectDir),
    }),
    onChange: () => events.emit({ t: 'agents.changed' }),
    watcher: (onEvent) => createWatcher({ onEvent }),
  })
}
