import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAudit } from '../../../../../src/main/audit/audit'
import { openDb } from '../../../../../src/main/db/open'
import { createChoices, refuseEnterprise } from '../../../../../src/main/skills/registry/choices'
import { later, openTestDb, recordFor, tempDir } from '../support'

function setUp() {
  const dir = tempDir()
  const db = openTestDb(dir)
  let changes = 0
  const deps = { db, audit: createAudit({ db, now: () => 1 }), changed: () => (changes += 1) }
  const records = () =>
    (
      db.sql.prepare('SELECT action, target, data FROM audit ORDER BY seq').all() as Record<string, string>[]
    ).map(({ action, target, data }) => [action, target, JSON.parse(data!) as unknown])
  return { dir, db, deps, records, changes: () => changes, choices: createChoices(deps) }
}

const everywhere = { projectDir: null, agent: null }

describe('turning off', () => {
  const copy = (scope: 'enterprise' | 'personal', status: 'effective' | 'shadowed' | 'broken') => ({
    record: recordFor(`/${scope}/pdf`, { name: 'pdf', scope }),
    status,
    statusReason: '',
    pinned: false,
  })

  it('is refused for what the organisation gives, and says who can do it', () => {
    const copies = [copy('enterprise', 'effective'), copy('personal', 'shadowed')]
    expect(() => refuseEnterprise(copies, 'Northwind IT')).toThrow(
      'Managed by Northwind IT. Only its administrator can turn off "pdf", or let another copy be used.',
    )
  })

  it('is not refused where another copy is used, or none', () => {
    refuseEnterprise([copy('personal', 'effective'), copy('enterprise', 'broken')], 'Northwind IT')
    refuseEnterprise([], 'Northwind IT')
  })
})

describe('a skill that is turned off', () => {
  it.each([
    [everywhere, null, null, 'You turned it off everywhere.'],
    [everywhere, '/p', 'reviewer', 'You turned it off everywhere.'],
    [{ projectDir: '/p', agent: null }, '/p', null, 'You turned it off in this project.'],
    [{ projectDir: '/p', agent: null }, '/p', 'reviewer', 'You turned it off in this project.'],
    [{ projectDir: '/p', agent: null }, '/q', null, null],
    [{ projectDir: '/p', agent: null }, null, null, null],
    [{ projectDir: null, agent: 'Reviewer' }, null, 'reviewer', 'You turned it off for the agent reviewer.'],
    [{ projectDir: null, agent: 'reviewer' }, '/p', 'REVIEWER', 'You turned it off for the agent reviewer.'],
    [{ projectDir: null, agent: 'reviewer' }, '/p', 'writer', null],
    [{ projectDir: null, agent: 'reviewer' }, '/p', null, null],
    [
      { projectDir: '/p', agent: 'reviewer' },
      '/p',
      'reviewer',
      'You turned it off for the agent reviewer in this project.',
    ],
    [{ projectDir: '/p', agent: 'reviewer' }, '/q', 'reviewer', null],
  ])('for %j is, seen from %s by %s: %s', (place, projectDir, agent, reason) => {
    const { choices } = setUp()
    choices.switch('PDF', place, false)
    expect(choices.offReason(projectDir, agent)('pdf')).toBe(reason)
    expect(choices.offReason(projectDir, agent)('csv')).toBeNull()
    choices.switch('pdf', place, true)
    expect(choices.offReason(projectDir, agent)('pdf')).toBeNull()
  })

  it('is on record, once, and says that something changed', () => {
    const { choices, records, changes } = setUp()
    choices.switch('pdf', { projectDir: '/p', agent: null }, false)
    choices.switch('pdf', { projectDir: '/p', agent: null }, false)
    choices.switch('pdf', { projectDir: '/p', agent: null }, true)
    choices.switch('pdf', everywhere, true)
    const data = { projectDir: '/p', agent: null, context: { skill: 'pdf' } }
    expect(records()).toEqual([
      ['skill.switched', 'pdf', { ...data, on: false }],
      ['skill.switched', 'pdf', { ...data, on: true }],
    ])
    expect(changes()).toBe(2)
  })

  it('is still off after a restart', () => {
    const { choices, deps } = setUp()
    choices.switch('pdf', everywhere, false)
    expect(createChoices(deps).offReason(null, null)('pdf')).toBe('You turned it off everywhere.')
  })
})

describe('a copy that is chosen', () => {
  it('counts in its project, by name without case, until it is taken back', () => {
    const { choices } = setUp()
    choices.pin('/p', 'Pdf', 'bundled:/b/pdf')
    expect(choices.pinOf('/p')('PDF')).toBe('bundled:/b/pdf')
    expect([choices.pinOf('/q')('pdf'), choices.pinOf(null)('pdf'), choices.pinOf('/p')('csv')]).toEqual([
      null,
      null,
      null,
    ])
    choices.pin('/p', 'pdf', null)
    expect(choices.pinOf('/p')('pdf')).toBeNull()
  })

  it('is on record with the one before, once', () => {
    const { choices, records, changes } = setUp()
    const context = { skill: 'pdf' }
    for (const key of [null, 'a:/1', 'a:/1', 'b:/2', null]) choices.pin('/p', 'pdf', key)
    expect(records().map(([action, , data]) => [action, data])).toEqual([
      ['skill.pinned', { projectDir: '/p', key: 'a:/1', before: null, context }],
      ['skill.pinned', { projectDir: '/p', key: 'b:/2', before: 'a:/1', context }],
      ['skill.pinned', { projectDir: '/p', key: null, before: 'b:/2', context }],
    ])
    expect(changes()).toBe(3)
  })
})

describe('another program on the same data', () => {
  it('is noticed by a reload, which says only then that something changed', () => {
    const { dir, choices, changes } = setUp()
    expect(choices.offReason(null, null)('pdf')).toBeNull()
    const db = openDb(join(dir, 'satchel.db'))
    later(() => db.close())
    const other = createChoices({ db, audit: createAudit({ db, now: () => 2 }), changed: () => undefined })
    other.switch('pdf', everywhere, false)
    expect(choices.offReason(null, null)('pdf')).toBeNull()
    choices.reload()
    choices.reload()
    expect(choices.offReason(null, null)('pdf')).toBe('You turned it off everywhere.')
    expect(changes()).toBe(1)
  })

  it('that did the same already leads to no second record', () => {
    const { deps, choices, records } = setUp()
    expect(choices.offReason(null, null)('pdf')).toBeNull()
    createChoices(deps).switch('pdf', everywhere, false)
    choices.switch('pdf', everywhere, false)
    expect(records()).toHaveLength(1)
    expect(choices.offReason(null, null)('pdf')).toBe('You turned it off everywhere.')
  })
})

describe('many at once', () => {
  it('are turned off in one transaction, each with its own entry, and those that are off already with none', () => {
    const { choices, records, changes } = setUp()
    choices.switch('pdf', everywhere, false)
    choices.switchMany(['PDF', 'csv', 'art'], everywhere, false)
    expect(records().map(([, target]) => target)).toEqual(['pdf', 'csv', 'art'])
    expect(changes()).toBe(2)
    choices.switchMany(['csv', 'art'], everywhere, true)
    expect(choices.offReason(null, null)('csv')).toBeNull()
    expect(choices.offReason(null, null)('pdf')).not.toBeNull()
  })
})
