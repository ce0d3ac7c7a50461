import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { currentPlace } from '../../../../src/main/policy/place'
import { lockedProjectOverPersonal, policyDir, readPolicy } from '../../../../src/main/policy/policy'
import { readProjectSettings } from '../../../../src/main/projects/project-settings'
import { tempDir, write } from '../skills/support'

const owned = () => null

/** The example of the policy page. */
const FULL = {
  version: 1,
  organisation: 'Northwind IT',
  policy_version: '2026-11-03',
  tenant: 'tenant-123',
  environment: 'production',
  skills: {
    allow: ['*@enterprise', { name: 'deploy', digest: `sha256:${'a'.repeat(64)}` }],
    block: [
      'old-deploy',
      { digest: `sha256:${'b'.repeat(64)}` },
      { source: 'https://git.example.com/labs/*' },
    ],
    sources: ['https://git.example.com/*'],
    scopes_off: ['plugin'],
    new_need_approval: true,
  },
  require_approval_for: ['scripts'],
  locked: { 'approvals.defaultMode': 'ask', 'skills.personalOverProject': true },
  rules: [{ effect: 'deny', shape: 'tool', match: { tool: 'Bash' } }],
}

describe('the folder of the policy', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string | null]>([
    ['linux', {}, '/etc/satchel'],
    ['linux', { SATCHEL_POLICY_DIR: '/tmp/p' }, '/etc/satchel'],
    ['darwin', {}, '/Library/Application Support/Satchel'],
    ['win32', { ProgramData: 'C:\\ProgramData' }, 'C:\\ProgramData\\Satchel'],
    ['win32', { PROGRAMDATA: 'D:\\Data' }, 'D:\\Data\\Satchel'],
    ['win32', {}, null],
    ['freebsd', {}, null],
  ])('on %s with %j is %s', (platform, env, dir) => {
    expect(policyDir({ platform, env })).toBe(dir)
  })

  it('is another one only in builds for tests', () => {
    const env = { SATCHEL_POLICY_DIR: '/tmp/p' }
    expect(policyDir({ platform: 'linux', env, testBuild: true })).toBe('/tmp/p')
    expect(policyDir({ platform: 'linux', env: {}, testBuild: true })).toBe('/etc/satchel')
  })
})

describe('a policy', () => {
  it('is read whole, also what is not used yet', () => {
    const dir = tempDir()
    const file = write(join(dir, 'policy.json'), JSON.stringify(FULL))
    const state = readPolicy(dir, owned)
    expect(state).toMatchObject({ dir, file, policy: FULL, notes: [], broken: false })
    expect(state.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it('may be YAML, also in the short form for approvals', () => {
    const dir = tempDir()
    write(join(dir, 'policy.yaml'), 'skill-policy:\n  require-approval-for: [scripts, file-write]\n')
    expect(readPolicy(dir, owned).policy).toEqual({
      version: 1,
      require_approval_for: ['scripts', 'file-write'],
    })
  })

  it('whose folder is a file, or lies in one, is one that can not be used', () => {
    const file = write(join(tempDir(), 'satchel'), '{"version": 1}')
    for (const dir of [file, join(file, 'below')]) {
      const state = readPolicy(dir, owned)
      expect(state).toMatchObject({ dir, file: dir, policy: null, broken: true })
      expect(state.notes).toEqual(['It is not a folder, and a policy would lie in it. No policy is used.'])
    }
  })

  it('in JSON counts before one in YAML', () => {
    const dir = tempDir()
    write(join(dir, 'policy.yaml'), 'version: 1\ntenant: yaml\n')
    write(join(dir, 'policy.json'), '{"version": 1, "tenant": "json"}')
    expect(readPolicy(dir, owned).policy?.tenant).toBe('json')
  })

  it('that is missing, or has no folder, is none and nothing to say', () => {
    const none = { file: null, policy: null, understood: null, digest: '', broken: false, notes: [] }
    const dir = tempDir()
    expect(readPolicy(dir, owned)).toEqual({ ...none, dir })
    expect(readPolicy(null, owned)).toEqual({ ...none, dir: null })
  })

  it.each([
    ['{', /^It can't be understood.*The policy is not used\.$/],
    ['[]', /^The policy is not used as it stands\. The file: /],
    ['{"version": 2}', /stands\. version, line 1: This Satchel understands version 1 only/],
    ['{"version": 1, "tenant": 5}', /stands\. tenant, line 1: /],
    [
      '{"version": 1, "skills": {"block": [{"name": "x"}]}}',
      /stands\. skills\.block\.0, line 1: An entry is a name, /,
    ],
  ])('that is %s is not used, and a note says why', (content, note) => {
    const dir = tempDir()
    write(join(dir, 'policy.json'), content)
    const { policy, notes, digest } = readPolicy(dir, owned)
    expect([policy, digest, notes.length]).toEqual([null, '', 1])
    expect(notes[0]).toMatch(note)
  })

  it('that others than an administrator can write is not used, and a note says so', () => {
    const dir = tempDir()
    write(join(dir, 'policy.json'), JSON.stringify(FULL))
    expect(readPolicy(dir, () => 'you can write it')).toMatchObject({
      policy: null,
      broken: true,
      notes: [
        'The policy is not used, because you can write it. An administrator must own it and the folders above it, and nobody else may write them.',
      ],
    })
  })

  it('for everyone to write is not used by the real check', () => {
    const dir = tempDir()
    write(join(dir, 'policy.json'), JSON.stringify(FULL), 0o666)
    expect(readPolicy(dir).policy).toBeNull()
  })

  it.each([
    [true, false],
    [false, true],
    [undefined, null],
  ])('that locks personalOverProject to %s makes the setting %s', (locked, setting) => {
    const policy = { version: 1 as const, locked: { 'skills.personalOverProject': locked } }
    expect(lockedProjectOverPersonal(policy)).toBe(setting)
  })
})

describe('the current tenant and environment', () => {
  const policy = { tenant: 'policy-t', environment: 'policy-e' }
  const env = { SATCHEL_ENV: ' env-e ' }
  const project = { tenant: 'project-t', environment: 'project-e' }

  it.each([
    [
      { policy, env, project },
      { tenant: 'policy-t', environment: 'policy-e' },
    ],
    [
      { policy: null, env, project },
      { tenant: 'project-t', environment: 'env-e' },
    ],
    [
      { policy: null, env: {}, project },
      { tenant: 'project-t', environment: 'project-e' },
    ],
    [
      { policy: null, env: { SATCHEL_ENV: '' }, project: null },
      { tenant: null, environment: null },
    ],
    [
      { policy: { tenant: 'policy-t' }, env: {}, project },
      { tenant: 'policy-t', environment: 'project-e' },
    ],
  ])('of %j are %j', (known, place) => {
    expect(currentPlace(known)).toEqual(place)
  })
})

describe("a project's own settings", () => {
  it.each([
    ['{"tenant": "a", "environment": "b", "other": 1}', { tenant: 'a', environment: 'b' }, null],
    ['{}', {}, null],
    ['{"tenant": 5}', {}, /must be text/],
    ['{', {}, /It is not used\.$/],
  ])('%s are read', (content, settings, note) => {
    const dir = tempDir()
    write(join(dir, '.satchel/settings.json'), content)
    const read = readProjectSettings(dir)
    expect(read.settings).toEqual(settings)
    expect(read.note ?? '').toMatch(note ?? /^$/)
  })

  it('that are missing are none', () => {
    expect(readProjectSettings(tempDir())).toEqual({ settings: {}, note: null })
  })
})
