import { describe, expect, it } from 'vitest'
import { createAudit } from '../../../../src/main/audit/audit'
import { createChoices } from '../../../../src/main/skills/registry/choices'
import type { Choices } from '../../../../src/main/skills/registry/choices'
import { createRegistry } from '../../../../src/main/skills/registry/registry'
import type { ScanInput } from '../../../../src/main/skills/roots/roots'
import type { ScanDelta } from '../../../../src/main/skills/scan/scan-contract'
import { later, openTestDb, recordFor, rootFor, tempDir } from './support'

const PROJECT = '/prj'
const input: ScanInput = {
  homeDir: '/h',
  resourcesDir: '/r',
  dataDir: '/d',
  policyDir: null,
  env: {},
  projects: [{ dir: PROJECT, trusted: true }],
  writableTools: [],
  sources: [],
}

/** A registry with real choices: `review` is only for the agents writer and clerk, `pdf` for all. */
function setup() {
  const db = openTestDb(tempDir())
  const audit = createAudit({ db, now: () => 0 })
  const choices: Choices = createChoices({ db, audit, changed: () => registry.decide() })
  let send: (delta: ScanDelta) => void = () => undefined
  const registry = createRegistry({
    scanner: (onDelta) => {
      send = onDelta
      return { configure() {}, refresh: async () => undefined, deepen() {}, close() {} }
    },
    input: () => input,
    projectOverPersonal: () => false,
    offReason: choices.offReason,
    placeOf: (_projectDir, agent) => ({ tenant: null, environment: null, agent }),
    onChange() {},
  })
  later(() => registry.close())
  const bundled = rootFor('/bundled', { scope: 'bundled' })
  const of = (name: string, change: object = {}) =>
    recordFor(`/skills/${name}`, { name, folder: name, ...change })
  const agents = ['Writer', 'clerk']
  const upsert = [
    of('pdf'),
    of('review', { availableTo: { tenants: null, environments: null, agents } }),
    recordFor('/bundled/review', {
      name: 'review',
      key: 'bundled:/bundled/review',
      scope: 'bundled',
      root: bundled,
    }),
  ]
  const told = { seq: 1, anew: true, roots: null, notes: [], remove: [], scanMs: 1 }
  send({ ...told, upsert, listed: true, complete: true })
  const used = (projectDir: string | null, agent: string | null) =>
    registry
      .list(projectDir, agent)
      .filter(({ status }) => status === 'effective')
      .map(({ record }) => `${record.name}@${record.scope}`)
  return { registry, choices, used }
}

describe('what one agent is given', () => {
  it('is what scope.agents allows it, in the list, by name and by key; another copy takes the place', () => {
    const { registry, used } = setup()
    expect(used(null, 'writer')).toEqual(['pdf@personal', 'review@personal'])
    expect(used(PROJECT, 'CLERK')).toEqual(['pdf@personal', 'review@personal'])
    expect(used(null, 'tester')).toEqual(['pdf@personal', 'review@bundled'])
    expect(used(PROJECT, 'tester')).toEqual(['pdf@personal', 'review@bundled'])
    // Nobody in particular: the list of a person.
    expect(used(PROJECT, null)).toEqual(['pdf@personal', 'review@personal'])
    const key = 'personal:/skills/review'
    expect(registry.get(PROJECT, key, 'tester')).toMatchObject({
      status: 'unavailable',
      statusReason: 'Not for this agent: only for Writer and clerk.',
    })
    expect(registry.get(PROJECT, key, 'writer')).toMatchObject({ status: 'effective' })
    expect(registry.resolve(PROJECT, 'review', 'tester')).toMatchObject({ record: { scope: 'bundled' } })
    expect(registry.resolve(PROJECT, 'review', 'writer')).toMatchObject({ record: { scope: 'personal' } })
  })

  it('is without what was turned off for it, at once, and others keep it', () => {
    const { registry, choices, used } = setup()
    expect(used(PROJECT, 'writer')).toContain('pdf@personal')
    choices.switch('pdf', { projectDir: null, agent: 'writer' }, false)
    expect(used(PROJECT, 'Writer')).not.toContain('pdf@personal')
    expect(used(null, 'writer')).not.toContain('pdf@personal')
    expect(used(PROJECT, 'tester')).toContain('pdf@personal')
    expect(used(PROJECT, null)).toContain('pdf@personal')
    expect(registry.resolve(PROJECT, 'pdf', 'writer')).toMatchObject({ ok: false })
    choices.switch('pdf', { projectDir: null, agent: 'writer' }, true)
    expect(used(PROJECT, 'writer')).toContain('pdf@personal')
    choices.switch('pdf', { projectDir: PROJECT, agent: 'writer' }, false)
    expect(used(PROJECT, 'writer')).not.toContain('pdf@personal')
    expect(used(null, 'writer')).toContain('pdf@personal')
  })
})
