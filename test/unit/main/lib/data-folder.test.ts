import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../../../../src/main/lib/data-folder'

describe('a data folder that is missing', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'satchel-data-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  test('is made with those above it, for its person alone', () => {
    makeDataFolder(join(home, 'a/b'))
    expect([statSync(join(home, 'a')).mode & 0o777, statSync(join(home, 'a/b')).mode & 0o777]).toEqual([
      0o700, 0o700,
    ])
  })

  test('is not made in place of a file, nor below one', () => {
    writeFileSync(join(home, 'file'), '')
    expect(() => makeDataFolder(join(home, 'file'))).toThrow('EEXIST')
    expect(() => makeDataFolder(join(home, 'file/a'))).toThrow(/EEXIST|ENOTDIR/)
  })

  test.runIf(process.platform === 'linux')('is refused at once where nothing can be made', () => {
    expect(() => makeDataFolder('/proc/satchel/a')).toThrow('ENOENT')
  })
})
