import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginWrite, removeLeftWrites } from '../../../../src/main/workspace/begun-writes'

let dir: string
let notes: string
let project: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-begun-'))
  notes = join(dir, 'notes')
  project = join(dir, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** The mark of a process that has ended. */
async function goneMark(): Promise<string> {
  const child = spawn('true')
  await once(child, 'close')
  return `${child.pid}-1-0123456789abcdef`
}

test('what a living program is writing is left alone', () => {
  const begun = beginWrite(notes, project)
  writeFileSync(join(project, begun.name), 'half')
  expect(removeLeftWrites(notes)).toEqual([])
  expect(existsSync(join(project, begun.name))).toBe(true)
  begun.done()
  expect(readdirSync(notes)).toEqual([])
})

test('what a program that has ended was writing is removed with its note', async () => {
  const mark = await goneMark()
  mkdirSync(notes)
  writeFileSync(join(project, `.satchel-${mark}`), 'half')
  writeFileSync(join(notes, mark), join(project, `.satchel-${mark}`))
  expect(removeLeftWrites(notes)).toEqual([])
  expect([...readdirSync(project), ...readdirSync(notes)]).toEqual([])
})

test('a note that names another file removes nothing but itself', async () => {
  const mark = await goneMark()
  mkdirSync(notes)
  writeFileSync(join(project, 'letter.txt'), 'dear')
  writeFileSync(join(notes, mark), join(project, 'letter.txt'))
  removeLeftWrites(notes)
  expect(readFileSync(join(project, 'letter.txt'), 'utf8')).toBe('dear')
  expect(readdirSync(notes)).toEqual([])
})

test('a note that was torn by a crash is removed', async () => {
  mkdirSync(notes)
  writeFileSync(join(notes, await goneMark()), '')
  expect(removeLeftWrites(notes)).toEqual([])
  expect(readdirSync(notes)).toEqual([])
})

test('without notes there is nothing to remove', () => {
  expect(removeLeftWrites(join(dir, 'never'))).toEqual([])
})
