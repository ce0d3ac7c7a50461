import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  distinctFolders,
  resolveGroup,
  resolvePrecedence,
} from '../../../../src/main/skills/registry/precedence'
import type { PrecedenceRules } from '../../../../src/main/skills/registry/precedence'
import type { SkillEntry, SkillRecord } from '../../../../src/main/skills/record'
import { copyFor, PLACES } from './copies'
import type { CopyPlace } from './copies'

const used = (entries: readonly SkillEntry[]) =>
  entries.filter(({ status }) => status === 'effective').map(({ record }) => record)
const place = fc.constantFrom(...(Object.keys(PLACES) as CopyPlace[]))
const NAMES = ['pdf', 'PDF', 'zip', 'csv']
const change = fc.record({
  name: fc.constantFrom(...NAMES),
  rootDir: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `/folder/${at}`)),
  priority: fc.integer({ min: 0, max: 2 }),
  broken: fc.boolean(),
  parent: fc.constantFrom(null, null, null, 'personal:/outer'),
  availableTo: fc.constantFrom(
    null,
    null,
    ...[['a'], ['b']].map((tenants) => ({ tenants, environments: null, agents: null })),
  ),
  root: fc.record({
    nearness: fc.integer({ min: 0, max: 2 }),
    plugin: fc.constantFrom(null, { name: 'one', installedAt: 1 }, { name: 'two', installedAt: 2 }),
  }),
})
const records = fc
  .array(fc.tuple(place, change), { maxLength: 15 })
  .map((items) => items.map(([at, given]) => copyFor(at, given.rootDir, given)))
  .map((list) => [...new Map(list.map((record) => [record.key, record])).values()])
const anyRules: fc.Arbitrary<PrecedenceRules> = fc
  .record({
    projectOverPersonal: fc.boolean(),
    trust: fc.boolean(),
    tenant: fc.constantFrom(null, 'a'),
    off: fc.constantFrom(null, 'pdf', 'zip'),
    pin: fc.constantFrom(null, 'bundled:/folder/1', 'project:/folder/2'),
  })
  .map(({ projectOverPersonal, trust, tenant, off, pin }) => ({
    projectOverPersonal,
    trusted: (record: SkillRecord) => trust || record.projectDir === null,
    off: (name: string) => (name === off ? 'You turned it off.' : null),
    pin: (name: string) => (name === 'pdf' ? pin : null),
    place: { tenant, environment: null, agent: null },
  }))
const digest = (entries: SkillEntry[]) =>
  entries.map(({ record, status, statusReason, pinned }) => [
    record.key,
    record.name,
    status,
    statusReason,
    pinned,
  ])
const isUsable = ({ status }: SkillEntry) => status === 'effective' || status === 'shadowed'

describe('for any set of copies', () => {
  it('the result does not depend on their order', () => {
    fc.assert(
      fc.property(records, anyRules, fc.infiniteStream(fc.double({ noNaN: true })), (list, given, random) => {
        const shuffled = list
          .map((record) => ({ record, at: random.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ record }) => record)
        expect(digest(resolvePrecedence(shuffled, given))).toEqual(digest(resolvePrecedence(list, given)))
      }),
    )
  })

  it('each folder is there exactly once, as one of the copies that were given', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const entries = resolvePrecedence(list, given)
        const folders = entries.map(({ record }) => record.rootDir)
        expect(new Set(folders).size).toBe(folders.length)
        expect(new Set(folders)).toEqual(new Set(list.map(({ rootDir }) => rootDir)))
        expect(entries.every(({ record }) => list.includes(record))).toBe(true)
      }),
    )
  })

  it('each name with a usable copy has exactly one that is used, each other name none', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const entries = resolvePrecedence(list, given)
        const usable = entries.filter(isUsable).map(({ record }) => record.name.toLowerCase())
        const names = used(entries).map(({ name }) => name.toLowerCase())
        expect([...names].sort()).toEqual([...new Set(usable)].sort())
        const refused = ({ broken, parent, availableTo }: SkillRecord) =>
          broken || parent !== null || !(availableTo?.tenants?.includes(given.place.tenant ?? '') ?? true)
        expect(used(entries).filter((record) => refused(record) || !given.trusted(record))).toEqual([])
      }),
    )
  })

  it('each group alone gives the same as all of them together', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const once = distinctFolders(list, given)
        const names = [...new Set(once.map(({ name }) => name.toLowerCase()))].sort()
        const groups = names.flatMap((name) =>
          resolveGroup(
            once.filter((record) => record.name.toLowerCase() === name),
            given,
          ),
        )
        expect(digest(groups)).toEqual(digest(resolvePrecedence(list, given)))
      }),
    )
  })

  it('a copy that ranks lower than the used one never changes which is used', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const unpinned = { ...given, pin: () => null }
        const added = copyFor('bundled', '/new', { priority: -1, root: { nearness: 9 } })
        const before = used(resolvePrecedence(list, unpinned))
        const after = used(resolvePrecedence([...list, added], unpinned))
        expect(after).toEqual(expect.arrayContaining(before))
      }),
    )
  })

  it('taking away every copy but the used ones changes none of them', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const winners = used(resolvePrecedence(list, given))
        expect(used(resolvePrecedence(winners, given))).toEqual(winners)
      }),
    )
  })

  it('the flip is its own reverse: flipping the setting and the places gives the same winners', () => {
    const OTHER = { personal: 'project', project: 'personal' } as const
    const swapped = (record: SkillRecord): SkillRecord => ({
      ...record,
      scope: record.scope === 'personal' || record.scope === 'project' ? OTHER[record.scope] : record.scope,
      sharedIn: record.sharedIn && OTHER[record.sharedIn],
    })
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const unpinned = { ...given, pin: () => null, trusted: () => true }
        const flip = { ...unpinned, projectOverPersonal: !given.projectOverPersonal }
        const winners = (entries: SkillEntry[]) => used(entries).map(({ key, name }) => [key, name])
        expect(winners(resolvePrecedence(list.map(swapped), flip))).toEqual(
          winners(resolvePrecedence(list, unpinned)),
        )
        expect(list.map(swapped).map(swapped)).toEqual(list)
      }),
    )
  })

  it('the flip never moves Enterprise', () => {
    fc.assert(
      fc.property(records, anyRules, (list, given) => {
        const both = [true, false].map((projectOverPersonal) =>
          used(resolvePrecedence(list, { ...given, pin: () => null, projectOverPersonal })),
        )
        const fixed = both.map((winners) =>
          winners.filter(({ scope }) => scope === 'enterprise').map(({ key }) => key),
        )
        expect(fixed[0]).toEqual(fixed[1])
      }),
    )
  })
})
