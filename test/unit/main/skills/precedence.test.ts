import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolvePrecedence } from '../../../../src/main/skills/precedence'
import type { SkillEntry, SkillRecord } from '../../../../src/main/skills/record'
import { recordFor } from './support'

const PLACES = {
  enterprise: { scope: 'enterprise' },
  personal: { scope: 'personal' },
  'shared personal': { scope: 'shared', sharedIn: 'personal' },
  project: { scope: 'project', projectDir: '/work' },
  'shared project': { scope: 'shared', sharedIn: 'project', projectDir: '/work' },
  plugin: { scope: 'plugin' },
  bundled: { scope: 'bundled' },
} as const
type Place = keyof typeof PLACES

let next = 0
function copy(place: Place, change: Partial<SkillRecord> = {}): SkillRecord {
  next += 1
  const rootDir = change.rootDir ?? `/${place}/${next}`
  const at = {
    ...PLACES[place],
    rootDir,
    key: `${PLACES[place].scope}:${rootDir}`,
    location: rootDir,
    name: 'pdf',
  }
  return recordFor(rootDir, { ...at, ...change })
}

const rules = { projectOverPersonal: false, trusted: () => true }
const used = (entries: readonly SkillEntry[]) =>
  entries.filter(({ status }) => status === 'effective').map(({ record }) => record)

describe('which copy is used', () => {
  const normal: Place[] = [
    'enterprise',
    'personal',
    'shared personal',
    'project',
    'shared project',
    'plugin',
    'bundled',
  ]
  const flipped: Place[] = [
    'enterprise',
    'project',
    'shared project',
    'personal',
    'shared personal',
    'plugin',
    'bundled',
  ]
  const pairs = (order: Place[]) =>
    order.flatMap((high, at) => order.slice(at + 1).map((low) => [high, low] as const))

  it.each(pairs(normal))('%s wins over %s', (high, low) => {
    const [winner, loser] = [copy(high), copy(low, { priority: 99 })]
    expect(used(resolvePrecedence([loser, winner], rules))).toEqual([winner])
  })

  it.each(pairs(flipped))('with the setting flipped, %s wins over %s', (high, low) => {
    const [winner, loser] = [copy(high), copy(low, { priority: 99 })]
    expect(used(resolvePrecedence([loser, winner], { ...rules, projectOverPersonal: true }))).toEqual([
      winner,
    ])
  })

  it('inside one scope the higher priority wins, then path order', () => {
    const [a, b, c] = [
      copy('personal', { rootDir: '/a' }),
      copy('personal', { rootDir: '/b', priority: 1 }),
      copy('personal', { rootDir: '/c', priority: 1 }),
    ]
    expect(used(resolvePrecedence([c, a, b], rules))).toEqual([b])
    expect(used(resolvePrecedence([c, a], rules))).toEqual([c])
    expect(used(resolvePrecedence([copy('personal', { rootDir: '/z' }), a], rules))).toEqual([a])
  })

  it('names differ by neither case nor Unicode composition', () => {
    const [winner, loser] = [copy('personal', { name: 'caf\u00e9' }), copy('bundled', { name: 'CAFE\u0301' })]
    expect(used(resolvePrecedence([loser, winner], rules))).toEqual([winner])
  })

  it('a shadowed copy says what is used instead', () => {
    const [winner, loser] = [copy('personal'), copy('bundled')]
    expect(resolvePrecedence([loser, winner], rules)[1]).toEqual({
      record: loser,
      status: 'shadowed',
      statusReason: `The Personal copy is used: ${winner.location}`,
      shadowedBy: 'personal',
    })
  })

  it('a broken copy never shadows a good one, and says why it is broken and what to do', () => {
    const diagnostics = [
      { code: 'x', severity: 'warning' as const, message: 'No.' },
      { code: 'empty', severity: 'error' as const, message: 'SKILL.md is empty.', fix: 'Write it.' },
    ]
    const [broken, good] = [copy('enterprise', { broken: true, diagnostics }), copy('bundled')]
    const entries = resolvePrecedence([broken, good], rules)
    expect(used(entries)).toEqual([good])
    expect(entries[1]).toMatchObject({
      record: broken,
      status: 'broken',
      statusReason: 'SKILL.md is empty. Write it.',
    })
  })

  it('skills of a project that is not trusted are inert, whatever their rank', () => {
    const [own, theirs] = [copy('personal'), copy('project')]
    const untrusted = {
      projectOverPersonal: true,
      trusted: (record: SkillRecord) => record.projectDir === null,
    }
    const entries = resolvePrecedence([theirs, own], untrusted)
    expect(used(entries)).toEqual([own])
    expect(entries[1]).toMatchObject({ record: theirs, status: 'not-trusted' })
  })

  it('a folder that is reached twice counts once, in the higher scope', () => {
    const [high, low] = [copy('personal', { rootDir: '/same' }), copy('shared project', { rootDir: '/same' })]
    expect(resolvePrecedence([low, high], rules).map(({ record }) => record)).toEqual([high])
  })

  it('a folder reached through an untrusted project does not lose its trusted copy', () => {
    const [own, theirs] = [copy('bundled', { rootDir: '/same' }), copy('project', { rootDir: '/same' })]
    const entries = resolvePrecedence([theirs, own], { ...rules, trusted: (record) => record === own })
    expect(entries.map(({ record, status }) => [record, status])).toEqual([[own, 'effective']])
  })

  it('the list is in catalogue order: by name, the used copy first', () => {
    const records = [
      copy('bundled', { name: 'b' }),
      copy('bundled', { name: 'a' }),
      copy('personal', { name: 'b' }),
      copy('bundled', { name: 'C' }),
    ]
    expect(resolvePrecedence(records, rules).map(({ record, status }) => [record.name, status])).toEqual([
      ['a', 'effective'],
      ['b', 'effective'],
      ['b', 'shadowed'],
      ['C', 'effective'],
    ])
  })
})

describe('for any set of copies', () => {
  const place = fc.constantFrom(...(Object.keys(PLACES) as Place[]))
  const change = fc.record({
    name: fc.constantFrom('pdf', 'PDF', 'zip', 'csv'),
    rootDir: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `/folder/${at}`)),
    priority: fc.integer({ min: 0, max: 2 }),
    broken: fc.boolean(),
  })
  const records = fc
    .array(fc.tuple(place, change), { maxLength: 15 })
    .map((items) => items.map(([p, c]) => copy(p, c)))
  const anyRules = fc
    .record({ projectOverPersonal: fc.boolean(), trust: fc.boolean() })
    .map(({ trust, ...rest }) => ({
      ...rest,
      trusted: (record: SkillRecord) => trust || record.projectDir === null,
    }))
  const digest = (entries: SkillEntry[]) =>
    entries.map(
      ({ record, status }) => `${record.key} ${record.name} ${record.priority} ${record.broken} ${status}`,
    )

  it('the result does not depend on their order', () => {
    fc.assert(
      fc.property(records, anyRules, fc.infiniteStream(fc.double({ noNaN: true })), (list, given, random) => {
        const unique = [...new Map(list.map((record) => [record.key, record])).values()]
        const shuffled = unique
          .map((record) => ({ record, at: random.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ record }) => record)
        expect(digest(resolvePrecedence(shuffled, given))).toEqual(digest(resolvePrecedence(unique, given)))
      }),
    )
  })

  it('each name with a usable copy has exactly one that is used, and each folder is there once', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const entries = resolvePrecedence(list, given)
        const folders = entries.map(({ record }) => record.rootDir)
        expect(new Set(folders).size).toBe(folders.length)
        expect(new Set(folders)).toEqual(new Set(list.map(({ rootDir }) => rootDir)))
        const usable = entries.filter(({ record }) => !record.broken && given.trusted(record))
        expect(
          used(entries)
            .map(({ name }) => name.toLowerCase())
            .sort(),
        ).toEqual([...new Set(usable.map(({ record }) => record.name.toLowerCase()))].sort())
      }),
    )
  })
})
