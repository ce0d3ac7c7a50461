import * as fc from 'fast-check'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reachOf } from '../../../../src/main/runs/sandbox/profiles'
import type { SkillExecution } from '../../../../src/shared/skill-md/run-fields'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
let profile: 'read-only' | 'workspace-write' = 'workspace-write'
beforeEach(() => {
  profile = 'workspace-write'
  bench = createBench({ profile: () => profile })
})
afterEach(() => bench.close())

const wish = (more: Partial<SkillExecution> = {}): SkillExecution => ({
  sandbox: undefined,
  allowedPaths: null,
  network: undefined,
  secrets: [],
  ...more,
})

describe('what a skill asks to be held to', () => {
  test.each([
    [wish(), 'workspace-write', undefined],
    [wish({ sandbox: 'workspace-write' }), 'workspace-write', undefined],
    [wish({ sandbox: 'full' }), 'workspace-write', undefined],
    [wish({ sandbox: 'read-only' }), 'read-only', true],
    [wish({ sandbox: 'strict!' }), 'read-only', true],
  ])('%j gives the profile %s', (asked, name, narrowed) => {
    expect(reachOf('workspace-write', [asked], bench.workspace)).toMatchObject({ profile: name })
    expect(reachOf('workspace-write', [asked], bench.workspace).narrowed).toBe(narrowed)
  })

  test('never widens what the person set, whatever it says', () => {
    for (const name of ['src', '.git', 'a b']) mkdirSync(join(bench.workspace, name))
    symlinkSync('/etc', join(bench.workspace, 'link'))
    const word = fc.oneof(fc.string(), fc.constantFrom('read-only', 'workspace-write', 'full', 'none'))
    const path = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'src',
        'src/**',
        './src',
        '.',
        '/',
        '..',
        '../x',
        '.git',
        '.GIT',
        'link',
        'a b/',
        '/etc',
        '~',
      ),
    )
    fc.assert(
      fc.property(
        fc.option(word, { nil: undefined }),
        fc.option(fc.array(path), { nil: null }),
        fc.constantFrom('read-only' as const, 'workspace-write' as const),
        (sandbox, allowedPaths, chosen) => {
          const asked = reachOf(chosen, [wish({ sandbox, allowedPaths })], bench.workspace)
          const own = reachOf(chosen, [], bench.workspace)
          if (own.profile === 'read-only') expect(asked.profile).toBe('read-only')
          if (asked.profile === 'read-only') expect(asked.writable).toEqual([])
          const allowed = [bench.workspace, join(bench.workspace, 'src'), join(bench.workspace, 'a b')]
          expect(asked.writable.filter((place) => !allowed.includes(place))).toEqual([])
        },
      ),
      { numRuns: 500 },
    )
  })

  test('several skills are held to the strictest of what they ask for', () => {
    for (const name of ['src/deep', 'docs']) mkdirSync(join(bench.workspace, name), { recursive: true })
    const asked = [wish({ allowedPaths: ['src', 'docs'] }), wish(), wish({ allowedPaths: ['src/deep'] })]
    expect(reachOf('workspace-write', asked, bench.workspace)).toMatchObject({
      writable: [join(bench.workspace, 'src/deep')],
      narrowed: true,
    })
    const reading = [...asked, wish({ sandbox: 'read-only' })]
    expect(reachOf('workspace-write', reading, bench.workspace)).toMatchObject({
      profile: 'read-only',
      writable: [],
    })
  })

  test('hosts are shown and give no network', async () => {
    const execution = wish({ network: ['api.example.com'] })
    const { sandbox } = await bench.runs.planScript(bench.script('a.sh', 'echo', { execution }))
    expect(sandbox).toMatchObject({ network: 'off', hostsAsked: ['api.example.com'] })
  })
})

describe('a profile', () => {
  const WRITE =
    'for place in file src/file docs/file; do ( : > $place ) 2>/dev/null && echo $place; done; cat known'

  test('read-only: the project can be read and nothing in it written', async () => {
    profile = 'read-only'
    writeFileSync(join(bench.workspace, 'known'), 'text')
    const plan = await bench.runs.planScript(bench.script('a.sh', WRITE))
    expect(plan.sandbox).toMatchObject({ profile: 'read-only', writable: [], profileVersion: 1 })
    expect((await bench.execute(plan)).stdout).toBe('text')
  })

  test('allowed-paths: written is only there, and only what is there', async () => {
    mkdirSync(join(bench.workspace, 'src'))
    mkdirSync(join(bench.workspace, 'docs'))
    writeFileSync(join(bench.workspace, 'known'), 'text')
    const execution = wish({ allowedPaths: ['src/**', 'missing', '../outside', '.vscode'] })
    const plan = await bench.runs.planScript(bench.script('a.sh', WRITE, { execution }))
    expect(plan.sandbox).toMatchObject({ writable: [join(bench.workspace, 'src')], narrowed: true })
    expect((await bench.execute(plan)).stdout).toBe('src/file\ntext')
    expect(existsSync(join(bench.workspace, 'missing'))).toBe(false)
  })

  test('is the one that was allowed, also when the setting changed since', async () => {
    profile = 'read-only'
    const plan = await bench.runs.planScript(bench.script('a.sh', 'echo x > file'))
    profile = 'workspace-write'
    expect((await bench.execute(plan)).run.status).toBe('failed')
    expect(existsSync(join(bench.workspace, 'file'))).toBe(false)
  })
})
