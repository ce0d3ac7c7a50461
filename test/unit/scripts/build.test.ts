import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildAndStamp, isBuilt, markOpen, openProcess } from '../../../scripts/lib/build.mjs'

const outputs = ['out/main/index.cjs', 'out/preload/index.cjs', 'out/renderer/index.html']
let root: string

function write(name: string, text = '') {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

async function build() {
  return buildAndStamp(root, async () => {
    for (const name of outputs) write(name)
    return 0
  })
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-build-'))
  write('src/main/index.ts', 'one')
  write('src/main/worker.ts', 'two')
  write('package.json', '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('nothing is built at first', () => {
  expect(isBuilt(root)).toBe(false)
})

test('after a build it is built, until a source changes', async () => {
  await build()
  expect(isBuilt(root)).toBe(true)
  write('src/main/index.ts', 'other')
  expect(isBuilt(root)).toBe(false)
})

test.each([
  ['a new source', () => write('src/main/new.ts')],
  ['a removed source', () => rmSync(join(root, 'src/main/worker.ts'))],
  ['another time of a source, be it older', () => utimesSync(join(root, 'src/main/worker.ts'), 1, 1)],
  ['a changed package.json', () => write('package.json', '{ }')],
  ['a new lint target of the build', () => write('electron.vite.config.ts', '')],
  ['a missing output', () => rmSync(join(root, 'out/preload/index.cjs'))],
])('%s makes a build necessary', async (_name, change) => {
  await build()
  change()
  expect(isBuilt(root)).toBe(false)
})

test('a failed build leaves it not built, although an earlier one was good', async () => {
  await build()
  expect(await buildAndStamp(root, async () => 3)).toBe(3)
  expect(isBuilt(root)).toBe(false)
})

test('a source that changes during the build makes the next one necessary', async () => {
  await buildAndStamp(root, async () => {
    for (const name of outputs) write(name)
    write('src/main/index.ts', 'changed meanwhile')
    return 0
  })
  expect(isBuilt(root)).toBe(false)
})

test('an app is open as long as its process lives', async () => {
  expect(openProcess(root)).toBeNull()
  await build()
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  markOpen(root, child.pid!)
  expect(openProcess(root)).toBe(child.pid)
  const ended = once(child, 'exit')
  child.kill()
  await ended
  expect(openProcess(root)).toBeNull()
})

test('a mark that names no process is none', async () => {
  await build()
  write('out/.open', 'nobody')
  expect(openProcess(root)).toBeNull()
})
