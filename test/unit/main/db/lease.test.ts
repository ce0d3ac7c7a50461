import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLease } from '../../../../src/main/db/lease'

let dir: string
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-lease-'))
  file = join(dir, 'not', 'there', 'window.lock')
})
afterEach(() => rmSync(dir, { recursive: true }))

test('the second of one process is refused with what to do, and gets it after the first let go', () => {
  const first = takeLease(file)
  expect(() => takeLease(file)).toThrow(/Another Satchel has this data open\. Go on in its window/)
  first.release()
  takeLease(file).release()
})

test('another process that holds it is respected; when it is killed, the lease is free at once', async () => {
  takeLease(file).release()
  const holder = await holdElsewhere(file)
  expect(() => takeLease(file)).toThrow('Another Satchel has this data open')

  holder.kill('SIGKILL')
  await once(holder, 'exit')

  takeLease(file).release()
})

test('data folders do not hinder each other', () => {
  const one = takeLease(file)
  const other = takeLease(join(dir, 'other', 'window.lock'))
  one.release()
  other.release()
})

test('holding it writes nothing, so a full disk can not end it', () => {
  const lease = takeLease(file)
  expect(statSync(file).size).toBe(0)
  lease.release()
})

/** A process that takes the lock the same way and keeps it until it is killed. */
async function holdElsewhere(path: string) {
  const script = `const D = require('better-sqlite3'); const d = new D(process.argv[1]);
    d.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => d, 1e6)`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}
