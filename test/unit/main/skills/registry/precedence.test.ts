import { describe, expect, it } from 'vitest'
import {
  isCallableChild,
  resolveGroup,
  resolvePrecedence,
} from '../../../../../src/main/skills/registry/precedence'
import type { PrecedenceRules } from '../../../../../src/main/skills/registry/precedence'
import type { SkillEntry, SkillRecord } from '../../../../../src/main/skills/record'
import { copyFor, PLAIN_RULES } from '../copies'
import type { CopyChange, CopyPlace } from '../copies'

let next = 0
function copy(place: CopyPlace, change: CopyChange = {}): SkillRecord {
  next += 1
  return copyFor(place, change.rootDir ?? `/${place}/${next}`, change)
}

const rules = PLAIN_RULES
const inProduction = { ...rules, place: { tenant: 'acme', environment: 'production', agent: 'reviewer' } }
const used = (entries: readonly SkillEntry[]) =>
  entries.filter(({ status }) => status === 'effective').map(({ record }) => record)
const only = (change: Partial<Record<'tenants' | 'environments' | 'agents', string[]>>) => ({
  availableTo: { tenants: null, environments: null, agents: null, ...change },
})

describe('which copy is used', () => {
  const normal: CopyPlace[] = [
    'enterprise',
    'personal',
    'shared personal',
    'project',
    'shared project',
    'plugin',
    'bundled',
  ]
  const flipped: CopyPlace[] = [
    'enterprise',
    'project',
    'shared project',
    'personal',
    'shared personal',
    'plugin',
    'bundled',
  ]
  const pairs = (order: CopyPlace[]) =>
    order.flatMap((high, at) => order.slice(at + 1).map((low) => [high, low] as const))

  it.each(pairs(normal))('%s wins over %s', (high, low) => {
    const [winner, loser] = [copy(high), copy(low, { priority: 99 })]
    expect(used(resolvePrecedence([loser, winner], rules))).toEqual([winner])
  })

  it.each(pairs(flipped))('with the setting flipped, %s wins over %s', (high, low) => {
    const [winner, loser] = [copy(high), copy(low, { priority: 99 })]
    const flip = { ...rules, projectOverPersonal: true }
    expect(used(resolvePrecedence([loser, winner], flip))).toEqual([winner])
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

  it("a project's own folder wins over those above it, whatever their paths, but priority comes first", () => {
    const near = copy('project', { rootDir: '/z', root: { nearness: 0 } })
    const far = copy('project', { rootDir: '/a', root: { nearness: 1 } })
    expect(used(resolvePrecedence([far, near], rules))).toEqual([near])
    const urgent = copy('project', { rootDir: '/b', root: { nearness: 2 }, priority: 1 })
    expect(used(resolvePrecedence([far, near, urgent], rules))).toEqual([urgent])
  })

  it('of two plugins the one that was installed last wins, but priority comes first', () => {
    const plugin = (installedAt: number, name: string) => ({ plugin: { name, installedAt } })
    const old = copy('plugin', { rootDir: '/a', root: plugin(1, 'old') })
    const recent = copy('plugin', { rootDir: '/b', root: plugin(2, 'recent') })
    expect(used(resolvePrecedence([old, recent], rules))).toEqual([recent])
    const urgent = copy('plugin', { rootDir: '/c', root: plugin(0, 'urgent'), priority: 1 })
    expect(used(resolvePrecedence([old, recent, urgent], rules))).toEqual([urgent])
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
      statusReason: `The Personal copy is used, because Personal comes before Bundled: ${winner.location}`,
      shadowedBy: 'personal',
      pinned: false,
    })
  })

  it('a shadowed copy says what decided between two of one scope', () => {
    const reason = (used: SkillRecord, other: SkillRecord) =>
      resolvePrecedence([other, used], rules)[1]?.statusReason.replace(used.location, '…')
    expect(reason(copy('personal', { priority: 5 }), copy('personal'))).toBe(
      'The Personal copy is used, because its priority is higher (5, here 0): …',
    )
    const [one, two] = [copy('personal', { location: '~/a' }), copy('personal', { location: '~/b' })]
    expect(reason(one, two)).toBe('The Personal copy is used, because its path comes first: …')
  })

  it('a shadowed copy says which scopes decided, or the setting that turns two of them round', () => {
    const reason = (used: SkillRecord, other: SkillRecord, flip: boolean) =>
      resolvePrecedence([other, used], { ...rules, projectOverPersonal: flip })[1]
        ?.statusReason.replace(used.location, '…')
        .replace(/^The \w+ copy is used, /, '')
    const [personal, project] = [copy('personal'), copy('project')]
    expect(reason(personal, project, false)).toBe('because Personal comes before Project: …')
    expect(reason(project, personal, true)).toBe('because you put Project before Personal: …')
    expect(reason(project, copy('bundled'), true)).toBe('because Project comes before Bundled: …')
    const [atHome, inProject] = [copy('shared personal'), copy('shared project')]
    expect(reason(atHome, project, false)).toBe('because Shared in Personal comes before Project: …')
    expect(reason(inProject, atHome, true)).toBe('because you put Project before Personal: …')
  })

  it('a broken copy never shadows a good one, and says why it is broken and what to do', () => {
    const brokenReason = 'SKILL.md is empty. Write it.'
    const [broken, good] = [copy('enterprise', { broken: true, brokenReason }), copy('bundled')]
    const entries = resolvePrecedence([broken, good], rules)
    expect(used(entries)).toEqual([good])
    expect(entries[1]).toMatchObject({ record: broken, status: 'broken', statusReason: brokenReason })
  })

  it('skills of a project that is not trusted are inert, whatever their rank', () => {
    const [own, theirs] = [copy('personal'), copy('project')]
    const untrusted = {
      ...rules,
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
    expect(resolveGroup([low, high], rules).map(({ record }) => record)).toEqual([high])
  })

  it('a folder that is reached under two names counts once as well', () => {
    const high = copy('personal', { rootDir: '/same', name: 'mine' })
    const low = copy('bundled', { rootDir: '/same', name: 'theirs' })
    expect(resolvePrecedence([low, high], rules).map(({ record }) => record)).toEqual([high])
  })

  it('a folder reached through an untrusted project does not lose its trusted copy', () => {
    const [own, theirs] = [copy('bundled', { rootDir: '/same' }), copy('project', { rootDir: '/same' })]
    const entries = resolvePrecedence([theirs, own], { ...rules, trusted: (record) => record === own })
    expect(entries.map(({ record, status }) => [record, status])).toEqual([[own, 'effective']])
  })

  it('a folder inside another skill that is also linked as a skill of its own is that skill', () => {
    const inside = copy('personal', { rootDir: '/same', parent: 'personal:/outer' })
    const own = copy('bundled', { rootDir: '/same' })
    expect(used(resolvePrecedence([inside, own], rules))).toEqual([own])
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

  it('no copies give no entries', () => {
    expect(resolveGroup([], rules)).toEqual([])
  })
})

describe('a pinned copy', () => {
  const pinTo = (record: SkillRecord): PrecedenceRules => ({
    ...rules,
    pin: (name) => (name === 'pdf' ? record.key : null),
  })

  it('is used instead of one that ranks higher, which says so', () => {
    const [high, low] = [copy('personal'), copy('bundled')]
    const entries = resolvePrecedence([high, low], pinTo(low))
    expect(entries).toMatchObject([
      { record: low, status: 'effective', pinned: true },
      {
        record: high,
        status: 'shadowed',
        statusReason: `You chose the Bundled copy for this project: ${low.location}`,
        pinned: false,
      },
    ])
  })

  it('does not win over Enterprise', () => {
    const [high, low] = [copy('enterprise'), copy('bundled')]
    expect(used(resolvePrecedence([high, low], pinTo(low)))).toEqual([high])
  })

  it.each([
    ['is broken', { broken: true }],
    ['lies inside another skill', { parent: 'bundled:/outer' }],
    ['is for another environment', only({ environments: ['staging'] })],
  ])('that %s does not win', (_, change) => {
    const [good, pinned] = [copy('personal'), copy('bundled', change)]
    const entries = resolvePrecedence([good, pinned], pinTo(pinned))
    expect(used(entries)).toEqual([good])
    expect(entries[1]).toMatchObject({ record: pinned, pinned: true })
  })

  it('is found again when its folder is reached through another scope', () => {
    const [high, low] = [copy('personal', { rootDir: '/high' }), copy('plugin', { rootDir: '/low' })]
    const pinned = { ...rules, pin: () => 'bundled:/low' }
    expect(used(resolvePrecedence([high, low], pinned))).toEqual([low])
  })

  it('that is gone changes nothing', () => {
    const [high, low] = [copy('personal'), copy('bundled')]
    expect(used(resolvePrecedence([high, low], { ...rules, pin: () => 'personal:/gone' }))).toEqual([high])
  })
})

describe('a name that is off', () => {
  const off: PrecedenceRules = { ...rules, off: (name) => (name === 'pdf' ? 'You turned it off.' : null) }

  it('is off in all copies: none takes the place of another', () => {
    const entries = resolvePrecedence(
      [copy('personal'), copy('bundled'), copy('bundled', { name: 'csv' })],
      off,
    )
    expect(entries.map(({ record, status, statusReason }) => [record.name, status, statusReason])).toEqual([
      ['csv', 'effective', ''],
      ['pdf', 'off', 'You turned it off.'],
      ['pdf', 'off', 'You turned it off.'],
    ])
  })

  it('is on where Enterprise has it', () => {
    const [enterprise, own] = [copy('enterprise'), copy('personal')]
    expect(resolvePrecedence([enterprise, own], off).map(({ status }) => status)).toEqual([
      'effective',
      'shadowed',
    ])
  })

  it('is off where the copy of Enterprise is broken', () => {
    const [enterprise, own] = [copy('enterprise', { broken: true }), copy('personal')]
    expect(resolvePrecedence([enterprise, own], off).map(({ status }) => status)).toEqual(['broken', 'off'])
  })
})

describe('a skill that is for some places only', () => {
  it.each<[string, CopyChange, PrecedenceRules]>([
    ['Only for the environment production; none is set.', only({ environments: ['production'] }), rules],
    [
      'Only for the environments test and staging; this one is production.',
      only({ environments: ['test', 'staging'] }),
      inProduction,
    ],
    ['Only for the tenant other; this one is acme.', only({ tenants: ['other'] }), inProduction],
    ['Only for the tenant acme; none is set.', only({ tenants: ['acme'] }), rules],
    ['Its list of tenants is empty.', only({ tenants: [] }), inProduction],
    [
      'Not for this agent: only for writer, tester and clerk.',
      only({ agents: ['writer', 'tester', 'clerk'] }),
      inProduction,
    ],
  ])('says "%s"', (statusReason, change, given) => {
    const entries = resolvePrecedence([copy('personal', change)], given)
    expect(entries).toMatchObject([{ status: 'unavailable', statusReason }])
  })

  it.each<[string, CopyChange, PrecedenceRules]>([
    ['its environment, without case', only({ environments: ['staging', 'Production'] }), inProduction],
    ['its tenant', only({ tenants: ['acme'] }), inProduction],
    ['its agent', only({ agents: ['Reviewer'] }), inProduction],
    ['no agent in particular', only({ agents: ['writer'] }), rules],
  ])('is used in %s', (_, change, given) => {
    expect(used(resolvePrecedence([copy('personal', change)], given))).toHaveLength(1)
  })

  it('does not shadow a copy that can be used', () => {
    const [elsewhere, here] = [copy('personal', only({ tenants: ['other'] })), copy('bundled')]
    expect(used(resolvePrecedence([elsewhere, here], inProduction))).toEqual([here])
  })
})

describe('a skill inside another', () => {
  it('is never used by itself and shadows nothing', () => {
    const [child, own] = [copy('personal', { parent: 'personal:/skills/zoom' }), copy('bundled')]
    const entries = resolvePrecedence([child, own], rules)
    expect(used(entries)).toEqual([own])
    expect(entries[1]).toMatchObject({
      status: 'unavailable',
      statusReason: 'It lies inside the skill zoom. Load zoom, or copy this folder out.',
    })
  })

  it.each<[boolean, CopyChange, PrecedenceRules]>([
    [true, {}, rules],
    [false, only({ tenants: ['other'] }), rules],
    [false, { broken: true }, rules],
    [false, {}, { ...rules, trusted: () => false }],
    [false, {}, { ...rules, off: () => 'You turned it off.' }],
  ])('can be called: %s, as %j', (callable, change, given) => {
    const [entry] = resolvePrecedence([copy('personal', { parent: 'personal:/zoom', ...change })], given)
    expect(isCallableChild(entry!)).toBe(callable)
  })

  it('a skill of its own is no callable child', () => {
    const [entry] = resolvePrecedence([copy('personal', only({ tenants: ['other'] }))], rules)
    expect(isCallableChild(entry!)).toBe(false)
  })
})
