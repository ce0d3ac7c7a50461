import type { AppEvent } from '@shared/events'
import { recordAgents, type AgentRecordDeps } from './record'
import { createAgents } from '../../agents/registry'
import type { Agents } from '../../agents/registry'
import type { AppDeps } from '../deps'
import type { Emitter } from '../../lib/emitter'
import type { Log } from '../../lib/log'
import type { Projects } from '../../projects/projects'
import { createWatcher } from '../../skills/registry/watch'

interface AgentParts extends AgentRecordDeps {
  deps: AppDeps
  events: Emitter<AppEvent>
}

interface AgentRules {
  projects: Projects
  agentRules: { policyDir: string | null; projectOverPersonal(): boolean }
}

/** Agents' files; which of them count depends on the same rules as for skills. */
export function createAgentFiles(
  { deps, db, audit, events }: AgentParts,
  { projects, agentRules }: AgentRules,
): Agents {
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
    seen(files) {
      // Only one of the programs on the data looks.
      if (deps.ownsData) noted(deps.log, () => recordAgents({ db, audit }, files))
    },
    onChange: () => events.emit({ t: 'agents.changed' }),
    watcher: (onEvent) => createWatcher({ onEvent }),
  })
}

/** A look goes on without it; the next that finds a change tells again. */
function noted(log: Log, record: () => void): void {
  try {
    record()
  } catch (error) {
    log.error('changes of agent files could not be put on record', error)
  }
}
