import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AppEvent } from '@shared/events'
import type { AppDeps } from '../deps'
import { createArrangeWorld } from './world'
import { createArranging, type Arranging } from '../../arranging/service'
import { createTemplates } from '../../arranging/templates'
import { recordOperation, type OwnChanges } from './record'
import type { Operation } from '../../arranging/journal'
import type { Audit } from '../../audit/audit'
import type { EditingService } from '../../editing/service'
import type { Emitter } from '../../lib/emitter'
import type { PolicyKeeper } from '../../policy/keeper'
import { organisationOf } from '../../policy/skill-policy'
import type { Projects } from '../../projects/projects'
import type { Registry } from '../../skills/registry/registry'

export interface AppArrangingDeps {
  deps: Pick<AppDeps, 'dataDir' | 'homeDir' | 'resourcesDir' | 'now' | 'log'>
  audit: Audit
  registry: Registry
  projects: Pick<Projects, 'isTrusted'>
  policy: Pick<PolicyKeeper, 'now'>
  events: Emitter<AppEvent>
  /** What Satchel did itself is no news from the disk. */
  own: OwnChanges
  /** What was typed and not saved goes with its skill. */
  editing: Pick<EditingService, 'followFolder' | 'forgetEmptied'>
}

/** Arranging in the app: looks at the registry, is on record, and every window sees what it did. */
export function createAppArranging(given: AppArrangingDeps): Arranging {
  const { deps, audit, registry, projects, policy, events, own } = given
  const arranging = createArranging({
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
    async changed(operation) {
      await registry.refresh()
      takeDraftsAlong(given, operation)
      events.emit({ t: 'skills.changed' })
    },
  })
  const forgetEmptied = () => given.editing.forgetEmptied(arranging.trash().map(({ id }) => id))
  return {
    ...arranging,
    async empty(trashId) {
      await arranging.empty(trashId)
      forgetEmptied()
    },
    async recover() {
      await arranging.recover()
      forgetEmptied()
    },
  }
}

/** One that was taken back instead of done has moved nothing. */
function takeDraftsAlong({ registry, events, editing }: AppArrangingDeps, operation: Operation): void {
  const { put, take, step } = operation
  if (step !== 'done') return
  const made = put && (registry.all().find(isAt(realPlace(join(put.parent, put.name)))) ?? null)
  if (put && !made) return
  editing.followFolder({
    from: take && realPlace(take.path),
    to: made && { key: made.key, path: made.rootDir },
    outOf: put?.trashId ?? null,
    into: take?.trashId ?? null,
  })
  events.emit({ t: 'drafts.changed' })
}

const isAt = (path: string) => (record: { rootDir: string }) => record.rootDir === path

/** Of a folder that may be gone, by the one that it lay in. */
function realPlace(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path // that one is gone too: as it was written down
  }
}
