import { describe, expect, test } from 'vitest'
import type { RequestPlan } from '@shared/domain/approval'
import { whyAskedByPolicy } from '../../../src/main/approvals/rules/remember'
import { LOCKED_DOWN, policyFrom } from '../../../src/main/policy/policy-file'
import { policyGrounds } from '../../../src/main/app/policy/gate'

const read = (policy: object) => policyFrom({ version: 1, ...policy }, '')

describe('what a policy demands of decisions', () => {
  test('has its rules in the form of all rules', () => {
    const rules = [{ effect: 'deny', shape: 'tool', match: { tool: 'Bash' }, reason: 'No shells' }]
    expect(policyGrounds(read({ rules, never_remember: ['network'] }).policy)).toMatchObject({
      rules: [
        {
          id: 'policy-1',
          effect: 'deny',
          match: { shape: 'tool', tool: 'Bash' },
          origin: 'policy',
          state: 'on',
        },
      ],
      neverRemember: ['network'],
      requireApprovalFor: [],
    })
  })

  test.each([
    [{ effect: 'allow', shape: 'tool', match: { tool: 'Bash' } }],
    [{ effect: 'deny', shape: 'anyArgs', match: { fingerprint: 'a'.repeat(64) } }],
    [{ effect: 'deny', shape: 'unknown', match: {} }],
    [{ effect: 'deny', shape: 'tool', match: {} }],
  ])('a rule that allows, or is not understood, makes the file unusable: %j', (rule) => {
    expect(read({ rules: [rule] })).toMatchObject({
      policy: null,
      notes: expect.arrayContaining([expect.stringContaining('rules.0')]) as string[],
    })
  })

  test('there is none without a policy', () => {
    expect(policyGrounds(null)).toBeNull()
  })
})

describe('what an organisation wants to be asked for', () => {
  const sandbox = { network: 'off' }
  const skill = { name: 'jam', scope: 'project' }
  const plans = {
    script: { kind: 'script', skill, sandbox },
    shell: { kind: 'shell', skill: null, sandbox },
    online: { kind: 'shell', skill: null, sandbox: { network: 'on' } },
    edit: { kind: 'file_edit' },
    mcp: { kind: 'mcp' },
  } as Record<string, object> as Record<string, RequestPlan>
  const asked = (policy: object) =>
    Object.keys(plans).filter(
      (name) =>
        whyAskedByPolicy(plans[name]!, `mcp__tickets__${name}`, policyGrounds(read(policy).policy)) !== null,
    )

  test.each<[object, string[]]>([
    [{}, []],
    [{ require_approval_for: ['scripts'] }, ['script', 'shell', 'online']],
    [{ require_approval_for: ['shell'] }, ['shell', 'online']],
    [{ require_approval_for: ['file-write'] }, ['edit']],
    [{ require_approval_for: ['network-tools'] }, ['online', 'mcp']],
    [{ never_remember: ['scope:project'] }, ['script']],
    [{ never_remember: ['skill:jam'] }, ['script']],
    [{ never_remember: ['tool:mcp__tickets__mcp'] }, ['mcp']],
    [{ never_remember: ['tool:mcp__tickets'] }, ['mcp']],
    [{ never_remember: ['tool:mcp__other'] }, []],
    [{ never_remember: ['tool:BASH'] }, ['shell', 'online']],
    [{ never_remember: ['skill:Jam'] }, ['script']],
    [{ never_remember: ['everything'] }, ['script', 'shell', 'online', 'edit', 'mcp']],
    [LOCKED_DOWN, ['script', 'shell', 'online', 'edit', 'mcp']],
  ])('%j: %j', (policy, names) => {
    expect(asked(policy)).toEqual(names)
  })
})
