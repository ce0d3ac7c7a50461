import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ArrangeDone, ArrangePlan, ArrangeRequest } from '@shared/domain/arranging'
import { AppError } from '@shared/errors'
import { createArrangeWorld } from '../../main/app/arranging/world'
import { recordOperation } from '../../main/app/arranging/record'
import { createArranging } from '../../main/arranging/service'
import type { Arranging, ArrangingDeps } from '../../main/arranging/service'
import { createTemplates } from '../../main/arranging/templates'
import { createAudit } from '../../main/audit/audit'
import { openDb } from '../../main/db/open'
import { dataFolder, userDataFolder } from '../../main/lib/data-folder'
import type { World } from '../world'

/** Arranging with the journal, the trash and the record of the app, seen from the current folder. */
export interface ArrangingHere {
  arranging: Arranging
  /** Shows nothing and does it: the command was the question. Throws why it is refused. */
  arrange(request: ArrangeRequest): Promise<{ done: ArrangeDone; plan: ArrangePlan }>
}

/** For a new skill in this folder, whatever else there is. */
export function withPlace<T>(
  world: World,
  place: { dir: string; shown: string },
  work: (here: ArrangingHere) => Promise<T>,
): Promise<T> {
  const none = { all: () => [], get: () => null, rules: nothing }
  const facts = createArrangeWorld({
    registry: none,
    homeDir: world.homeDir,
    isTrusted: () => true,
    organisation: () => '',
  })
  const wanted = { ...place, label: place.shown, noLinksBelow: null, refusal: null }
  return withDeps(
    world,
    { facts: { ...facts, place: () => wanted, effects: () => [] }, projectDir: null },
    work,
  )
}

function nothing(): never {
  throw new AppError('internal', 'No skill was looked at.')
}

type Facts = ReturnType<typeof createArrangeWorld>

/** With the journal, the trash and the record of the app's data. */
export async function withDeps<T>(
  world: World,
  { facts, projectDir }: { facts: Facts; projectDir: string | null },
  work: (here: ArrangingHere) => Promise<T>,
): Promise<T> {
  const { env, now } = world
  const dataDir = dataFolder({ satchelHome: env['SATCHEL_HOME'], userData: userDataFolder(world) })
  const file = join(dataDir, 'satchel.db')
  // Without any data there is no record yet either.
  const db = existsSync(file) ? openDb(file) : null
  try {
    const audit = db && createAudit({ db, now })
    const deps: ArrangingDeps = {
      ...facts,
      dataDir,
      now,
      log: { info() {}, warn() {}, error() {} },
      template: (id, skill) => createTemplates(join(world.root, 'resources')).files(id, skill),
      record: (operation) => audit && recordOperation(audit, operation),
      changed: async () => undefined,
    }
    const arranging = createArranging(deps)
    const arrange = async (request: ArrangeRequest) => {
      const plan = await arranging.plan({ projectDir, request })
      const done = await arranging.do({ projectDir, request, planHash: plan.hash })
      return { done, plan }
    }
    return await work({ arranging, arrange })
  } finally {
    db?.close()
  }
}
