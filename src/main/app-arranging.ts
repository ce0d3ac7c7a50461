import type { AppEvent } from '@shared/events'
import type { AppDeps } from './app-deps'
import { createArrangeWorld } from './arrange-world'
import { createArranging, type Arranging } from './arranging/service'
import { createTemplates } from './arranging/templates'
import { recordOperation, type OwnChanges } from './arranging-record'
import type { Audit } from './audit/audit'
import type { Emitter } from './lib/emitter'
import type { PolicyKeeper } from './policy/keeper'
import { organisationOf } from './policy/skill-policy'
import type { Projects } from './projects/projects'
import type { Registry } from './skills/registry'

export interface AppArrangingDeps {
  deps: Pick<AppDeps, 'dataDir' | 'homeDir' | 'resourcesDir' | 'now' | 'log'>
  audit: Audit
  registry: Registry
  projects: Pick<Projects, 'isTrusted'>
  policy: Pick<PolicyKeeper, 'now'>
  events: Emitter<AppEvent>
  /** What Satchel did itself is no news from the disk. */
  own: OwnChanges
}

/** Arranging in the app: looks at the registry, is on record, and every window sees what it did. */
export function createAppArranging(given: AppArrangingDeps): Arranging {
  const { deps, audit, registry, projects, policy, events, own } = given
  return createArranging({
    dataDir: deps.dataDir,
    now: deps.now,
    log: deps.log,
    ...createArrangeWorld({
      registry,
      homeDir: deps.homeDir,
      isTrusted: projects.isTrusted,
      organisation: () => organisationOf(policy.now().policy),
    }),
    template: (id, skill) => createTemplates(deps.resourcesDir).files(id, skill),
    record(operation) {
      recordOperation(audit, operation)
      own.add(operation)
    },
    async changed() {
      await registry.refresh()
      events.emit({ t: 'skills.changed' })
    },
  })
}
