import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDb, type Db } from '../../../../src/main/db/open'
import { settingText } from '../../../../src/main/db/setting-rows'
import type { ServerDefinition } from '../../../../src/main/mcp/definitions'
import { createMcpKeys } from '../../../../src/main/mcp/keys'

let dir: string
let db: Db
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-keys-'))
  db = openDb(join(dir, 'satchel.db'))
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** A keyring that turns bytes around. */
const keyring = (available = true) => ({
  available,
  seal: (text: string) => Buffer.from(Buffer.from(text).toReversed()),
  open(sealed: Buffer) {
    if (!available) throw new Error('there is no keyring')
    return Buffer.from(sealed.toReversed()).toString()
  },
})
const docs = (url = 'https://docs.example/mcp'): ServerDefinition => ({
  kind: 'http',
  name: 'docs',
  url,
  headers: { Authorization: 'Bearer ${DOCS}' },
})
const kept = () => settingText(db.sql, 'mcp-keys') ?? ''

describe('keys that a person enters for a server', () => {
  test('are sealed, and there again after a restart', () => {
    createMcpKeys({ db, secrets: keyring() }).set(docs(), { DOCS: 'secret-4711' })
    expect(kept()).not.toContain('4711')
    expect(createMcpKeys({ db, secrets: keyring() }).of(docs())).toEqual({ DOCS: 'secret-4711' })
  })

  test('stay when another one is entered, and go with the server', () => {
    const keys = createMcpKeys({ db, secrets: keyring() })
    keys.set(docs(), { DOCS: 'a' })
    keys.set(docs(), { MORE: 'b' })
    expect(keys.of(docs())).toEqual({ DOCS: 'a', MORE: 'b' })
    keys.remove('docs')
    expect(keys.of(docs())).toEqual({})
    expect(kept()).toBe('{}')
  })

  test.each<[string, ServerDefinition]>([
    ['another address', docs('https://evil.example/mcp')],
    ['a program', { kind: 'stdio', name: 'docs', command: 'sh', args: [], env: {} }],
    ['another server at the same address', { ...docs(), name: 'other' }],
  ])('are not for %s', (_what, other) => {
    const keys = createMcpKeys({ db, secrets: keyring() })
    keys.set(docs(), { DOCS: 'secret' })
    expect(keys.of(other)).toEqual({})
    expect(createMcpKeys({ db, secrets: keyring() }).of(other)).toEqual({})
  })

  test('are forgotten when keys are entered for another address', () => {
    const keys = createMcpKeys({ db, secrets: keyring() })
    keys.set(docs(), { DOCS: 'secret' })
    keys.set(docs('https://new.example/mcp'), {})
    expect(keys.of(docs())).toEqual({})
    expect(kept()).not.toContain('DOCS')
  })

  test('are in memory alone where there is no keyring', () => {
    const keys = createMcpKeys({ db, secrets: keyring(false) })
    keys.set(docs(), { DOCS: 'secret' })
    expect(keys.of(docs())).toEqual({ DOCS: 'secret' })
    expect(kept()).toBe('{}')
    expect(createMcpKeys({ db, secrets: keyring(false) }).of(docs())).toEqual({})
  })

  test('that another keyring sealed are as if they had not been entered', () => {
    createMcpKeys({ db, secrets: keyring() }).set(docs(), { DOCS: 'secret' })
    expect(createMcpKeys({ db, secrets: keyring(false) }).of(docs())).toEqual({})
  })
})
