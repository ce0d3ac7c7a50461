import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SecretInput } from '@shared/domain/secret'
import { createAudit } from '../../../../src/main/audit/audit'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../src/main/db/open'
import { checkEnv } from '../../../../src/main/runs/env'
import { createSecretStore, type SecretStore } from '../../../../src/main/settings/secrets'
import { codeOf } from '../sessions/kit'

const DIGEST = 'a'.repeat(64)
const SKILL = { skillKey: 'personal:jam', skillName: 'jam', treeDigest: DIGEST }
const VALUE = 'quince-4711-marmalade'

let dir: string
let db: Db
let env: Record<string, string | undefined>
let keyring: boolean

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-secrets-'))
  db = openDb(join(dir, 'satchel.db'))
  env = {}
  keyring = true
})

afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** A keyring that turns letters round, so that a stored value is not the value. */
const flip = (text: string) => text.split('').reverse().join('')

function open(): SecretStore {
  return createSecretStore({
    db,
    audit: createAudit({ db, now: Date.now }),
    seal: {
      get available() {
        return keyring
      },
      backend: 'test',
      reason: 'There is no keyring.',
      seal: (text) => Buffer.from(flip(text)),
      open(sealed) {
        if (!keyring) throw new Error('locked')
        return flip(sealed.toString())
      },
    },
    env,
    checkName: (name) => checkEnv({ [name]: '' }),
    now: () => 1000,
  })
}

const input = (name: string, value: SecretInput['value']): SecretInput => ({ name, note: 'for jars', value })
const sealed = (name = 'JAM_TOKEN', value = VALUE) => input(name, { store: 'keychain', value })

describe('a secret', () => {
  test('is shown with its last four characters and without its value', () => {
    const store = open()
    store.save(sealed())
    expect(store.list()).toMatchObject([
      { name: 'JAM_TOKEN', last4: 'lade', state: 'ready', note: 'for jars' },
    ])
    expect(JSON.stringify(store.list())).not.toContain('quince')
  })

  test('of a few characters shows none of them', () => {
    const store = open()
    store.save(sealed('PIN', 'abc123'))
    expect(store.list()[0]?.last4).toBeNull()
  })

  test.each(['', 'short', 'with\0nul', 'x'.repeat(65_537)])('can not be %j', async (value) => {
    expect(await codeOf(() => open().save(sealed('A_B', value)))).toBe('bad_input')
  })

  test.each(['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'SATCHEL_RUN_ID'])('can not be named %s', async (name) => {
    expect(await codeOf(() => open().save(sealed(name)))).toBe('bad_input')
  })

  test('is not stored where there is no keyring, but can be kept until the app is closed', async () => {
    keyring = false
    const store = open()
    expect(await codeOf(() => store.save(sealed()))).toBe('no_secure_storage')
    store.save(input('JAM_TOKEN', { store: 'memory', value: VALUE }))
    expect(store.values(['JAM_TOKEN'])).toEqual({ JAM_TOKEN: VALUE })
    expect(open().list()[0]?.state).toBe('missing')
  })

  test('of the app’s own environment is read when it is needed', () => {
    const store = open()
    store.save(input('JAM_TOKEN', { store: 'env', variable: 'MINE' }))
    expect(store.list()[0]?.state).toBe('missing')
    env['MINE'] = VALUE
    expect(store.values(['JAM_TOKEN'])).toEqual({ JAM_TOKEN: VALUE })
  })

  test('sealed by a keyring that is gone stops the run and is said', async () => {
    const store = open()
    store.save(sealed())
    keyring = false
    expect(store.list()[0]?.state).toBe('unreadable')
    expect(await codeOf(() => store.values(['JAM_TOKEN']))).toBe('stale')
  })

  test('is in no row of the database and in no entry of the record', () => {
    const store = open()
    store.save(sealed())
    store.grant({ name: 'JAM_TOKEN', ...SKILL })
    store.values(['JAM_TOKEN'])
    const rows = ['secrets', 'secret_grants', 'audit'].map((table) =>
      db.sql.prepare(`SELECT * FROM ${table}`).all(),
    )
    expect(JSON.stringify(rows)).not.toContain(VALUE)
    expect(queryAudit(db.sql, { limit: 9 }).map(({ action }) => action)).toEqual([
      'secret.granted',
      'secret.saved',
    ])
  })
})

describe('a skill gets', () => {
  const states = (store: SecretStore, digest = DIGEST, names = ['JAM_TOKEN']) =>
    store.wishes(SKILL.skillKey, digest, names).map(({ state }) => state)

  test('nothing by asking', () => {
    const store = open()
    expect(states(store)).toEqual(['missing'])
    store.save(sealed())
    expect(states(store)).toEqual(['not-given'])
  })

  test('what it was given, as long as none of its files changes', () => {
    const store = open()
    store.save(sealed())
    store.grant({ name: 'JAM_TOKEN', ...SKILL })
    expect(states(store)).toEqual(['given'])
    expect(states(store, 'b'.repeat(64))).toEqual(['other'])
    expect(store.wishes('personal:other', DIGEST, ['JAM_TOKEN'])[0]?.state).toBe('not-given')
  })

  test('nothing any more when it is taken back, or when the secret is deleted', () => {
    const store = open()
    store.save(sealed())
    store.grant({ name: 'JAM_TOKEN', ...SKILL })
    store.revoke('JAM_TOKEN', SKILL.skillKey)
    expect(states(store)).toEqual(['not-given'])
    store.grant({ name: 'JAM_TOKEN', ...SKILL })
    store.remove('JAM_TOKEN')
    store.save(sealed())
    expect(states(store)).toEqual(['not-given'])
  })

  test('no variable that AP-4 refuses', () => {
    expect(states(open(), DIGEST, ['LD_PRELOAD', 'lower'])).toEqual(['refused', 'refused'])
  })
})
