import { expect, test } from 'vitest'
import { effectsOf, futureRecord } from '../../../../../src/main/app/arranging/effects'
import type { PrecedenceRules } from '../../../../../src/main/skills/registry/precedence'
import type { SkillRecord } from '../../../../../src/main/skills/record'

const rules: PrecedenceRules = {
  projectOverPersonal: false,
  trusted: () => true,
  pin: () => null,
  off: () => null,
  place: { tenant: null, environment: null, agent: null },
}

const HOME = { dir: '/h/.satchel/skills', shown: '~/.satchel/skills' }
const APP = { dir: '/app/.satchel/skills', shown: 'app/.satchel/skills' }
const personal = { scope: 'personal', sharedIn: null, projectDir: null } as const
const project = { scope: 'project', sharedIn: null, projectDir: '/app' } as const

function effects(all: SkillRecord[], removed: SkillRecord | null, added: SkillRecord | null) {
  return effectsOf({ all: () => all, rules: () => rules }, { removed, added }, '/app').map(
    ({ project: of, before, after, wasIt, isIt }) => [of, before?.location, after?.location, wasIt, isIt],
  )
}

test('a move from the project to Personal changes nothing there and brings the skill everywhere else', () => {
  const sql = futureRecord('sql', { ...APP, root: project }, null)
  const moved = futureRecord('sql', { ...HOME, root: personal }, sql)
  expect(effects([sql], sql, moved)).toEqual([
    ['app', 'app/.satchel/skills/sql', '~/.satchel/skills/sql', true, true],
    [null, undefined, '~/.satchel/skills/sql', false, true],
  ])
})

test('a copy into the project stays behind the personal one', () => {
  const sql = futureRecord('sql', { ...HOME, root: personal }, null)
  const copy = futureRecord('sql', { ...APP, root: project }, sql)
  const place = '~/.satchel/skills/sql'
  expect(effects([sql], null, copy)).toEqual([
    ['app', place, place, false, false],
    [null, place, place, false, false],
  ])
})

test('deleting the personal copy brings the one of the project to light', () => {
  const mine = futureRecord('sql', { ...HOME, root: personal }, null)
  const theirs = futureRecord('sql', { ...APP, root: project }, null)
  expect(effects([mine, theirs], mine, null)).toEqual([
    ['app', '~/.satchel/skills/sql', 'app/.satchel/skills/sql', true, false],
    [null, '~/.satchel/skills/sql', undefined, true, false],
  ])
})
