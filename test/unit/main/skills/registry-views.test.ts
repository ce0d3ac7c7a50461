import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SkillChanges, SkillSummary } from '@shared/domain/skill'
import { resolvePrecedence } from '../../../../src/main/skills/registry/precedence'
import type { SkillRecord } from '../../../../src/main/skills/record'
import { createRegistry } from '../../../../src/main/skills/registry/registry'
import type { RegistryDeps } from '../../../../src/main/skills/registry/registry'
import type { ScanInput } from '../../../../src/main/skills/roots/roots'
import type { ScanDelta } from '../../../../src/main/skills/scan/scan-contract'
import { later, recordFor, rootFor } from './support'

const PROJECT = '/prj'
const ROOT = rootFor('/skills')
const IN_PROJECT = rootFor('/prj/skills', { scope: 'project', projectDir: PROJECT })

function record(name: string, change: Partial<SkillRecord> = {}): SkillRecord {
  const root = change.root ?? ROOT
  const rootDir = `${root.dir}/${name}`
  const { scope, projectDir } = root
  return recordFor(rootDir, { key: `${scope}:${rootDir}`, name, scope, projectDir, root, ...change })
}

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

/** A registry that is told by hand what was found. */
function told(change: Partial<RegistryDeps> = {}) {
  let send: (delta: ScanDelta) => void = () => undefined
  let seq = 0
  let changes = 0
  const registry = createRegistry({
    scanner: (onDelta) => {
      send = onDelta
      return { configure() {}, refresh: async () => undefined, deepen() {}, close() {} }
    },
    input: () => input,
    projectOverPersonal: () => false,
    onChange: () => void (changes += 1),
    ...change,
  })
  later(() => registry.close())
  const tell = (part: Partial<ScanDelta>) => {
    seq += 1
    const quiet = { roots: null, notes: [], upsert: [], remove: [], scanMs: 1 }
    send({ seq, anew: seq === 1, ...quiet, listed: true, complete: true, ...part })
  }
  return { registry, tell, changes: () => changes }
}

describe('the registry as its scanner tells it', () => {
  it('is the same as a decision over everything at once, whatever came and went in whatever parts', () => {
    const names = fc.constantFrom('pdf', 'PDF', 'zip', 'csv')
    const one = fc.record({
      name: names,
      root: fc.constantFrom(ROOT, IN_PROJECT, rootFor('/bundled', { scope: 'bundled', readOnly: true })),
      folder: fc.constantFrom('a', 'b'),
      broken: fc.boolean(),
      priority: fc.integer({ min: 0, max: 2 }),
      gone: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(fc.array(one, { maxLength: 4 }), { maxLength: 6 }), (parts) => {
        const { registry, tell } = told()
        const there = new Map<string, SkillRecord>()
        for (const part of parts) {
          const remove: string[] = []
          const upsert = new Map<string, SkillRecord>()
          for (const { name, root, folder, broken, priority, gone } of part) {
            const rootDir = `${root.dir}/${folder}`
            const found = record(name, { root, rootDir, key: `${root.scope}:${rootDir}`, broken, priority })
            if (upsert.has(found.key) || remove.includes(found.key)) continue
            if (gone && there.delete(found.key)) remove.push(found.key)
            else upsert.set(found.key, found)
          }
          for (const found of upsert.values()) there.set(found.key, found)
          tell({ upsert: [...upsert.values()], remove })
          for (const projectDir of [null, PROJECT]) {
            const seen = [...there.values()].filter(
              (r) => r.projectDir === null || r.projectDir === projectDir,
            )
            const flat = (entries: readonly { record: SkillRecord; status: string }[]) =>
              entries.map((entry) => `${entry.record.key} ${entry.record.name} ${entry.status}`)
            expect(flat(registry.list(projectDir))).toEqual(
              flat(resolvePrecedence(seen, registry.rules(projectDir))),
            )
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('keeps the entry of everything that did not change, in every view', () => {
    const { registry, tell } = told()
    tell({ upsert: ['csv', 'pdf', 'zip'].map((name) => record(name)) })
    const before = [...registry.list(null)]
    const inProject = [...registry.list(PROJECT)]
    tell({ upsert: [record('pdf', { description: 'New.' })] })
    const after = registry.list(null)
    expect(after.map((entry, at) => entry === before[at])).toEqual([true, false, true])
    expect(registry.list(PROJECT).map((entry, at) => entry === inProject[at])).toEqual([true, false, true])
    expect(registry.list(PROJECT)[0]).toBe(after[0])
  })

  it('forgets what a scanner that starts anew does not tell again, without a gap before', () => {
    const { registry, tell, changes } = told()
    tell({ upsert: [record('pdf'), record('zip')] })
    const [pdf] = registry.list(null)
    tell({ anew: true, listed: false, complete: false, upsert: [record('pdf')] })
    expect(registry.list(null).map(({ record: { name } }) => name)).toEqual(['pdf', 'zip'])
    tell({ listed: true })
    expect(registry.list(null)).toEqual([pdf])
    expect(registry.list(null)[0]).toBe(pdf)
    expect(changes()).toBe(2)
  })

  it('follows switches and pins at once, in the project they are for', () => {
    const choice = { off: null as string | null, pin: null as string | null }
    const { registry, tell } = told({
      offReason: (projectDir) => (name) => (projectDir === PROJECT && name === 'zip' ? choice.off : null),
      pinOf: (projectDir) => (name) => (projectDir === PROJECT && name === 'pdf' ? choice.pin : null),
    })
    const copy = record('pdf', { root: IN_PROJECT })
    tell({ upsert: [record('pdf'), copy, record('zip')] })
    const status = (projectDir: string | null) =>
      registry.list(projectDir).map(({ record: r, status: s }) => `${r.name} ${r.scope} ${s}`)
    expect(status(PROJECT)).toEqual([
      'pdf personal effective',
      'pdf project shadowed',
      'zip personal effective',
    ])
    Object.assign(choice, { off: 'You turned it off.', pin: copy.key })
    registry.decide()
    expect(status(PROJECT)).toEqual(['pdf project effective', 'pdf personal shadowed', 'zip personal off'])
    expect(status(null)).toEqual(['pdf personal effective', 'zip personal effective'])
    Object.assign(choice, { off: null, pin: null })
    registry.decide()
    expect(status(PROJECT)[0]).toBe('pdf personal effective')
  })

  it('counts a folder that is reached under two names once, in the higher scope', () => {
    const { registry, tell } = told()
    const shared = rootFor('/shared', { scope: 'shared', sharedIn: 'personal' })
    const low = record('renamed', { root: shared, rootDir: '/skills/pdf', key: 'shared:/skills/pdf' })
    tell({ upsert: [low] })
    expect(registry.list(null)).toHaveLength(1)
    tell({ upsert: [record('pdf')] })
    expect(registry.list(null).map(({ record: { name } }) => name)).toEqual(['pdf'])
    tell({ remove: ['personal:/skills/pdf'] })
    expect(registry.list(null).map(({ record: { name } }) => name)).toEqual(['renamed'])
  })
})

describe('the stream of changes', () => {
  function page(changes: AsyncIterable<SkillChanges>) {
    const rows = new Map<string, SkillSummary>()
    const parts: SkillChanges[] = []
    const reader = changes[Symbol.asyncIterator]()
    return {
      rows,
      parts,
      /** Reads up to the next part with totals. */
      async next() {
        for (;;) {
          const { value, done } = await reader.next()
          if (done) return false
          parts.push(value)
          for (const row of value.rows) rows.set(row.key, row)
          for (const key of value.removed) rows.delete(key)
          if (value.totals) return true
        }
      },
    }
  }

  it('brings 10,000 rows in parts below 256 kB, then only what changes', async () => {
    const { registry, tell } = told()
    for (let from = 0; from < 10_000; from += 200) {
      const upsert = Array.from({ length: 200 }, (_, at) =>
        record(`skill-${from + at}`, { description: 'é'.repeat(400) }),
      )
      tell({ upsert, listed: from === 9800, complete: from === 9800 })
    }
    const closing = new AbortController()
    const { next, parts, rows } = page(registry.watch(null, closing.signal))
    await next()
    expect(rows.size).toBe(10_000)
    expect(Math.max(...parts.map((part) => Buffer.byteLength(JSON.stringify(part))))).toBeLessThan(262_144)
    expect(parts.at(-1)?.totals?.catalogue).toEqual({ wanted: 10_000, held: 50 })
    parts.length = 0
    tell({ upsert: [record('skill-7', { description: 'New.' })], remove: ['personal:/skills/skill-8'] })
    await next()
    expect(parts.map((part) => [part.rows.map(({ name }) => name), part.removed])).toEqual([
      [['skill-7'], ['personal:/skills/skill-8']],
    ])
    closing.abort()
    expect(await next()).toBe(false)
  })

  it('says nothing where a change is none for this project, and waits for the first whole list', async () => {
    const { registry, tell } = told()
    const closing = new AbortController()
    later(() => closing.abort())
    const { next, parts } = page(registry.watch(null, closing.signal))
    tell({ upsert: [record('pdf')], listed: false, complete: false })
    const first = next()
    tell({})
    await first
    const seen = parts.length
    const second = next()
    tell({ upsert: [record('zip', { root: IN_PROJECT })] })
    tell({ upsert: [record('csv')] })
    await second
    expect(parts.slice(seen).map(({ rows }) => rows.map(({ name }) => name))).toEqual([['csv']])
  })

  it('tells the new status of a copy when another one takes its place', async () => {
    const { registry, tell } = told()
    const closing = new AbortController()
    later(() => closing.abort())
    tell({ upsert: [record('pdf', { root: IN_PROJECT })] })
    const { next, rows } = page(registry.watch(PROJECT, closing.signal))
    await next()
    const status = () => [...rows.values()].map(({ scope, status: s }) => `${scope} ${s}`).sort()
    expect(status()).toEqual(['project effective'])
    tell({ upsert: [record('pdf')] })
    await next()
    expect(status()).toEqual(['personal effective', 'project shadowed'])
  })
})
