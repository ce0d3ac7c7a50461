import { expect, test } from 'vitest'
import {
  ATTACK_CASES,
  attacksOf,
  byGroup,
  type AttackCase,
  type LastRun,
} from '../../../../src/renderer/settings/self-test'

const one = (id: string, layer: string): AttackCase => ({
  id,
  group: 'Paths',
  title: 'x',
  expected: 'y',
  layer,
  proofs: [],
})
const run = (ids: Record<string, string>): LastRun => ({
  date: '2026-11-21T00:00:00Z',
  commit: null,
  sources: '',
  platform: 'linux x64',
  node: 'v24',
  electron: null,
  defences: null,
  ids,
})
const states = (cases: AttackCase[], last: LastRun | null, hasSandbox = true) =>
  attacksOf(cases, last, hasSandbox).map(({ state }) => state)

test('without a result nothing is held', () => {
  expect(new Set(states([...ATTACK_CASES], null))).toEqual(new Set(['not-run', 'not-covered']))
})

test('an id is held only where the result says so in this word', () => {
  const cases = ['A1', 'A2', 'A3', 'A4'].map((id) => one(id, 'unit'))
  expect(states(cases, run({ A1: 'held', A2: 'failed', A3: 'fine' }))).toEqual([
    'held',
    'failed',
    'failed',
    'not-run',
  ])
})

test('what nothing plays is not covered, whatever the result says', () => {
  expect(states([one('A60', 'none')], run({ A60: 'held' }))).toEqual(['not-covered'])
})

test('what needs the sandbox can’t run where there is none, and the rest can', () => {
  const cases = [one('A55', 'core'), one('T1', 'unit')]
  expect(states(cases, run({ A55: 'held', T1: 'held' }), false)).toEqual(['not-here', 'held'])
})

test('groups keep the order of the list and lose nothing', () => {
  const groups = byGroup(attacksOf(ATTACK_CASES, null, true))
  expect(groups[0]?.[0]).toBe('Commands')
  expect(groups.flatMap(([, attacks]) => attacks)).toHaveLength(128)
})
