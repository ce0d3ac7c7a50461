import { expect, test } from 'vitest'
import type { Policy } from '../../../../src/main/policy/policy-file'
import { policyView } from '../../../../src/main/policy/view'

const demands = (policy: Partial<Policy>) =>
  policyView({
    policy: { version: 1, ...policy },
    file: '/etc/policy.json',
    digest: '',
    source: 'file',
    dir: null,
    broken: false,
    understood: null,
    notes: [],
  }).demands

test('what stands in a policy and is not used yet is named so', () => {
  expect(
    demands({
      skills: {
        sources: ['https://git.example.com/*'],
        block: [{ source: 'https://git.example.com/labs/*' }],
      },
      audit: { retention_days: 30 },
      locked: { 'approvals.defaultMode': 'ask' },
    }),
  ).toEqual([
    'These skills are not used: https://git.example.com/labs/*.',
    'Not used yet: source of a skill, approvals.defaultMode, skills.sources, audit.retention_days.',
  ])
})

test('a policy that says nothing of that has no such line', () => {
  expect(demands({ require_approval_for: ['skill-load'] })).toEqual(['Asked about every time: skill-load.'])
})
