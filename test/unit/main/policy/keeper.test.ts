import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NewAuditEvent } from '../../../../src/main/audit/audit'
import { createPolicyKeeper, policyInForce } from '../../../../src/main/policy/keeper'
import { lockedSettings } from '../../../../src/main/policy/locked'
import { tempDir } from '../skills/support'

function setup(first?: string) {
  const dir = tempDir()
  const dataDir = tempDir()
  const file = join(dir, 'policy.json')
  const events: NewAuditEvent[] = []
  let changes = 0
  if (first !== undefined) writeFileSync(file, first)
  const start = (whyNot: (path?: string) => string | null = () => null) =>
    createPolicyKeeper({
      dir,
      dataDir,
      whyNot,
      record: (event) => void events.push(event),
      changed: () => void (changes += 1),
    })
  return { dir, dataDir, file, events, start, changes: () => changes }
}
const text = (organisation: string) => JSON.stringify({ version: 1, organisation })

describe('the policy in force', () => {
  test('is none without a file, and that is no event', () => {
    const { start, events } = setup()
    expect(start().now()).toMatchObject({ source: 'none', policy: null })
    expect(events).toEqual([])
  })

  test('is that of the file; that it came is on record, once over many starts', () => {
    const { start, events } = setup(text('Northwind'))
    expect(start().now()).toMatchObject({ source: 'file', policy: { organisation: 'Northwind' } })
    start()
    expect(events.map(({ action, data }) => [action, data['before']])).toEqual([['policy.changed', '']])
  })

  test('changes with the file, on record with both digests, and those who must know are told', () => {
    const { start, events, file, changes } = setup(text('One'))
    const keeper = start()
    const before = keeper.now().digest
    expect(keeper.refresh()).toBe(false)
    writeFileSync(file, text('Two'))
    expect(keeper.refresh()).toBe(true)
    expect([changes(), events.at(-1)?.data]).toEqual([
      1,
      expect.objectContaining({ before, after: keeper.now().digest }),
    ])
  })

  test.each([
    '{',
    JSON.stringify({ version: 2 }),
    JSON.stringify({ version: 1, rules: [{ effect: 'allow', shape: 'tool', match: {} }] }),
  ])('a file that became unusable (%s) leaves the last good one in force, also after a restart', (broken) => {
    const { start, file } = setup(text('Northwind'))
    const keeper = start()
    writeFileSync(file, broken)
    keeper.refresh()
    for (const one of [keeper, start()]) {
      expect(one.now()).toMatchObject({ source: 'last-good', policy: { organisation: 'Northwind' } })
    }
  })

  test('a file that can not be used and never could locks down, and opens nothing', () => {
    const { start, events, dir, dataDir } = setup('{')
    expect(start().now()).toMatchObject({
      source: 'locked-down',
      policy: {
        never_remember: ['everything'],
        require_approval_for: expect.arrayContaining(['scripts']) as string[],
      },
    })
    expect(events.at(-1)?.data).toMatchObject({ source: 'locked-down' })
    expect(policyInForce(dir, dataDir, () => null).source).toBe('locked-down')
  })

  test('of a file that is understood in parts, and never was whole, those count besides', () => {
    const { start } = setup(
      '{"version": 1, "organisation": "Northwind", "skils": {}, "skills": {"block": ["a"], "blocked": ["b"]}, "never_remember": ["network", "al"], "network": {"allow": ["a.example"]}}',
    )
    const { source, policy, notes } = start().now()
    const { organisation, skills, never_remember: never, network } = policy!
    expect([source, organisation, skills, network, never]).toEqual([
      'locked-down',
      'Northwind',
      { block: ['a'] },
      { allow: [] },
      ['everything'],
    ])
    expect(notes.join(' ')).toContain('Did you mean skills?')
  })

  test('what is wrong with a file may change while the app runs', () => {
    const { start, file } = setup('{"version": 1, "skils": {}}')
    const keeper = start()
    writeFileSync(file, '{"version": 1, "skils": {}, "skills": {"block": ["a"]}}')
    expect([keeper.refresh(), keeper.now().policy?.skills]).toEqual([true, { block: ['a'] }])
    expect(keeper.refresh()).toBe(false)
  })

  test.each(['anybody may write it', 'it belongs to somebody else'])(
    'a file that may not be used, because %s, turns nothing off that was known, also after a restart',
    (why) => {
      const { start, file, events } = setup(text('Northwind'))
      start()
      for (let n = 0; n < 2; n++) {
        const { source, policy, notes } = start(() => why).now()
        expect([source, policy?.organisation]).toEqual(['last-good', 'Northwind'])
        expect(notes.join(' ')).toContain(why)
      }
      expect(events.at(-1)).toMatchObject({ target: file, data: { source: 'last-good' } })
      expect(start().now().source).toBe('file')
    },
  )

  test('a file that may not be used and never could locks down', () => {
    const { start } = setup(text('Northwind'))
    expect(start(() => 'anybody may write it').now()).toMatchObject({
      source: 'locked-down',
      policy: { never_remember: ['everything'] },
    })
  })

  test('a link that leads nowhere is no policy that was taken away', () => {
    const { start, file } = setup(text('Northwind'))
    const keeper = start()
    rmSync(file)
    symlinkSync('/nowhere/policy.json', file)
    keeper.refresh()
    expect(keeper.now()).toMatchObject({ source: 'last-good', policy: { organisation: 'Northwind' } })
    expect(keeper.now().notes[0]).toContain('a link that leads nowhere')
  })

  test('a folder that is a link that leads nowhere is told too', () => {
    const { start, dir } = setup(text('Northwind'))
    const keeper = start()
    rmSync(dir, { recursive: true })
    symlinkSync('/nowhere', dir)
    keeper.refresh()
    expect(keeper.now().source).toBe('last-good')
  })

  test('a policy that somebody else could take away stays in force', () => {
    const { start, file, dir } = setup(text('Northwind'))
    start()
    rmSync(file)
    const open = (path?: string) => (path === dir ? `others can write ${dir}` : null)
    const { source, policy, notes } = start(open).now()
    expect([source, policy?.organisation]).toEqual(['last-good', 'Northwind'])
    expect(notes[0]).toContain(`others can write ${dir}`)
  })

  test('one that an administrator took away is forgotten, on record by its name', () => {
    const { start, file, dir, events } = setup(text('Northwind'))
    start()
    rmSync(dir, { recursive: true })
    expect(start().now().source).toBe('none')
    expect(events.at(-1)).toMatchObject({ target: file, data: { after: '', source: 'none' } })
    expect(start().now().source).toBe('none')
    expect(events.length).toBe(2)
  })

  test('is none again once the administrator takes the file away', () => {
    const { start, file } = setup(text('Northwind'))
    const keeper = start()
    rmSync(file)
    keeper.refresh()
    writeFileSync(file, '{')
    keeper.refresh()
    expect(keeper.now().source).toBe('locked-down')
  })
})

test('locked settings are those of the file, in the spelling of the settings', () => {
  const locked = {
    'skills.personalOverProject': true,
    'approvals.arm-delay-ms': 2000,
    'approvals.defaultMode': 'ask',
  }
  expect(lockedSettings({ locked })).toEqual({ projectOverPersonal: false, armDelayMs: 2000 })
})
