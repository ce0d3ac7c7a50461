import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeCrashMarker, writeCrashMarker } from '../../../../src/main/electron/crash-marker'
import { createLogFile } from '../../../../src/main/electron/log-file'

let dir: string
let logs: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-log-'))
  logs = join(dir, 'logs')
})

afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const read = (name = 'satchel.log') => readFileSync(join(logs, name), 'utf8')
const open = (maxBytes?: number) =>
  createLogFile({ dir: logs, now: () => 0, ...(maxBytes ? { maxBytes } : {}) })

test('an entry is one line of JSON, even if its text has line ends', () => {
  open().info('two\nlines', { a: 1 })
  expect(read()).toBe(
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"two\\nlines","data":{"a":1}}\n',
  )
})

test('an error is written with its stack, code and cause', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'EPIPE' })
  open().error('failed', error)
  const { data } = JSON.parse(read()) as { data: { error: string; code: string; cause: { error: string } } }
  expect(data.error).toContain('log-file.test.ts')
  expect(data.code).toBe('EPIPE')
  expect(data.cause.error).toContain('Error: inner')
})

test('log and folder are private to the person', () => {
  open().info('x')
  expect(statSync(join(logs, 'satchel.log')).mode & 0o777).toBe(0o600)
  expect(statSync(logs).mode & 0o777).toBe(0o700)
})

test('a full file is put aside, and three are kept', () => {
  const log = open(200)
  for (let i = 0; i < 20; i += 1) log.info(`entry ${i}`)
  expect(readdirSync(logs).sort()).toEqual(['satchel.log', 'satchel.log.1', 'satchel.log.2'])
  expect(read()).toContain('entry 19')
  for (const name of readdirSync(logs)) expect(statSync(join(logs, name)).size).toBeLessThanOrEqual(200)
})

test('a new start goes on with the file of the last one', () => {
  open().info('first')
  open().info('second')
  expect(read().match(/first|second/g)).toEqual(['first', 'second'])
})

test('what can not be written is dropped, and nothing throws', () => {
  const log = open()
  rmSync(logs, { recursive: true })
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  expect(() => log.info('gone')).not.toThrow()
  expect(() => log.info('circle', circle)).not.toThrow()
  expect(existsSync(logs)).toBe(false)
})

test('the marker of a crash is told once in the log of the next start', () => {
  const file = join(logs, 'crash.json')
  writeCrashMarker(file, new Error('planted'), 0)
  const log = open()
  expect(takeCrashMarker(file, log)).toBe(true)
  expect(read()).toContain('planted')
  expect(takeCrashMarker(file, log)).toBe(false)
})
