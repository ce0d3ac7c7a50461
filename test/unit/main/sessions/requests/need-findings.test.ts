import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunPlan } from '@shared/domain/approval'
import { needFindings, needsOf } from '../../../../../src/main/sessions/requests/need-findings'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-needs-'))
  mkdirSync(join(root, 'lib/python3.12/site-packages/Some_Thing-1.0.dist-info'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

async function look(program: string, scriptPath: string, files: Record<string, string>) {
  const plan = {
    kind: 'script',
    skill: { treeDigest: 'd' },
    script: { path: scriptPath },
    interpreter: { name: program, path: join(root, 'bin', program), prefixes: [] },
  } as unknown as RunPlan
  const store = { read: async (_digest: string, path: string) => Buffer.from(files[path] ?? '') }
  const snapshot = {
    digest: 'd',
    files: Object.entries(files).map(([path, text]) => ({ path, size: text.length })),
  }
  const needs = await needsOf({ store } as never, scriptPath, snapshot as never, null)
  return needFindings({ environments: { isKnown: () => false } }, plan, snapshot as never, needs)
}

test('what Python would not find is named before anybody is asked; what it finds is not', async () => {
  const [finding, ...more] = await look('python3', 'x.py', {
    'requirements.txt': 'some-thing==1\nsatchel-made-up-name\n',
  })
  expect(more).toEqual([])
  expect(finding).toMatchObject({ id: 'needs-missing', level: 'notable' })
  expect(finding?.text).toContain(`not found for ${join(root, 'bin/python3')}: satchel-made-up-name. Nothing`)
})

test('nothing is said where everything is there, or nothing is declared', async () => {
  expect(await look('python3', 'x.py', { 'requirements.txt': 'Some.Thing' })).toEqual([])
  expect(await look('python3', 'x.py', {})).toEqual([])
})

test('a script of Node sees the modules of its own skill alone', async () => {
  const declared = JSON.stringify({ dependencies: { here: '1', gone: '1' } })
  const files = { 'package.json': declared, 'node_modules/here/package.json': '{}' }
  const [finding] = await look('node', 'scripts/x.js', files)
  expect(finding?.text).toContain(': gone. Nothing is installed by itself')
})
