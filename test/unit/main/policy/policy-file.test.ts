import { assert, jsonValue, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policyFrom } from '../../../../src/main/policy/policy-file'

const read = (text: string) => policyFrom(JSON.parse(text), text)
const of = (rest: object) => read(JSON.stringify({ version: 1, ...rest }))
const DIGEST = 'a'.repeat(64)

describe('a key of a policy', () => {
  test.each([
    [{ 'require-approval-for': ['scripts', 'network-tools', 'file-write'] }],
    [{ requireApprovalFor: ['Scripts', 'network_tools', 'FILE-WRITE'] }],
    [{ 'Require-Approval_For': ['scripts', 'network-tools', 'file-write'] }],
    [{ 'skill-policy': { 'require-approval-for': ['scripts', 'network-tools', 'file-write'] } }],
    [
      {
        skill_policy: { require_approval_for: ['scripts'] },
        requireApprovalFor: ['network-tools', 'file-write'],
      },
    ],
  ])('is read in the spelling of %j', (written) => {
    const { policy, notes } = of(written)
    expect(notes).toEqual([])
    expect([...(policy?.require_approval_for ?? [])].toSorted()).toEqual([
      'file-write',
      'network-tools',
      'scripts',
    ])
  })

  test('is read in any case below the top too', () => {
    expect(of({ Skills: { 'Scopes-Off': ['Plugin'], newNeedApproval: true } }).policy?.skills).toEqual({
      scopes_off: ['plugin'],
      new_need_approval: true,
    })
  })

  test.each([
    [{ skils: { block: ['a'] } }, 'skils, line 1: There is no such key. Did you mean skills?'],
    [{ skills: { blocked: ['a'] } }, 'skills.blocked, line 1: There is no such key. Did you mean block?'],
    [{ organization: 'N' }, 'organization, line 1: There is no such key. Did you mean organisation?'],
    [{ quarantine: true }, 'quarantine, line 1: There is no such key.'],
    [{ skills: {}, Skills: { block: ['a'] } }, 'skills, line 1: This stands there twice.'],
    [
      { rules: [{ effect: 'deny', shape: 'tool', match: { tool: 'Write', paths: 'docs' } }] },
      'rules.0.match.paths, line 1: There is no such key. Did you mean path?',
    ],
    [
      { rules: [{ effect: 'deny', shape: 'command', match: { words: ['rm'], tool: 'Bash' } }] },
      'Unrecognized key: "tool"',
    ],
    [
      { rules: [{ effect: 'deny', shape: 'command', match: { words: ['git push'] } }] },
      'rules.0.match.words, line 1: Each word stands for itself. Did you mean ["git","push"]?',
    ],
    [{ audit: { writeTo: '/var/log/a.jsonl', keep: 5 } }, 'audit.keep, line 1: There is no such key.'],
  ])('that is not understood makes %j unusable, with what may have been meant', (written, note) => {
    const { policy, notes } = of(written)
    expect(policy).toBeNull()
    expect(notes.join(' ')).toContain(note)
  })

  test.each<[unknown, string]>([
    [{ require_approval_for: 'scripts' }, 'require_approval_for, line 1: This must be a list, not a text.'],
    [{ require_approval_for: null }, 'require_approval_for, line 1: This must be a list, not empty.'],
    [{ tenant: 5 }, 'tenant, line 1: This must be a text, not a number.'],
    [{ tenant: ' ' }, 'tenant, line 1: This must not be empty.'],
    [{ skills: [] }, 'skills, line 1: This must be keys with values, not a list.'],
    [{ skills: { new_need_approval: 'yes' } }, 'This must be true or false, not a text.'],
    [{ request_timeout_minutes: 0 }, 'request_timeout_minutes, line 1: This must be at least 1.'],
    [{ audit: { retention_days: 1.5 } }, 'audit.retention_days, line 1: This must be a whole number.'],
    [{ request_timeout_minutes: 1e9 }, 'request_timeout_minutes, line 1: This must be at most 100000.'],
    [{ tenant: 'x'.repeat(501) }, 'tenant, line 1: This must have at most 500 characters.'],
    [
      { rules: [{ effect: 'allow', shape: 'tool', match: { tool: 'Bash' } }] },
      'rules.0.effect, line 1: This must be one of these: deny, ask.',
    ],
    [
      { rules: [{ effect: 'deny', shape: 'script', match: {} }] },
      'rules.0.match.skill, line 1: This is missing. It must be a text.',
    ],
  ])('whose value does not fit is told in plain words: %j', (written, note) => {
    expect(of(written as object).notes.join(' ')).toContain(note)
    expect(of(written as object).notes.join(' ')).not.toContain('Invalid input')
  })

  test('that stands twice in one place makes the file unusable: one of both would not count', () => {
    const { policy, understood, notes } = read('{"version": 1,\n "skills": {"block": ["a"]},\n "skills": {}}')
    expect([policy, understood]).toEqual([null, null])
    expect(notes[0]).toContain('Line 3: This key stands there twice.')
  })

  test('is told with its line', () => {
    expect(read('{\n\t"version": 1,\n\t"locked": {\n\t\t"nosuch": 1\n\t}\n}').notes[0]).toContain(
      'locked.nosuch, line 4: There is no setting of this name.',
    )
  })

  test('for people and their tools says nothing', () => {
    expect(of({ $schema: 'https://example.com/s.json', 'x-owner': 'IT', skills: { 'x-why': 'x' } })).toEqual({
      policy: { version: 1, skills: {} },
      understood: null,
      notes: [],
    })
  })

  test('that nobody knows never leaves a policy that is in force', () => {
    const other = string({ minLength: 1 }).filter((key) => !/^(\$schema$|x-)/.test(key))
    assert(
      property(other, jsonValue(), (key, value) => {
        const { policy, notes } = of({ [`${key}q`]: value })
        expect(policy).toBeNull()
        expect(notes.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('a value of a policy', () => {
  test.each([
    [{ require_approval_for: ['script'] }, 'Did you mean scripts?'],
    [{ never_remember: ['all'] }, 'Did you mean everything?'],
    [{ never_remember: ['tool:Bahs'] }, 'Did you mean Bash?'],
    [{ require_approval_for: ['scope:personnal'] }, 'Did you mean personal?'],
    [{ skills: { scopes_off: ['personnal'] } }, 'Did you mean personal?'],
    [{ skills: { block: ['deploy@plugins'] } }, 'Did you mean plugin?'],
    [{ skills: { block: ['labs-*'] } }, '"labs-*" names no skill'],
    [{ skills: { block: [{ name: 'labs-*', digest: DIGEST }] } }, '"labs-*" names no skill'],
    [{ skills: { block: [{ digest: 'sha256:abc' }] } }, 'A digest is sha256: and 64'],
    [{ locked: { nosuch: true } }, 'There is no setting of this name.'],
    [{ locked: { 'approvals.armDelay': 600 } }, 'Did you mean armDelayMs?'],
    [{ locked: { 'approvals.armDelayMs': 'long' } }, 'This value does not fit the setting.'],
    [{ locked: { 'approvals.defaultMode': 'never' } }, 'This value does not fit the setting.'],
    [{ locked: { 'skills.personalOverProject': 'yes' } }, 'This value does not fit the setting.'],
    [{ rules: [{ effect: 'deny', shape: 'tools', match: { tool: 'Bash' } }] }, 'There is no shape "tools"'],
    [{ rules: [{ effect: 'deny', shape: 'tool', match: { tool: 'Read' } }] }, 'Nobody is asked for a tool'],
    [{ rules: [{ effect: 'allow', shape: 'tool', match: { tool: 'Bash' } }] }, 'rules.0.effect'],
    [{ rules: [{ effect: 'deny', shape: 'exact', match: { fingerprint: DIGEST } }] }, 'There is no shape'],
    [{ network: { allow: ['https://api.example.com'] } }, 'This is no host that can be allowed'],
    [{ audit: { write_to: 'audit.jsonl' } }, 'This must be a whole path'],
    [{ request_timeout_minutes: '30' }, 'request_timeout_minutes, line 1'],
  ])('that is not understood makes %j unusable', (written, note) => {
    const { policy, notes } = of(written)
    expect(policy).toBeNull()
    expect(notes.join(' ')).toContain(note)
  })

  test('is kept in the spelling that requests are compared with', () => {
    const entries = ['Tool:bash', 'tool:MCP__Tickets', 'Scope: Personal', 'SKILL:Jam', 'Skill-Load']
    expect(of({ never_remember: entries }).policy?.never_remember).toEqual([
      'tool:bash',
      'tool:mcp__tickets',
      'scope:personal',
      'skill:jam',
      'skill-load',
    ])
  })
})

test('what is read is read as the same once more, as the last good copy is', () => {
  const first = of({
    'require-approval-for': ['Scripts'],
    skills: { allow: ['*@Enterprise'], 'scopes-off': ['Shared'] },
    rules: [{ effect: 'ask', shape: 'command', match: { words: ['git', 'push'] } }],
  }).policy!
  expect(of(first).policy).toEqual(first)
})

test('many faults are not all told', () => {
  const { notes } = of(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key-${n}q`, 1])))
  expect([notes.length, notes.at(-1)]).toEqual([12, 'And 19 more like these.'])
})
