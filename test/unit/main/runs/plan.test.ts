import * as fc from 'fast-check'
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RunPlan } from '../../../../src/shared/domain/approval'
import { sha256 } from '../../../../src/main/lib/hash'
import { planHash as hashPlan } from '../../../../src/main/lib/plan-hash'
import type { ScriptInput } from '../../../../src/main/runs/types'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

const plan = (more: Partial<ScriptInput> = {}, path = 'scripts/a.sh', text = 'echo hello') =>
  bench.runs.planScript(bench.script(path, text, more))

describe('a plan', () => {
  test('stops a shell script at its first command that fails only where that is asked for', async () => {
    const made = await plan({ args: ['x'], stopOnError: true })
    expect(made.argv).toEqual([made.interpreter.path, '-e', '/.sandbox/skills/tool/scripts/a.sh', 'x'])
    const python = await plan({ stopOnError: true }, 'scripts/a.py', 'print(1)')
    expect(python.argv).not.toContain('-e')
  })

  test('a shell’s own -e is kept and not doubled', async () => {
    const own = await plan({}, 'a.sh', '#!/bin/bash -eu\necho hello')
    expect(own.argv.slice(1, -1)).toEqual(['-eu'])
    const both = await plan({ stopOnError: true }, 'a.sh', '#!/bin/bash -eu\necho hello')
    expect(both.argv.slice(1, -1)).toEqual(['-eu'])
  })

  test('holds the digest of the interpreter’s file', async () => {
    const { interpreter } = await plan()
    expect(interpreter.sha256).toBe(sha256(readFileSync(interpreter.path)))
  })

  test('a compiled program runs itself, bound by its own bytes', async () => {
    const input = bench.script('bin/true', readFileSync('/usr/bin/true'), { args: ['x'] })
    const made = await bench.runs.planScript(input)
    expect(made.argv).toEqual(['/.sandbox/skills/tool/bin/true', 'x'])
    expect(made.interpreter).toMatchObject({
      name: 'program',
      source: 'content',
      sha256: input.script.sha256,
    })
  })

  test('names the interpreter, the script in the sandbox and the arguments, and nothing else', async () => {
    const made = await plan({ args: ['a b', '--flag'] })
    expect(made.argv).toEqual([made.interpreter.path, '/.sandbox/skills/tool/scripts/a.sh', 'a b', '--flag'])
    expect(made.interpreter).toMatchObject({ name: 'bash', source: 'extension', prefixes: [] })
    expect(made.sandbox).toMatchObject({ backend: 'bwrap', network: 'off', writable: [bench.workspace] })
    expect(RunPlan.parse(made)).toEqual(made)
  })

  test('is the same for the same input, in whatever order it is given', async () => {
    const mounts = [
      { name: 'b', treeDigest: 'b'.repeat(64) },
      { name: 'a', treeDigest: 'a'.repeat(64) },
    ]
    const first = await plan({ mounts, env: { B: '2', A: '1' } })
    const second = await plan({ mounts: mounts.toReversed(), env: { A: '1', B: '2' } })
    expect(hashPlan(second)).toBe(hashPlan(first))
  })

  test('every field is bound by its hash', async () => {
    const made = await plan({ args: ['x'], env: { TOPIC: 'cats' }, stdin: 'in' })
    const hash = hashPlan(made)
    const places = leaves(made)
    expect(places.length).toBeGreaterThan(30)
    fc.assert(
      fc.property(fc.constantFrom(...places), (place) => {
        const changed = structuredClone(made)
        change(changed, place)
        expect(hashPlan(changed)).not.toBe(hash)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['#!/usr/bin/env bash', 'shebang', 'bash'],
    ['#!/bin/sh', 'shebang', 'sh'],
    ['\ufeff#!/bin/bash', 'shebang', 'bash'],
    ['#!/usr/bin/env python3\r', 'shebang', 'python3'],
    ['echo no shebang', 'extension', 'bash'],
  ])('of a script that begins with %j says %s', async (line, source, name) => {
    expect((await plan({}, 'a.sh', `${line}\necho x`)).interpreter).toMatchObject({ source, name })
  })

  test.each([
    ['an unknown ending', 'a.xyz', 'text'],
    ['no ending', 'Makefile', 'all:'],
    ['env with more than a word', 'a.sh', '#!/usr/bin/env -S node --eval x'],
    ['an unknown program', 'a.sh', '#!/opt/evil/run'],
  ])('%s has no interpreter', async (_what, path, text) => {
    await expect(plan({}, path, text)).rejects.toMatchObject({
      code: 'no_interpreter',
      message: expect.stringMatching(/such as #!\/usr\/bin\/env python3/),
    })
  })

  test('text that is not the snapshot’s is refused', async () => {
    const input = bench.script('a.sh', 'echo hello')
    const other = { ...input, script: { ...input.script, bytes: Buffer.from('echo EVIL') } }
    await expect(bench.runs.planScript(other)).rejects.toMatchObject({ code: 'stale' })
  })

  test('two contents under one name are refused', async () => {
    await expect(plan({ mounts: [{ name: 'tool', treeDigest: 'a'.repeat(64) }] })).rejects.toMatchObject({
      code: 'stale',
    })
  })

  test.each(['../tool', 'a/b', '', '.', '..', '-x'])('the skill name %j can not be a mount', async (name) => {
    await expect(plan({ mounts: [{ name, treeDigest: 'a'.repeat(64) }] })).rejects.toMatchObject({
      code: 'bad_input',
    })
  })

  test.each(['../x.sh', '/etc/x.sh', 'a/../../x.sh', './x.sh', 'a//x.sh', 'a\\x.sh', 'x\0.sh', ''])(
    'the script path %j is refused',
    async (path) => {
      const input = bench.script('a.sh', 'echo hello')
      const moved = { ...input, script: { ...input.script, path } }
      await expect(bench.runs.planScript(moved)).rejects.toMatchObject({ code: 'path_escape' })
    },
  )
})

describe('limits of a plan', () => {
  test.each([
    ['an argument of 2 MB', { args: ['x'.repeat(2_000_000)] }, 'too_large', /131071 bytes/],
    ['10,000 arguments', { args: Array.from({ length: 10_000 }, () => 'x') }, 'too_large', /5000 arguments/],
    [
      'arguments of more than 1 MB',
      { args: Array.from({ length: 10 }, () => 'x'.repeat(120_000)) },
      'too_large',
      /1000000 bytes/,
    ],
    ['a NUL in an argument', { args: ['a\0b'] }, 'bad_input', /NUL/],
    ['half of a character', { args: ['\ud800'] }, 'bad_input', /surrogate/],
    ['standard input of 65 kB', { stdin: 'x'.repeat(65_000) }, 'too_large', /64000 bytes/],
    ['standard input and a terminal', { stdin: 'x', interactive: true }, 'bad_input', /not both/],
    ['no time', { timeoutMs: 0 }, 'bad_input', /time limit/],
    ['a refused variable', { env: { LD_PRELOAD: 'x.so' } }, 'bad_input', /LD_PRELOAD/],
  ] as const)('%s is refused with the limit', async (_what, more, code, words) => {
    const planned = plan(more as Partial<ScriptInput>)
    await expect(planned).rejects.toMatchObject({ code, message: expect.stringMatching(words) })
  })
})

describe('the folder of a run', () => {
  test.each([undefined, '', '.', './'])('%j is the project', async (workdir) => {
    expect((await plan({ workdir })).cwd).toBe(bench.workspace)
  })

  test('a folder inside is given with its real path', async () => {
    mkdirSync(join(bench.workspace, 'real'))
    symlinkSync('real', join(bench.workspace, 'link'))
    expect((await plan({ workdir: 'link' })).cwd).toBe(join(bench.workspace, 'real'))
  })

  test.each(['/', '..', '../workspace-evil', '~', '~/x', 'sub/../..', 'a\0b', '/etc', '/tmp'])(
    '%j is refused',
    async (workdir) => {
      await expect(plan({ workdir })).rejects.toMatchObject({ code: 'path_escape' })
    },
  )

  test('a sibling that shares the beginning of the name is outside', async () => {
    mkdirSync(`${bench.workspace}-evil`)
    await expect(plan({ workdir: `${bench.workspace}-evil` })).rejects.toMatchObject({ code: 'path_escape' })
  })

  test('a link to the outside is refused', async () => {
    symlinkSync(bench.dir, join(bench.workspace, 'out'))
    await expect(plan({ workdir: 'out' })).rejects.toMatchObject({ code: 'path_escape' })
  })

  test('a folder that is not there is named', async () => {
    await expect(plan({ workdir: 'gone' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"gone"'),
    })
  })

  test('a project that was deleted is said', async () => {
    rmSync(bench.workspace, { recursive: true })
    await expect(plan()).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each(['/', '/usr', '/etc', '/etc/ssl', '/proc', process.env['HOME'] ?? '/root'])(
    '%s can not be the project',
    async (workspace) => {
      await expect(plan({ workspace })).rejects.toMatchObject({ code: 'path_escape' })
    },
  )
})

type Place = (string | number)[]

/** Every place of a value that holds no further ones, and every list. */
function leaves(value: unknown, at: Place = []): Place[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((item, index) => leaves(item, [...at, index]))]
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => leaves(item, [...at, key]))
  }
  return [at]
}

function change(root: unknown, place: Place): void {
  const holder = place
    .slice(0, -1)
    .reduce((value, key) => (value as Record<string | number, unknown>)[key], root)
  const key = place.at(-1)!
  const fields = holder as Record<string | number, unknown>
  const old = fields[key]
  if (Array.isArray(old)) fields[key] = [...old, 'more']
  else if (typeof old === 'string') fields[key] = `${old}x`
  else if (typeof old === 'number') fields[key] = old + 1
  else if (typeof old === 'boolean') fields[key] = !old
  else fields[key] = 'was null'
}
