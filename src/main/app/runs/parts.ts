import { realpathSync } from 'node:fs'
import { redactText } from '../../lib/redact'
import type { AppEvent } from '@shared/events'
import type { AppDeps } from '../deps'
import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import type { Program } from '../../db/programs'
import { getRequest } from '../../db/request-rows'
import type { Emitter } from '../../lib/emitter'
import type { PolicyKeeper } from '../../policy/keeper'
import { checkEnv } from '../../runs/env'
import { createEnvironments, type Environments } from '../../runs/environments/service'
import type { Runs } from '../../runs/types'
import { createHostGrants, type HostGrants } from '../../settings/host-grants'
import { createSecretStore, type SecretStore } from '../../settings/secrets'
import { createUndo, type Undo } from '../../undo/service'

interface Base {
  deps: AppDeps
  db: Db
  audit: Audit
}

/** What stands around the runs of scripts. */
export function createAroundRuns(
  base: Parameters<typeof createRunUndo>[0] & { policy: PolicyKeeper },
  runs: Runs,
) {
  return {
    runs,
    environments: createRunEnvironments(base),
    undo: createRunUndo(base),
    hosts: followedByPolicy(createPersonHosts(base, runs), base.events),
  }
}

/** Secrets of the person, under the names that a run may set. */
export function createPersonSecrets({ deps, db, audit }: Base): SecretStore {
  const { env, now } = deps
  return createSecretStore({
    db,
    audit,
    seal: deps.secrets,
    env,
    checkName: (name) => checkEnv({ [name]: '' }),
    now,
  })
}

/** The only hosts that the organisation lets a script reach; null: it leaves that to the person. */
export function allowedHosts(policy: PolicyKeeper): readonly string[] | null {
  return policy.now().policy?.network?.allow ?? null
}

/** Hosts that the person lets scripts of skills reach, as far as the organisation and this computer do. */
function createPersonHosts(
  { deps, db, audit, policy }: Base & { policy: PolicyKeeper },
  runs: Runs,
): HostGrants {
  return createHostGrants({
    db,
    audit,
    allowed: () => allowedHosts(policy),
    canHold: () => runs.sandbox().capabilities.netAllowlist,
    now: deps.now,
  })
}

/** What a policy ends is ended when it comes into force, also while nothing runs. */
function followedByPolicy(hosts: HostGrants, events: Emitter<AppEvent>): HostGrants {
  hosts.endForbidden()
  events.on((event) => {
    if (event.t === 'settings.changed') hosts.endForbidden()
  })
  return hosts
}

/** Packages that were prepared for scripts. */
function createRunEnvironments({ deps, db, audit }: Base): Environments {
  return createEnvironments({ db, dataDir: deps.dataDir, audit: audit.append, now: deps.now })
}

/** Files that runs change; what is known of them is told to the pages. */
function createRunUndo(
  base: Base & { events: Emitter<AppEvent>; program: Program; secrets: Pick<SecretStore, 'held'> },
): Undo {
  const { deps, db, audit, events, program } = base
  return createUndo({
    db,
    dataDir: realpathSync(deps.dataDir),
    audit: audit.append,
    changed(what) {
      if ('runId' in what) return events.emit({ t: 'runs.changed', runId: what.runId })
      const request = getRequest(db.sql, what.requestId)
      if (request) events.emit({ t: 'approvals.changed', sessionId: request.sessionId })
    },
    clean: (text) => redactText(base.secrets.held(), text),
    program,
    now: deps.now,
    log: deps.log,
  })
}
