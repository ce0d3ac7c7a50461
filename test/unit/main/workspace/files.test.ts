import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../../../src/main/lib/hash'
import { listFiles } from '../../../../src/main/workspace/list-files'
import { locate } from '../../../../src/main/workspace/place'
import { readFileAt } from '../../../../src/main/workspace/read-file'
import { writeFileAt } from '../../../../src/main/workspace/write-file'
import { codeOf, ground, type Ground } from './ground'

let place: Ground
beforeEach(() => {
  place = ground({ 'notes/today.md': 'old\n', 'a.txt': 'a' })
})
afterEach(() => place.remove())

const at = (path: string) => locate(place.workspace, path)
const inside = (path: string) => join(place.root, path)
const read = async (path: string, max = 1000) => readFileAt(await at(path), max)
const nothing = () => undefined

describe('readFileAt', () => {
  test('gives bytes, digest and permissions', async () => {
    chmodSync(inside('a.txt'), 0o640)
    const file = await read('a.txt')
    expect(file.bytes.toString()).toBe('a')
    expect(file.sha256).toBe(sha256('a'))
    expect(file.keeps.mode).toBe(0o640)
    expect(file.links).toBe(1)
  })

  test('tells a hard link by its number of names', async () => {
    linkSync(join(place.outside, 'secret.txt'), inside('hard.txt'))
    expect((await read('hard.txt')).links).toBe(2)
  })

  test('does not wait for a FIFO, and refuses folders', async () => {
    spawnSync('mkfifo', [inside('pipe')])
    expect(await codeOf(() => read('pipe'))).toBe('bad_input')
    expect(await codeOf(() => read('notes'))).toBe('bad_input')
    expect(await codeOf(() => read('.'))).toBe('bad_input')
  })

  test('refuses a huge file without reading it', async () => {
    writeFileSync(inside('huge'), '')
    truncateSync(inside('huge'), 50_000_000_000)
    expect(await codeOf(() => read('huge', 10_000_000))).toBe('too_large')
  })

  test('says that a file is not there', async () => {
    expect(await codeOf(() => read('none.txt'))).toBe('not_found')
    expect(await codeOf(() => read('none/deep.txt'))).toBe('not_found')
  })

  test('a folder that became a link after it was looked at leads nowhere', async () => {
    const found = await at('notes/today.md')
    renameSync(inside('notes'), inside('kept'))
    symlinkSync(place.outside, inside('notes'))
    writeFileSync(join(place.outside, 'today.md'), 'outside')
    expect(await codeOf(() => readFileAt(found, 1000))).toBe('path_escape')
  })

  test('a file that became a link after it was looked at is not read', async () => {
    const found = await at('a.txt')
    rmSync(inside('a.txt'))
    symlinkSync(join(place.outside, 'secret.txt'), inside('a.txt'))
    expect(await codeOf(() => readFileAt(found, 1000))).toBe('path_escape')
  })
})

describe('writeFileAt', () => {
  const contents = (text: string, before: string | null) => ({
    bytes: Buffer.from(text),
    before: before === null ? null : sha256(before),
    keeps: before === null ? null : { mode: 0o750, uid: process.getuid!(), gid: process.getgid!() },
    notes: join(place.outside, 'notes'),
  })

  test('replaces the file in one step and keeps its permissions', async () => {
    await writeFileAt(await at('notes/today.md'), contents('new\n', 'old\n'), nothing)
    expect(readFileSync(inside('notes/today.md'), 'utf8')).toBe('new\n')
    expect(statSync(inside('notes/today.md')).mode & 0o777).toBe(0o750)
    expect(readdirSync(inside('notes'))).toEqual(['today.md'])
  })

  test('makes a new file and its folders', async () => {
    await writeFileAt(await at('x/y/z.txt'), contents('z', null), nothing)
    expect(readFileSync(inside('x/y/z.txt'), 'utf8')).toBe('z')
  })

  test('writes nothing when the file is no longer what it was', async () => {
    const found = await at('a.txt')
    writeFileSync(inside('a.txt'), 'other')
    expect(await codeOf(() => writeFileAt(found, contents('b', 'a'), nothing))).toBe('stale')
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('other')
  })

  test('writes nothing over a file that came meanwhile, or in place of one that went', async () => {
    const fresh = await at('fresh.txt')
    writeFileSync(inside('fresh.txt'), 'theirs')
    expect(await codeOf(() => writeFileAt(fresh, contents('mine', null), nothing))).toBe('stale')
    const gone = await at('a.txt')
    rmSync(inside('a.txt'))
    expect(await codeOf(() => writeFileAt(gone, contents('b', 'a'), nothing))).toBe('stale')
  })

  test('changes nothing and leaves nothing behind when it may not be committed', async () => {
    const refuse = () => {
      throw new Error('spent')
    }
    await expect(writeFileAt(await at('a.txt'), contents('b', 'a'), refuse)).rejects.toThrow('spent')
    expect(readdirSync(place.root).sort()).toEqual(['a.txt', 'app-data', 'notes'])
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('a')
  })

  test('never writes through a folder that became a link to outside', async () => {
    const found = await at('notes/new.md')
    renameSync(inside('notes'), inside('kept'))
    symlinkSync(place.outside, inside('notes'))
    expect(await codeOf(() => writeFileAt(found, contents('evil', null), nothing))).toBe('path_escape')
    expect(readdirSync(place.outside)).toEqual(['secret.txt'])
  })

  test('leaves the other name of a hard link as it is', async () => {
    linkSync(join(place.outside, 'secret.txt'), inside('hard.txt'))
    await writeFileAt(await at('hard.txt'), contents('mine', 'secret'), nothing)
    expect(readFileSync(join(place.outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  test('writes through a link inside the workspace to the file it leads to', async () => {
    symlinkSync('a.txt', inside('link.txt'))
    await writeFileAt(await at('link.txt'), contents('b', 'a'), nothing)
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('b')
  })

  test('refuses a folder', async () => {
    mkdirSync(inside('empty'))
    expect(await codeOf(async () => writeFileAt(await at('empty'), contents('x', null), nothing))).toBe(
      'bad_input',
    )
  })
})

describe('listFiles', () => {
  test('lists files in the order of their names, without links, special files, .git and the own data', async () => {
    symlinkSync(place.outside, inside('out'))
    symlinkSync('a.txt', inside('link.txt'))
    spawnSync('mkfifo', [inside('pipe')])
    mkdirSync(inside('.git'))
    writeFileSync(inside('.git/config'), '')
    expect(await listFiles(await at('.'), 100)).toEqual({ files: ['a.txt', 'notes/today.md'], cut: false })
  })

  test('ends at its limit and says so', async () => {
    expect(await listFiles(await at('.'), 1)).toEqual({ files: ['a.txt'], cut: true })
  })

  test('refuses a file and says that a folder is missing', async () => {
    expect(await codeOf(async () => listFiles(await at('a.txt'), 10))).toBe('path_escape')
    expect(await codeOf(async () => listFiles(await at('none'), 10))).toBe('not_found')
  })
})
