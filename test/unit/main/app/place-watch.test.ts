import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createPlaceWatch } from '../../../../src/main/app/place-watch'
import { later, tempDir, until, write } from '../skills/support'

function watched() {
  const file = join(tempDir(), 'work', '.satchel', 'settings.json')
  let changes = 0
  const watch = createPlaceWatch({ files: () => [file], changed: () => (changes += 1) })
  const end = watch.follow()
  later(end)
  const next = async (what: string, change: () => void) => {
    const before = changes
    change()
    await until(what, () => changes > before)
  }
  return { file, dir: dirname(file), watch, end, next, changes: () => changes }
}

test('a file is told of when it comes with its folders, changes, is replaced and goes', async () => {
  const { file, dir, next } = watched()
  await next('its folder', () => mkdirSync(dirname(dir)))
  await next('the folder below', () => mkdirSync(dir))
  await next('the file', () => writeFileSync(file, '{}'))
  await next('a change', () => writeFileSync(file, '{"environment": "prod"}'))
  await next('another file in its place', () => {
    writeFileSync(`${file}.tmp`, '{}')
    renameSync(`${file}.tmp`, file)
  })
  await next('its end', () => rmSync(file))
})

test('nothing is told of other files, nor once nobody follows', async () => {
  const { file, dir, watch, end, next, changes } = watched()
  await next('the file', () => write(file, '{}'))
  const second = watch.follow()
  end()
  await next('a change that the second one follows', () => writeFileSync(file, '{ }'))
  const before = changes()
  write(join(dir, 'other.json'), '{}')
  second()
  writeFileSync(file, '{  }')
  const other = watched()
  await other.next('what comes after it', () => write(other.file, '{}'))
  expect(changes()).toBe(before)
})
