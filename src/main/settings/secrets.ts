import type { SecretGrant, SecretInput, SecretView, SecretWish } from '@shared/domain/secret'
import { AppError } from '@shared/errors'
import type { Keyring } from '../lib/keyring'
import type { Audit } from '../audit/audit'
import type { Db } from '../db/open'
import {
  deleteGrant,
  deleteSecret,
  getSecret,
  listGrants,
  listSecrets,
  putGrant,
  putSecret,
  secretUsed,
  type SecretRow,
} from '../db/secret-rows'
import type { HeldSecret } from '../lib/redact'
import { MIN_SECRET } from '../lib/redact-forms'

/** What scripts of skills may be given by name (X5, security.md 4.1). Values never leave main. */
export interface SecretStore {
  list(): SecretView[]
  /** Throws `bad_input`, `no_secure_storage`, `not_found`. */
  save(input: SecretInput): void
  /** Takes back every grant of it. Throws `not_found`. */
  remove(name: string): void
  grant(grant: Omit<SecretGrant, 'at'> & { name: string }): void
  revoke(name: string, skillKey: string): void
  /** What a skill with these contents gets of the names that it asks for. */
  wishes(skillKey: string, treeDigest: string, names: readonly string[]): SecretWish[]
  /** Values for one run that was allowed. Throws `stale` when one of them is not there any more. */
  values(names: readonly string[]): Record<string, string>
  /** All values that can be had, to be taken out of what scripts print. */
  held(): HeldSecret[]
}

export interface SecretStoreDeps {
  db: Db
  audit: Audit
  seal: Keyring
  /** The app's own environment, read at each run. */
  env: Readonly<Record<string, string | undefined>>
  /** Throws for a name that no run may set (AP-4). */
  checkName(name: string): void
  now(): number
}

interface Context extends SecretStoreDeps {
  /** Values for this run of the app only. */
  memory: Map<string, string>
}

const MAX_BYTES = 65_536

export function createSecretStore(deps: SecretStoreDeps): SecretStore {
  const context: Context = { ...deps, memory: new Map() }
  const { db } = deps
  return {
    list: () => list(context),
    save: (input) => save(context, input),
    remove: (name) => remove(context, name),
    grant: (grant) => give(context, grant),
    revoke(name, skillKey) {
      change(context, { action: 'secret.revoked', target: name, data: { skill: skillKey } }, () =>
        deleteGrant(db.sql, name, skillKey),
      )
    },
    wishes: (skillKey, treeDigest, names) => wishes(context, { skillKey, treeDigest }, names),
    values: (names) => values(context, names),
    held: () =>
      listSecrets(db.sql).flatMap((row) => {
        const value = valueOf(context, row)
        return value === null ? [] : [{ name: row.name, value }]
      }),
  }
}

function list(context: Context): SecretView[] {
  const grants = listGrants(context.db.sql)
  return listSecrets(context.db.sql).map((row) => ({
    name: row.name,
    note: row.note,
    source: row.source,
    last4: row.last4,
    variable: row.variable,
    state: stateOf(context, row),
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    grants: grants
      .filter(({ name }) => name === row.name)
      .map(({ skillKey, skillName, treeDigest, at }) => ({ skillKey, skillName, treeDigest, at })),
  }))
}

function stateOf(context: Context, row: SecretRow): SecretView['state'] {
  if (valueOf(context, row) !== null) return 'ready'
  return row.source === 'keychain' ? 'unreadable' : 'missing'
}

function valueOf({ env, memory, seal }: Context, row: SecretRow): string | null {
  if (row.source === 'memory') return memory.get(row.name) ?? null
  if (row.source === 'env') return usable(env[row.variable ?? ''] ?? '')
  try {
    return row.sealed && seal.open(row.sealed)
  } catch {
    // Sealed by a keyring that is gone or changed: the state says so.
    return null
  }
}

/** One of a few characters can't be told from other text, so it could not be taken out of an output. */
function usable(value: string): string | null {
  const isGood = value.length >= MIN_SECRET && Buffer.byteLength(value) <= MAX_BYTES && !value.includes('\0')
  return isGood ? value : null
}

function save(context: Context, input: SecretInput): void {
  context.checkName(input.name)
  const before = getSecret(context.db.sql, input.name)
  if (input.value.store === 'keep' && !before) {
    throw new AppError('not_found', `There is no secret ${input.name}. Enter its value.`)
  }
  const row: SecretRow = {
    name: input.name,
    note: input.note,
    ...columns(context, input.value, before),
    createdAt: before?.createdAt ?? context.now(),
    lastUsedAt: before?.lastUsedAt ?? null,
  }
  const data = { source: row.source, isNew: before === null, valueChanged: input.value.store !== 'keep' }
  change(context, { action: 'secret.saved', target: row.name, data: data }, () =>
    putSecret(context.db.sql, row),
  )
  if (input.value.store === 'memory') context.memory.set(row.name, checked(input.value.value))
  else if (input.value.store !== 'keep') context.memory.delete(row.name)
}

type Columns = Pick<SecretRow, 'source' | 'variable' | 'sealed' | 'backend' | 'last4'>

function columns({ seal }: Context, value: SecretInput['value'], before: SecretRow | null): Columns {
  const none = { variable: null, sealed: null, backend: null, last4: null }
  if (value.store === 'keep') return { ...none, source: 'memory', ...before }
  if (value.store === 'env') return { ...none, source: 'env', variable: value.variable }
  const text = checked(value.value)
  // Of a short one four characters would be too much.
  const last4 = text.length >= 12 ? text.slice(-4) : null
  if (value.store === 'memory') return { ...none, source: 'memory', last4 }
  if (!seal.available) throw new AppError('no_secure_storage', `The secret was not saved. ${seal.reason}`)
  return { ...none, source: 'keychain', sealed: seal.seal(text), backend: seal.backend, last4 }
}

function checked(value: string): string {
  const text = usable(value)
  if (text !== null) return text
  throw new AppError(
    'bad_input',
    `A secret has ${MIN_SECRET} characters to 64 kB and no NUL: a shorter one could not be found in what a script prints.`,
  )
}

function remove(context: Context, name: string): void {
  if (!getSecret(context.db.sql, name)) throw new AppError('not_found', `There is no secret ${name}.`)
  change(context, { action: 'secret.deleted', target: name, data: {} }, () =>
    deleteSecret(context.db.sql, name),
  )
  context.memory.delete(name)
}

function give(context: Context, grant: Omit<SecretGrant, 'at'> & { name: string }): void {
  if (!getSecret(context.db.sql, grant.name)) {
    throw new AppError('not_found', `There is no secret ${grant.name}. Add it in Settings, then give it.`)
  }
  const data = { skill: grant.skillKey, treeDigest: grant.treeDigest }
  change(context, { action: 'secret.granted', target: grant.name, data: data }, () =>
    putGrant(context.db.sql, { ...grant, at: context.now() }),
  )
}

function wishes(
  context: Context,
  skill: { skillKey: string; treeDigest: string },
  names: readonly string[],
): SecretWish[] {
  const grants = listGrants(context.db.sql).filter(({ skillKey }) => skillKey === skill.skillKey)
  return [...new Set(names)].sort().map((name): SecretWish => {
    if (!isAllowedName(context, name)) return { name, state: 'refused' }
    if (!getSecret(context.db.sql, name)) return { name, state: 'missing' }
    const grant = grants.find((other) => other.name === name)
    if (!grant) return { name, state: 'not-given' }
    return { name, state: grant.treeDigest === skill.treeDigest ? 'given' : 'other' }
  })
}

function isAllowedName({ checkName }: Context, name: string): boolean {
  try {
    checkName(name)
    return true
  } catch {
    // AP-4: the review says that it is refused.
    return false
  }
}

function values(context: Context, names: readonly string[]): Record<string, string> {
  const { db, now } = context
  const found = names.map((name): [string, string] => {
    const row = getSecret(db.sql, name)
    const value = row && valueOf(context, row)
    if (value !== null) return [name, value]
    throw new AppError(
      'stale',
      `The secret ${name} can't be read any more. Nothing ran. Enter it in Settings, then ask for the run again.`,
    )
  })
  db.tx(() => {
    for (const name of names) secretUsed(db.sql, name, now())
  })
  return Object.fromEntries(found)
}

interface Entry {
  action: 'secret.saved' | 'secret.deleted' | 'secret.granted' | 'secret.revoked'
  target: string
  data: Record<string, unknown>
}

/** Names only: no value is ever on record. */
function change({ db, audit }: Context, entry: Entry, write: () => void): void {
  db.durable(() => {
    write()
    audit.append({ actor: 'person', sessionId: null, ...entry })
  })
}
