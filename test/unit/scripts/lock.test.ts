import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive, withLock } from '../../../scripts/lib/lock.mjs'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-lock-'))
  file = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid

test('the lock names its holder while the work runs, and nothing is left of it', async () => {
  const seen = await withLock(file, async () => Number(readFileSync(file, 'utf8')))
  expect(seen).toBe(process.pid)
  expect(readdirSync(folder)).toEqual([])
})

test('the lock is given back when the work fails', async () => {
  const work = withLock(file, () => Promise.reject(new Error('no')))
  await expect(work).rejects.toThrow('no')
  expect(existsSync(file)).toBe(false)
})

test('a second one waits until the first is done, and says so once', async () => {
  const events: string[] = []
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const first = withLock(file, async () => {
    events.push('first begins')
    await opened
    events.push('first ends')
  })
  const second = withLock(
    file,
    async () => void events.push('second'),
    () => {
      events.push('waits')
      open()
    },
  )
  await Promise.all([first, second])
  expect(events).toEqual(['first begins', 'waits', 'first ends', 'second'])
})

test('the lock of a process that is gone is taken over', async () => {
  writeFileSync(file, String(deadPid()))
  expect(await withLock(file, async () => 'done')).toBe('done')
})

test('a process is alive until it has ended', () => {
  expect(isAlive(process.pid)).toBe(true)
  expect(isAlive(deadPid())).toBe(false)
  expect(isAlive(0)).toBe(false)
  expect(isAlive(Number.NaN)).toBe(false)
})
