import { renameSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { AppEvent } from '@shared/events'
import type { AppDeps } from './deps'
import { anchorFile } from '../audit/anchor'
import { createAudit } from '../audit/audit'
import { createAuditKeeper, recordDoubts, verdictNotice } from '../audit/keeper'
import type { Db } from '../db/open'
import { newId } from '../lib/ids'
import { createPolicyKeeper } from '../policy/keeper'
import { policyDir } from '../policy/policy'
import type { WorkerClient } from '../search/worker-client'
import { createSettings } from '../settings/settings'

type Emit = (event: AppEvent) => void

/** The audit, what follows each of its entries, and the settings, whose changes are on record. */
export function createRecord(deps: AppDeps, db: Db, emit: Emit) {
  const { log, now, dataDir } = deps
  const writer = { person: personName(), program: newId('app'), monotonic: () => performance.now() }
  const tell = atMost(TELL_MS, () => emit({ t: 'audit.changed' }))
  // It works later, when all is there.
  const keeper = createAuditKeeper({
    db,
    dataDir,
    writeTo: () => policy.now().policy?.audit?.write_to ?? (settings.get().auditFile || null),
    problem: (message) => message && emit({ t: 'notice', level: 'error', message, about: 'audit-file' }),
    log,
  })
  const appended = () => {
    keeper.soon()
    tell()
  }
  const audit = createAudit({ db, now, writer, appended })
  recordDoubts({ db, dataDir }, audit)
  const policy = createPolicyKeeper({
    dir:
      deps.policyDir === undefined
        ? policyDir({ platform: process.platform, env: deps.env })
        : deps.policyDir,
    dataDir,
    record: audit.append,
    changed() {
      keeper.soon()
      emit({ t: 'settings.changed' })
    },
  })
  const settings = createSettings({ db, audit, policy: () => policy.now().policy })
  return { audit, keeper, policy, settings }
}

const TELL_MS = 300

/** Once after each burst. */
function atMost(everyMs: number, run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      run()
    }, everyMs).unref()
  }
}

export function startedFresh(deps: AppDeps, movedTo: string): AppEvent {
  deps.log.warn('The database was damaged; a new one was started', { movedTo })
  const message = `The database was damaged, so Satchel started with a new, empty one. The damaged one is kept unchanged in ${movedTo}: keep that folder if you need its chats. Your skills and projects on disk are not touched.`
  return { t: 'notice', level: 'error', message }
}

/** The note of the record's end belongs to the record that was moved away. */
export function moveAnchor({ dataDir, log }: AppDeps, movedTo: string): void {
  const file = anchorFile(dataDir)
  try {
    renameSync(file, join(movedTo, basename(file)))
  } catch (error) {
    log.info('no note of the end of the record was moved', { reason: String(error) })
  }
}

/** In the background: a long record takes a while. */
export async function verifyAtStart(
  worker: Pick<WorkerClient, 'call'>,
  { log }: Pick<AppDeps, 'log'>,
  emit: Emit,
): Promise<void> {
  try {
    const message = verdictNotice(await worker.call('audit.verify', {}))
    if (message !== null) emit({ t: 'notice', level: 'error', message, about: 'audit' })
  } catch (error) {
    log.warn('the record was not verified at the start', { reason: String(error) })
  }
}

function personName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown' // the account has no entry in the list of users
  }
}
