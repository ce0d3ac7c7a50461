import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createKit } from '../main/sessions/kit'
import { testWorld, type TestWorld } from './cli-world'

const POLICY = {
  version: 1,
  organisation: 'Northwind IT',
  skills: { block: ['marmalade'] },
  rules: [{ effect: 'deny', shape: 'tool', match: { tool: 'Bash' } }],
}

function underPolicy(env: Record<string, string> = {}): TestWorld {
  const here = testWorld()
  const file = here.write('policy/policy.json', JSON.stringify(POLICY))
  Object.assign(here.world, {
    testBuild: true,
    env: { ...here.world.env, ...env, SATCHEL_POLICY_DIR: join(file, '..') },
  })
  return here
}

// A policy counts only where an administrator alone can write it, so this needs one.
describe.runIf(process.getuid?.() === 0)('the policy of an organisation, in a terminal', () => {
  test('its blocked skills are listed as not available, with who blocked them', async () => {
    const here = underPolicy()
    here.skill('home/.satchel/skills/marmalade')
    here.skill('home/.satchel/skills/jam')
    const { result } = await here.json('skills', 'list')
    const { skills } = result as { skills: { name: string; status: string; status_reason?: string }[] }
    const byName = Object.fromEntries(skills.map((skill) => [skill.name, skill]))
    expect(byName['marmalade']).toMatchObject({ status: 'unavailable' })
    expect(JSON.stringify(byName['marmalade'])).toContain('Blocked by Northwind IT.')
    expect(byName['jam']).toMatchObject({ status: 'effective' })
  })

  test('its rules are listed and can not be revoked', async () => {
    const kit = await createKit()
    try {
      const here = underPolicy({ SATCHEL_HOME: join(kit.home, 'data') })
      expect((await here.run('rules', 'list')).out).toContain('policy-1')
      const { exit, err } = await here.run('rules', 'revoke', 'policy-1')
      expect(exit).not.toBe(0)
      expect(err).toContain('Your organisation made this rule.')
    } finally {
      await kit.remove()
    }
  })

  test('a file where its folder would be is told by doctor as a policy that can not be used', async () => {
    const here = underPolicy()
    const file = here.write('policy/none', 'x')
    Object.assign(here.world, { env: { ...here.world.env, SATCHEL_POLICY_DIR: file } })
    const { exit, result } = await here.json('doctor')
    const { policy } = result as { policy: { source: string; notes: string[] } }
    expect([exit, policy.source]).toEqual([1, 'locked-down'])
    expect(policy.notes[0]).toContain('It is not a folder')
    expect((await here.json('skills', 'list')).exit).toBe(0)
  })

  test('a slip in it is told by doctor, with its line and what may have been meant', async () => {
    const here = underPolicy()
    here.write('policy/policy.json', '{\n  "version": 1,\n  "require-aproval-for": ["scripts"]\n}')
    const { exit, result } = await here.json('doctor')
    const { policy } = result as { policy: { source: string; notes: string[] } }
    expect([exit, policy.source]).toEqual([1, 'locked-down'])
    expect(policy.notes[0]).toContain(
      'require-aproval-for, line 3: There is no such key. Did you mean require_approval_for?',
    )
  })

  test('one that broke is used as it was understood last', async () => {
    const kit = await createKit()
    try {
      const here = underPolicy({ SATCHEL_HOME: join(kit.home, 'data') })
      const lastGood = JSON.stringify({ digest: 'a'.repeat(64), policy: POLICY })
      writeFileSync(join(kit.home, 'data', 'policy-last-good.json'), lastGood)
      here.write('policy/policy.json', '{ broken')
      expect((await here.run('rules', 'list')).out).toContain('policy-1')
    } finally {
      await kit.remove()
    }
  })
})
