import { join } from 'node:path'
import type { AppEvent } from '@shared/events'
import type { AppDeps } from './deps'
import type { Db } from '../db/open'
import { createEmitter, emitsWhile } from '../lib/emitter'
import { createRecord } from './record'
import { createPersonSecrets } from './runs/parts'
import { startWorker } from '../search/worker-client'
import type { Owner } from '../sessions/turn/owner'
import { createKnownLogin } from './skills/programs'
import { createStore } from '../skills/store/store'

/** What every part stands on: the data, the record, the settings, and the worker. */
export type Base = ReturnType<typeof createBase> & { owner: Owner }

export function createBase(deps: AppDeps, db: Db) {
  const { log } = deps
  const emitter = createEmitter<AppEvent>((error) => log.error('a listener failed', error))
  // What ends after the data was closed, such as a look at a folder, has nobody to tell: listeners read the data.
  const events = emitsWhile(emitter, () => db.sql.open)
  const { audit, keeper, policy, settings } = createRecord(deps, db, events.emit)
  return {
    deps,
    db,
    audit,
    keeper,
    policy,
    events,
    settings,
    secrets: createPersonSecrets({ deps, db, audit }),
    /** PATH of the person's login shell, asked for once; null: it is not asked for. */
    loginPath: deps.asksLoginShell ? createKnownLogin(deps.env) : null,
    store: createStore({ dataDir: deps.dataDir }),
    worker: startWorker({
      file: deps.workerFile,
      workerData: { dbFile: databaseFile(deps), indexFile: join(deps.dataDir, 'index.db') },
      log,
    }),
  }
}

export function databaseFile(deps: AppDeps): string {
  return join(deps.dataDir, 'satchel.db')
}
