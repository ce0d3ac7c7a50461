import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb, type Db } from '../../../../src/main/db/open'
import { createHostGrants } from '../../../../src/main/settings/host-grants'

let dir: string
let db: Db
let allowed: string[] | null
let canHold: boolean
let recorded: unknown[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hosts-'))
  db = openDb(join(dir, 'satchel.db'))
  allowed = null
  canHold = true
  recorded = []
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const grants = () =>
  createHostGrants({
    db,
    audit: { append: (entry: object) => void recorded.push(entry) },
    allowed: () => allowed,
    canHold: () => canHold,
    now: () => 7,
  })
const SKILL = { skillKey: 'personal:/tool', skillName: 'tool', treeDigest: 'sha256:1' }
const stateOf = (host: string, digest = SKILL.treeDigest) =>
  grants().wishes(SKILL.skillKey, digest, [host])[0]?.state

describe('a host that a skill asks for', () => {
  test('is its own when the person gives it, for these files alone, and until it is taken back', () => {
    expect(stateOf('api.example.com')).toBe('not-given')
    grants().grant({ ...SKILL, host: 'API.example.com' })
    expect(stateOf('api.example.com:443')).toBe('given')
    expect(grants().given(SKILL.skillKey, SKILL.treeDigest)).toEqual(['api.example.com:443'])
    expect(stateOf('api.example.com', 'sha256:2')).toBe('other')
    expect(grants().given(SKILL.skillKey, 'sha256:2')).toEqual([])
    expect(grants().given('personal:/other', SKILL.treeDigest)).toEqual([])
    grants().revoke('api.example.com:443', SKILL.skillKey)
    expect(stateOf('api.example.com')).toBe('not-given')
    expect(recorded).toMatchObject([
      {
        action: 'host.granted',
        actor: 'person',
        target: 'api.example.com:443',
        data: { skill: 'personal:/tool' },
      },
      { action: 'host.revoked', actor: 'person', target: 'api.example.com:443' },
    ])
  })

  test('given anew after a change it is bound to the newer files', () => {
    grants().grant({ ...SKILL, host: 'api.example.com' })
    grants().grant({ ...SKILL, host: 'api.example.com', treeDigest: 'sha256:2' })
    expect(grants().list()).toEqual([
      { ...SKILL, host: 'api.example.com:443', treeDigest: 'sha256:2', at: 7 },
    ])
  })

  test.each(['127.0.0.1', 'localhost', '*', 'https://api.example.com'])('%s can not be given', (host) => {
    expect(stateOf(host)).toBe('refused')
    expect(() => grants().grant({ ...SKILL, host })).toThrow('is not the name of a host')
    expect(grants().list()).toEqual([])
  })

  test('the organisation does not list can not be given, and an empty list lists none', () => {
    allowed = ['*.example.com']
    expect([stateOf('api.example.com'), stateOf('api.example.org'), stateOf('api.example.com:8443')]).toEqual(
      ['not-given', 'policy', 'policy'],
    )
    expect(() => grants().grant({ ...SKILL, host: 'api.example.org' })).toThrow('organisation')
    allowed = []
    expect(stateOf('api.example.com')).toBe('policy')
  })

  test('can not be given where no run can be held to it', () => {
    canHold = false
    expect(stateOf('api.example.com')).toBe('unavailable')
    expect(() => grants().grant({ ...SKILL, host: 'api.example.com' })).toThrow('can not hold')
  })

  test('that the list of the organisation ends is gone for good, and on record as ended by the policy', () => {
    grants().grant({ ...SKILL, host: 'api.example.com' })
    grants().grant({ ...SKILL, host: 'www.example.com' })
    recorded.length = 0
    allowed = ['www.example.com']
    grants().endForbidden()
    grants().endForbidden()
    expect(recorded).toEqual([
      {
        actor: 'app',
        action: 'host.revoked',
        sessionId: null,
        target: 'api.example.com:443',
        data: { skill: SKILL.skillKey, reason: 'policy' },
      },
    ])
    allowed = null
    expect([stateOf('api.example.com'), stateOf('www.example.com')]).toEqual(['not-given', 'given'])
  })

  test('that the list of the organisation makes narrower ends whole, and never comes back as it was', () => {
    grants().grant({ ...SKILL, host: '*.example.com' })
    recorded.length = 0
    allowed = ['api.example.com']
    expect(grants().given(SKILL.skillKey, SKILL.treeDigest)).toEqual(['api.example.com:443'])
    expect(
      grants()
        .list()
        .map(({ host }) => host),
    ).toEqual(['api.example.com:443'])
    grants().endForbidden()
    expect(recorded).toMatchObject([
      { action: 'host.revoked', target: '*.example.com:443', data: { reason: 'policy' } },
    ])
    allowed = null
    grants().endForbidden()
    expect(grants().given(SKILL.skillKey, SKILL.treeDigest)).toEqual([])
    expect(grants().list()).toEqual([])
  })

  test('and many more can be given as far as the list of the organisation holds it, and no further later', () => {
    allowed = ['api.example.com', 'www.example.com', 'www.example.org']
    expect(stateOf('*.example.com')).toBe('not-given')
    grants().grant({ ...SKILL, host: '*.example.com' })
    const both = ['api.example.com:443', 'www.example.com:443']
    expect([stateOf('*.example.com'), stateOf('*.example.com', 'sha256:2')]).toEqual(['given', 'other'])
    expect(recorded).toMatchObject(both.map((target) => ({ action: 'host.granted', target })))
    allowed = null
    expect(stateOf('*.example.com')).toBe('not-given')
    expect(grants().given(SKILL.skillKey, SKILL.treeDigest)).toEqual(both)
  })

  test('stays where the organisation has no list', () => {
    grants().grant({ ...SKILL, host: 'api.example.com' })
    grants().endForbidden()
    expect(stateOf('api.example.com')).toBe('given')
  })
})
