import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needDataFolder } from '../../../../src/cli/chat/writable'
import { asNobody } from '../as-nobody'
import { testWorld } from '../cli-world'

test.each(['a file', 'a folder of a file'])('%s is no data folder, and nothing is made', async (what) => {
  const { home } = testWorld()
  const file = join(home, 'file')
  writeFileSync(file, 'x')
  const dir = what === 'a file' ? file : join(file, 'data')
  expect(() => needDataFolder(dir)).toThrow(`${dir} is no folder. Let SATCHEL_HOME name a folder.`)
})

test('one that can not be made is told', async () => {
  const world = testWorld()
  const closed = join(world.home, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o500)
  const dir = join(closed, 'data')
  await asNobody(world, async () => {
    expect(() => needDataFolder(dir)).toThrow(
      /can't be written \(EACCES\)\. Give yourself the right to write it, or/,
    )
  })
})

test('one that is missing is made', () => {
  const dir = join(testWorld().home, 'new', 'data')
  needDataFolder(dir)
  expect(existsSync(dir)).toBe(true)
})
