import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  forgetFailure,
  readFailure,
  stillHolds,
  writeFailure,
} from '../../../scripts/lib/download-memory.mjs'

const hour = 60 * 60 * 1000
const failure = { key: '45.4.1', at: 1_000_000_000_000, reason: 'ENOTFOUND' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-memory-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['at once', 0, true],
  ['after 23 hours', 23 * hour, true],
  ['after 24 hours', 24 * hour, false],
  ['when the clock was set back', -hour, false],
])('%s the failure holds: %#', (_name, age, expected) => {
  expect(stillHolds(failure, '45.4.1', failure.at + age)).toBe(expected)
})

test('a failure does not hold for another version or mirror', () => {
  expect(stillHolds(failure, '45.4.2', failure.at)).toBe(false)
  expect(stillHolds(failure, '45.4.1 https://mirror.example/', failure.at)).toBe(false)
})

test('without a failure nothing holds', () => {
  expect(stillHolds(null, '45.4.1', 0)).toBe(false)
})

test('a failure is read back as it was written, into a folder that was not there', () => {
  const file = join(folder, 'new', 'failure.json')
  writeFailure(file, failure)
  expect(readFailure(file)).toEqual(failure)
})

test('a forgotten failure is gone', () => {
  const file = join(folder, 'failure.json')
  writeFailure(file, failure)
  forgetFailure(file)
  expect(readFailure(file)).toBeNull()
})

test.each(['', '{"key":"45', 'null', '{"key":1,"at":1,"reason":""}', '{"key":"a","at":"1","reason":""}'])(
  'a spoilt file %j is no failure',
  (text) => {
    const file = join(folder, 'failure.json')
    writeFileSync(file, text)
    expect(readFailure(file)).toBeNull()
  },
)
