import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isMakerGone, makerMark } from '../../../../src/main/lib/maker'

test('each mark is a new one, and its living maker is not gone', () => {
  const marks = [makerMark(), makerMark()]
  expect(marks[0]).not.toBe(marks[1])
  expect(marks.map(isMakerGone)).toEqual([false, false])
})

test('a process that has ended is gone', async () => {
  const child = spawn('true')
  await once(child, 'close')
  expect(isMakerGone(`${child.pid}-1-0123456789abcdef`)).toBe(true)
})

test.runIf(process.platform === 'linux')('another process that got the pid is not the maker', () => {
  expect(isMakerGone(`${process.pid}-1-0123456789abcdef`)).toBe(true)
})

test('where the start of a process is not known, a process with its pid counts as the maker', () => {
  expect(isMakerGone(`${process.pid}-0-0123456789abcdef`)).toBe(false)
})

test.each(['', 'x', '12', '../12-1-0123456789abcdef', '12-1-xyz'])('"%s" is no mark', (name) => {
  expect(isMakerGone(name)).toBe(false)
})
