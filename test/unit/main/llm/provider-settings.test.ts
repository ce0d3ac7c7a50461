import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProviderInput } from '../../../../src/shared/domain/settings'
import type { AppError } from '../../../../src/shared/errors'
import type { Keyring } from '../../../../src/main/lib/keyring'
import { openDb, type Db } from '../../../../src/main/db/open'
import { createProviders, type Providers } from '../../../../src/main/llm/provider-settings'

const KEY = 'sk-test-0123456789abcd'

/** Seals by turning the bits, under a name that must be the same when it is opened. */
function keyring(name = 'ring-1', available = true): Keyring & { opens: number } {
  const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0xff))
  const secrets = {
    available,
    backend: name,
    reason: 'There is no keyring on this computer.',
    opens: 0,
    seal: (text: string) => flip(Buffer.from(`${name}:${text}`)),
    open(sealed: Buffer) {
      secrets.opens += 1
      const text = flip(sealed).toString()
      if (!text.startsWith(`${name}:`)) throw new Error('sealed by another keyring')
      return text.slice(name.length + 1)
    },
  }
  return secrets
}

let dir: string
let db: Db
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-providers-'))
  db = openDb(join(dir, 'satchel.db'))
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

function providersWith(
  secrets: Keyring = keyring(),
  env: Record<string, string | undefined> = {},
): Providers {
  let now = 0
  return createProviders({ db, secrets, env, now: () => (now += 1) })
}

function input(fields: object = {}): ProviderInput {
  return ProviderInput.parse({
    id: 'mine',
    kind: 'anthropic',
    label: 'Mine',
    models: ['claude-sonnet-4-5'],
    key: { store: 'keychain', value: KEY },
    ...fields,
  })
}

function refusal(work: () => unknown): Pick<AppError, 'code' | 'message'> {
  try {
    work()
  } catch (error) {
    return error as AppError
  }
  throw new Error('nothing was refused')
}

function everyFile(): string {
  return readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'latin1'))
    .join('')
}

describe('providers', () => {
  it('begin with the practice agent alone', () => {
    expect(providersWith().list()).toEqual([
      {
        id: 'practice',
        kind: 'practice',
        label: 'Practice agent',
        models: ['scripted'],
        keySource: 'none',
        state: 'ready',
      },
    ])
  })

  it('seal a key in the keyring and show its last four characters only', () => {
    const view = providersWith().save(input())
    expect(view).toEqual({
      id: 'mine',
      kind: 'anthropic',
      label: 'Mine',
      models: ['claude-sonnet-4-5'],
      keySource: 'keychain',
      keyLast4: 'abcd',
      state: 'ready',
    })
    const again = providersWith()
    expect(again.key('mine')).toBe(KEY)
    expect(again.list()[1]).toEqual(view)
  })

  it('show nothing of a key that is short', () => {
    const view = providersWith().save(input({ key: { store: 'keychain', value: 'short-key' } }))
    expect(view.keyLast4).toBeUndefined()
  })

  it.each(['keychain', 'memory'] as const)('write no key in plain text to the disk (%s)', (store) => {
    providersWith().save(input({ key: { store, value: KEY } }))
    db.sql.pragma('wal_checkpoint(TRUNCATE)')
    expect(everyFile()).not.toContain(KEY)
  })

  it('refuse the keychain where there is none, and name the choices', () => {
    const providers = providersWith(keyring('x', false))
    const error = refusal(() => providers.save(input()))
    expect(error).toMatchObject({ code: 'no_secure_storage', details: { choices: ['memory', 'env'] } })
    expect(error.message).toContain('There is no keyring on this computer. Keep it until Satchel is closed')
    expect(providers.list()).toHaveLength(1)
  })

  it('keep a key in memory for this run of the app only', () => {
    const providers = providersWith(keyring('x', false))
    expect(providers.save(input({ key: { store: 'memory', value: KEY } })).state).toBe('ready')
    expect(providers.key('mine')).toBe(KEY)
    const restarted = providersWith(keyring('x', false))
    expect(restarted.key('mine')).toBeNull()
    expect(restarted.list()[1]).toMatchObject({ keySource: 'memory', state: 'key-missing' })
  })

  it('read a key from the environment at each call', () => {
    const env: Record<string, string | undefined> = {}
    const providers = providersWith(keyring('x', false), env)
    const view = providers.save(input({ key: { store: 'env', name: 'MY_KEY' } }))
    expect(view).toMatchObject({ keySource: 'env', keyEnv: 'MY_KEY', state: 'key-missing' })
    env['MY_KEY'] = ` ${KEY}\n`
    expect(providers.key('mine')).toBe(KEY)
    expect(providers.list()[1]?.state).toBe('ready')
  })

  it('ask again for a key that another keyring sealed, and go on', () => {
    providersWith(keyring('ring-1')).save(input())
    const changed = providersWith(keyring('ring-2'))
    expect(changed.list()[1]?.state).toBe('key-unreadable')
    expect(changed.key('mine')).toBeNull()
    expect(changed.save(input()).state).toBe('ready')
    expect(changed.key('mine')).toBe(KEY)
  })

  it('open a sealed key once', () => {
    providersWith().save(input())
    const ring = keyring()
    const providers = providersWith(ring)
    providers.list()
    providers.list()
    providers.key('mine')
    expect(ring.opens).toBe(1)
  })

  it('keep the key when only names change', () => {
    const providers = providersWith()
    providers.save(input())
    const view = providers.save(input({ label: 'New', models: ['a', 'b'], key: { store: 'keep' } }))
    expect(view).toMatchObject({ label: 'New', models: ['a', 'b'], state: 'ready' })
    expect(providers.key('mine')).toBe(KEY)
  })

  it.each<[string, object, object]>([
    ['an address is given', {}, { baseUrl: 'https://proxy.example/v1' }],
    ['the address changes', { baseUrl: 'https://a.example/v1' }, { baseUrl: 'https://b.example/v1' }],
    ['the path changes', { baseUrl: 'https://a.example/v1' }, { baseUrl: 'https://a.example/v2' }],
    ['the address is taken away', { baseUrl: 'https://a.example/v1' }, {}],
    ['the kind changes, and its own address with it', {}, { kind: 'google' }],
    [
      'the kind changes',
      { baseUrl: 'https://a.example/v1' },
      { baseUrl: 'https://a.example/v1', kind: 'openai-compatible' },
    ],
    [
      'the key is a variable',
      { baseUrl: 'https://a.example/v1', key: { store: 'env', name: 'MY_KEY' } },
      { baseUrl: 'https://b.example/v1' },
    ],
  ])('ask for the key again when %s', (_name, before, after) => {
    const providers = providersWith()
    providers.save(input(before))
    const error = refusal(() => providers.save(input({ ...after, key: { store: 'keep' } })))
    expect(error).toMatchObject({ code: 'bad_input', message: expect.stringContaining('entered again') })
    const unsaved = refusal(() => providers.unsaved(input({ ...after, key: { store: 'keep' } })))
    expect(unsaved.message).toBe(error.message)
    expect(providers.config('mine')?.baseUrl).toBe(
      'baseUrl' in before ? 'https://a.example/v1' : 'https://api.anthropic.com/v1',
    )
  })

  it.each([
    ['typed', { store: 'memory', value: KEY }, KEY, 'ready'],
    ['of a variable', { store: 'env', name: 'MY_KEY' }, 'from-env', 'ready'],
    ['of a variable that is not set', { store: 'env', name: 'NO_KEY' }, null, 'key-missing'],
    ['that is kept', { store: 'keep' }, 'saved-before-1', 'ready'],
  ])('that are not saved give the key %s, and nothing of it is kept', (_which, key, expected, state) => {
    const providers = providersWith(keyring(), { MY_KEY: 'from-env' })
    providers.save(input({ key: { store: 'memory', value: 'saved-before-1' } }))
    const found = providers.unsaved(input({ label: 'Unsaved', key }))
    expect(found).toMatchObject({ key: expected, config: { label: 'Unsaved', state } })
    expect(providers.key('mine')).toBe('saved-before-1')
    expect(providers.config('mine')?.label).toBe('Mine')
  })

  it('take an address that only lost its slash as the same', () => {
    const providers = providersWith()
    providers.save(input({ baseUrl: 'https://a.example/v1/' }))
    providers.save(input({ baseUrl: 'https://A.example:443/v1', key: { store: 'keep' } }))
    expect(providers.key('mine')).toBe(KEY)
  })

  it('forget the key when there shall be none', () => {
    const providers = providersWith()
    providers.save(input({ key: { store: 'memory', value: KEY } }))
    const view = providers.save(input({ key: { store: 'none' } }))
    expect(view).toMatchObject({ keySource: 'none', state: 'key-missing' })
    expect(providers.key('mine')).toBeNull()
  })

  it('are ready without a key where servers often need none', () => {
    const local = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1', key: { store: 'none' } }
    expect(providersWith().save(input(local)).state).toBe('ready')
  })

  it('can be removed, with their key', () => {
    const providers = providersWith()
    providers.save(input({ key: { store: 'memory', value: KEY } }))
    providers.remove('mine')
    expect(providers.list()).toHaveLength(1)
    expect(providers.config('mine')).toBeNull()
    providers.save(input({ key: { store: 'keep' } }))
    expect(providers.key('mine')).toBeNull()
    expect(refusal(() => providers.remove('other')).code).toBe('not_found')
  })

  it('stay in the order in which they were added', () => {
    const providers = providersWith()
    for (const id of ['b', 'a', 'c']) providers.save(input({ id }))
    providers.save(input({ id: 'b', label: 'Changed' }))
    expect(providers.list().map((view) => view.id)).toEqual(['practice', 'b', 'a', 'c'])
  })

  it('leave the id of the practice agent alone', () => {
    expect(refusal(() => providersWith().save(input({ id: 'practice' }))).code).toBe('bad_input')
  })

  it.each(['has space', 'has\nline', 'schlüssel', '   '])('refuse %j as a key', (value) => {
    const error = refusal(() => providersWith().save(input({ key: { store: 'memory', value } })))
    expect(error).toMatchObject({ code: 'bad_input', message: expect.stringContaining('not a key') })
    expect(error.message).not.toContain(value)
  })

  it.each<[string, RegExp]>([
    ['http://models.example/v1', /models\.example would get the key unencrypted/],
    ['http://192.168.1.5:11434/v1', /unencrypted/],
    ['http://localhost.evil.example/v1', /unencrypted/],
    ['http://127.0.0.1.evil.example/v1', /unencrypted/],
    ['https://user:pass@models.example/v1', /Remove the name/],
    ['https://models.example/v1?key=1', /Remove the name/],
    ['https://models.example/v1#x', /Remove the name/],
  ])('refuse the address %s', (baseUrl, words) => {
    const error = refusal(() => providersWith().save(input({ baseUrl })))
    expect(error.code).toBe('bad_input')
    expect(error.message).toMatch(words)
  })

  it.each([
    ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
    ['http://localhost:1234/v1', 'http://localhost:1234/v1'],
    ['http://[::1]:1234/v1', 'http://[::1]:1234/v1'],
    ['https://models.example//', 'https://models.example'],
  ])('take the address %s as %s', (baseUrl, expected) => {
    const providers = providersWith()
    providers.save(input({ baseUrl }))
    expect(providers.config('mine')?.baseUrl).toBe(expected)
  })

  it('use no stored address that could not have been saved', () => {
    const providers = providersWith()
    providers.save(input({ baseUrl: 'https://models.example/v1' }))
    db.sql.prepare("UPDATE providers SET base_url = 'http://models.example/v1'").run()
    expect(providers.config('mine')).toBeNull()
    expect(providers.list()).toHaveLength(2)
  })

  it.each([
    ['anthropic', 'https://api.anthropic.com/v1'],
    ['openai', 'https://api.openai.com/v1'],
    ['google', 'https://generativelanguage.googleapis.com/v1beta'],
  ])('of the kind %s go to its own address, and need a key', (kind, address) => {
    const providers = providersWith()
    expect(providers.save(input({ kind })).state).toBe('ready')
    expect(providers.config('mine')).toMatchObject({ kind, baseUrl: address })
    expect(providers.save(input({ kind, key: { store: 'none' } })).state).toBe('key-missing')
  })

  it('ask for an address where no default is known', () => {
    const error = refusal(() => providersWith().save(input({ kind: 'openai-compatible' })))
    expect(error.message).toContain('needs an address')
  })
})
