import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKit, type Kit } from '../main/sessions/kit'
import { testWorld, type TestWorld } from './cli-world'

let kit: Kit
let world: TestWorld
let ruleId: string

beforeEach(async () => {
  kit = await createKit()
  const id = kit.chat()
  kit.askToBoil()
  await kit.say(id, 'boil', 'awaiting_approval')
  const { id: requestId, revision, planHash } = kit.waiting(id)
  await kit.sessions.decide({
    requestId,
    revision,
    planHash,
    choice: 'always',
    remember: { args: 'exact', days: 90 },
    acknowledged: [],
  })
  await kit.until(id, 'idle')
  ruleId = kit.deps.rules.list([]).rules[0]!.id
  world = testWorld()
  const env = { ...world.world.env, SATCHEL_HOME: join(kit.home, 'data') }
  Object.assign(world.world, { env, now: () => Date.now() })
})
afterEach(() => kit.remove())

test('rules list shows every rule as its sentence, rules show one of them', async () => {
  const list = await world.run('rules', 'list')
  expect(list.out).toContain(ruleId)
  const { out } = await world.run('rules', 'show', ruleId.slice(0, 12))
  expect(out).toContain('Allow boil.sh (sha256')
  const { result } = await world.json('rules', 'show', ruleId)
  expect(result).toMatchObject({ id: ruleId, effect: 'allow', state: 'on', lifetime: 'always' })
  expect(result).not.toHaveProperty('example')
})

test('rules revoke ends a rule at once, also for an open window', async () => {
  expect((await world.run('rules', 'revoke', ruleId)).exit).toBe(0)
  expect(kit.deps.rules.list([]).rules).toEqual([])
  expect(kit.actions()).toContain('rule.revoked')
})

test('rules test ends with 1 when a rule fails its own tests', async () => {
  expect((await world.run('rules', 'test')).out).toContain('Would match 1 of your last 1 requests.')
  kit.deps.db.sql
    .prepare(`UPDATE rules SET body = json_set(body, '$.match.fingerprint', ?)`)
    .run('e'.repeat(64))
  const { exit, out } = await world.run('rules', 'test', ruleId)
  expect(exit).toBe(1)
  expect(out).toContain('It no longer matches what it was made from.')
})

test('an id that means no rule is said, and without data there are none', async () => {
  expect((await world.run('rules', 'show', 'rule_none')).exit).toBe(1)
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: join(kit.home, 'elsewhere') } })
  expect((await world.run('rules', 'list')).out).toContain('0 rules.')
})

test('rules export and import bring a revoked rule back, after a look at what it says', async () => {
  const file = join(kit.home, 'rules.json')
  expect((await world.run('rules', 'export', file)).out).toContain('1 rule saved in')
  expect(kit.actions()).toContain('export.made')
  expect((await world.run('rules', 'import', file)).out).toContain('You have this rule already.')
  await world.run('rules', 'revoke', ruleId)
  const look = await world.run('rules', 'import', file)
  expect(look.out).toContain('Allow boil.sh (sha256')
  expect(look.out).toContain('Would have matched 1 of your last 1 requests.')
  expect(look.out).toContain('Nothing was saved.')
  expect(kit.deps.rules.list([]).rules).toEqual([])
  expect((await world.run('rules', 'import', file, '--save')).out).toContain('1 rule saved.')
  expect(kit.deps.rules.list([]).rules).toMatchObject([{ effect: 'allow', problem: null, createdFrom: null }])
})

test('rules import refuses a file with one rule that is not understood, and saves none of it', async () => {
  const file = join(kit.home, 'rules.json')
  await world.run('rules', 'export', file)
  await world.run('rules', 'revoke', ruleId)
  const text = readFileSync(file, 'utf8')
  const broken = JSON.parse(text) as { rules: unknown[] }
  broken.rules.push({ effect: 'allow' })
  writeFileSync(file, JSON.stringify(broken))
  const { exit, err } = await world.run('rules', 'import', file, '--save')
  expect(exit).not.toBe(0)
  expect(err).toContain('Rule 2 of this file is not understood')
  expect(kit.deps.rules.list([]).rules).toEqual([])
  expect((await world.run('rules', 'import', join(kit.home, 'none.json'))).err).toContain("can't be read")
})
