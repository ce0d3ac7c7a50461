import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { RunEnvironment, RunPlan } from '@shared/domain/approval'
import type { PreparedEnvironment } from '@shared/domain/environment'
import { AppError } from '@shared/errors'
import {
  deleteEnvironment,
  environmentsOf,
  insertEnvironment,
  listEnvironments,
  touchEnvironment,
  type EnvironmentRow,
} from '../../db/environment-rows'
import type { Db } from '../../db/open'
import { folderDigest } from './digest'
import { PACKAGES_FOLDER, type PackageSource } from './plan'

/** Packages that were prepared for scripts, each in a folder of its own under the app's data (ADR 0037). */
export interface Environments {
  list(): PreparedEnvironment[]
  /** Where a preparation for this call would go; the same as long as the key is. Nothing is made. */
  folderFor(key: string, callId: string): string
  /** What was prepared under this key, as long as no byte of it changed; else null. */
  find(key: string): Promise<RunEnvironment | null>
  /** Something was prepared under this key, whatever became of it. */
  isKnown(key: string): boolean
  /** Makes the folder of an allowed preparation, empty. */
  begin(folder: string): Promise<void>
  /** What a preparation made is kept, in the place of what there was. Throws `bad_input` when it made nothing. */
  keep(plan: RunPlan, sessionId: string): Promise<void>
  /** A preparation that came to nothing leaves nothing. */
  discard(folder: string): Promise<void>
  used(environment: RunEnvironment): void
  /** By the person. Throws `not_found`. */
  remove(id: string): Promise<void>
  /** At start: what nobody used for 90 days; `isAlone`: and what a preparation left that did not end. */
  sweep(isAlone: boolean): Promise<void>
  /** Where packages come from; left out: the registries. Tests put their own here. */
  from?: PackageSource
}

interface AuditEntry {
  actor: 'person' | 'app'
  action: 'environment.prepared' | 'environment.removed'
  sessionId: string | null
  target: string
  data: Record<string, unknown>
}

export interface EnvironmentDeps {
  db: Db
  dataDir: string
  audit: (entry: AuditEntry) => void
  now: () => number
}

type Context = EnvironmentDeps & { root: string }

const UNUSED_MS = 90 * 24 * 60 * 60 * 1000

export function createEnvironments(deps: EnvironmentDeps): Environments {
  const folder = join(deps.dataDir, 'environments')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const context: Context = { ...deps, root: realpathSync(folder) }
  const { db, root } = context
  return {
    list: () => listEnvironments(db.sql).map((row) => ({ ...row, folder: packagesIn(context, row) })),
    folderFor: (key, callId) => join(root, `${key.slice(0, 16)}-${callId.replace(/\W/g, '-')}`),
    find: (key) => find(context, key),
    isKnown: (key) => environmentsOf(db.sql, key).length > 0,
    begin: (path) => begin(context, path),
    keep: (plan, sessionId) => keep(context, plan, sessionId),
    discard: async (path) => rm(own(context, path), { recursive: true, force: true }),
    used: ({ folder: path }) => db.tx(() => touchEnvironment(db.sql, basename(join(path, '..')), deps.now())),
    async remove(id) {
      const row = listEnvironments(db.sql).find((other) => other.id === id)
      if (!row) throw new AppError('not_found', 'These packages are gone already.')
      await drop(context, row, 'person')
    },
    sweep: (isAlone) => sweep(context, isAlone),
  }
}

async function find(context: Context, key: string): Promise<RunEnvironment | null> {
  for (const row of environmentsOf(context.db.sql, key)) {
    const folder = packagesIn(context, row)
    const { kind, digest, packages } = row
    if (await isSame(folder, digest)) return { kind, folder, digest, packages }
  }
  return null
}

/** True when every byte in the folder is as it was prepared. */
export async function isSame(folder: string, digest: string): Promise<boolean> {
  try {
    return (await folderDigest(folder)).digest === digest
  } catch {
    return false // gone, or not to be read: not what was prepared
  }
}

/** A folder of that name can only be left over by the same call: nothing uses it. */
async function begin(context: Context, path: string): Promise<void> {
  if (listEnvironments(context.db.sql).some(({ id }) => id === basename(path))) {
    throw new AppError('stale', 'These packages were prepared already. Ask for the run again.')
  }
  await rm(own(context, path), { recursive: true, force: true })
  await mkdir(path, { mode: 0o700 })
}

async function keep(context: Context, plan: RunPlan, sessionId: string): Promise<void> {
  const { db, now, audit } = context
  const { prepares, skill, workspace } = plan
  const folder = join(workspace, PACKAGES_FOLDER)
  const isThere = existsSync(join(folder, prepares?.kind === 'node' ? 'node_modules' : 'pyvenv.cfg'))
  if (!prepares || !skill || !isThere) throw new AppError('bad_input', 'It ended, but left no packages.')
  const { digest, bytes } = await folderDigest(folder)
  const before = environmentsOf(db.sql, prepares.key)
  const row: EnvironmentRow = {
    id: basename(own(context, workspace)),
    key: prepares.key,
    kind: prepares.kind,
    skillKey: skill.key,
    skillName: skill.name,
    treeDigest: skill.treeDigest,
    packages: prepares.packages,
    digest,
    bytes,
    at: now(),
    usedAt: now(),
  }
  const { key, kind, treeDigest, packages } = row
  const data = { key, kind, treeDigest, packages, digest, bytes }
  db.durable(() => {
    insertEnvironment(db.sql, row)
    audit({ actor: 'app', action: 'environment.prepared', sessionId, target: skill.name, data })
  })
  for (const old of before) await drop(context, old, 'app')
}

/** The row first: what has none is removed at the next start. */
async function drop(context: Context, row: EnvironmentRow, actor: AuditEntry['actor']): Promise<void> {
  const { db, audit } = context
  const { id, skillName: target, digest, treeDigest } = row
  db.durable(() => {
    deleteEnvironment(db.sql, id)
    audit({ actor, action: 'environment.removed', sessionId: null, target, data: { digest, treeDigest } })
  })
  await rm(own(context, join(context.root, id)), { recursive: true, force: true })
}

async function sweep(context: Context, isAlone: boolean): Promise<void> {
  const { db, now, root } = context
  const unused = listEnvironments(db.sql).filter(({ usedAt }) => usedAt < now() - UNUSED_MS)
  for (const row of unused) await drop(context, row, 'app')
  if (!isAlone) return
  const known = new Set(listEnvironments(db.sql).map(({ id }) => id))
  for (const name of readdirSync(root).filter((entry) => !known.has(entry)))
    await rm(join(root, name), { recursive: true, force: true })
}

function packagesIn({ root }: Context, { id }: EnvironmentRow): string {
  return join(root, id, PACKAGES_FOLDER)
}

/** Nothing but a folder right below the own one is ever made or removed. */
function own({ root }: Context, path: string): string {
  const name = basename(path)
  if (join(root, name) !== path || name === '' || name.startsWith('.')) {
    throw new AppError('path_escape', 'This is no folder of prepared packages.')
  }
  return path
}
