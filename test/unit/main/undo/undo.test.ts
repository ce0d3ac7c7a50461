import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { codeOf } from '../sessions/kit'
import { createUndoKit, filesOf, linesOf, type UndoKit } from './kit'

let kit: UndoKit

afterEach(() => {
  expect(kit.errors).toEqual([])
  kit.remove()
})

const { at, write, text, listed } = filesOf(() => kit)

describe('what a run changed', () => {
  test('each kind of change is listed, and what only was read is not', async () => {
    kit = createUndoKit()
    write('read.txt', 'r')
    write('edit.txt', 'old')
    write('gone.txt', 'g')
    write('mode.sh', 'm')
    symlinkSync('edit.txt', at('link'))
    const run = await kit.run(() => {
      text('read.txt')
      write('edit.txt', 'new')
      rmSync(at('gone.txt'))
      chmodSync(at('mode.sh'), 0o755)
      rmSync(at('link'))
      symlinkSync('read.txt', at('link'))
      write('made/new.txt', 'n')
    })
    expect(await listed(run)).toEqual([
      'changed edit.txt',
      'deleted gone.txt',
      'changed link',
      'added made',
      'added made/new.txt',
      'mode mode.sh',
    ])
  })

  test('a file written with the same size and an old time is seen', async () => {
    kit = createUndoKit()
    write('a.txt', 'aaaa')
    const { mtime, atime } = statSync(at('a.txt'))
    const run = await kit.run(async () => {
      const { utimesSync } = await import('node:fs')
      writeFileSync(at('a.txt'), 'bbbb')
      utimesSync(at('a.txt'), atime, mtime)
    })
    expect(await listed(run)).toEqual(['changed a.txt'])
  })

  test('a file written again with the same contents is no change', async () => {
    kit = createUndoKit()
    write('a.txt', 'same')
    const run = await kit.run(() => write('a.txt', 'same'))
    expect(await kit.undo.view(run)).toEqual([])
  })

  test('files of git are counted, not listed, and not touched', async () => {
    kit = createUndoKit()
    write('.git/HEAD', 'one')
    write('a.txt', 'a')
    const run = await kit.run(() => {
      write('.git/HEAD', 'two')
      write('.git/objects/x', 'x')
      write('a.txt', 'b')
    })
    const set = await kit.set(run)
    expect(set.files.map(({ path }) => path)).toEqual(['a.txt'])
    expect(set.notes[0]).toContain("git's own files changed too (3)")
    await kit.undo.undo({ setId: set.id })
    expect(text('.git/HEAD')).toBe('two')
  })

  test('what another run did in the same folder at the same time is said', async () => {
    kit = createUndoKit()
    const run = await kit.run(() => {
      kit.row('other')
      write('a.txt', 'a')
    })
    expect((await kit.set(run)).notes[0]).toContain('Another run worked in this folder')
    kit.end('other')
  })

  test('a folder that can not be opened is not taken for deleted', async () => {
    kit = createUndoKit({ listing: { paths: 1000, depth: 2 } })
    write('a/b/c/deep.txt', 'd')
    const run = await kit.run(() => {
      rmSync(at('a/b/c/deep.txt'))
      write('x.txt', 'x')
    })
    expect(await listed(run)).toEqual(['added x.txt'])
    expect((await kit.set(run)).notes.join(' ')).toContain("1 folder can't be opened")
  })
})

describe('undo', () => {
  test('brings bytes, permissions, deletions and links back', async () => {
    kit = createUndoKit()
    write('a/edit.txt', 'old', 0o640)
    write('a/gone/deep.txt', 'g', 0o600)
    write('mode.sh', 'm', 0o755)
    symlinkSync('a/edit.txt', at('link'))
    symlinkSync('nowhere', at('dangling'))
    chmodSync(at('a/gone'), 0o711)
    const before = linesOf(kit.root, '')
    const run = await kit.run(() => {
      write('a/edit.txt', 'new', 0o777)
      rmSync(at('a/gone'), { recursive: true })
      chmodSync(at('mode.sh'), 0o600)
      rmSync(at('link'))
      write('link', 'no link any more')
      rmSync(at('dangling'))
      write('made/deep/new.txt', 'n')
    })
    const result = await kit.undo.undo({ setId: (await kit.set(run)).id })
    expect(result.left).toEqual([])
    expect(linesOf(kit.root, '')).toEqual(before)
    expect(kit.actions()).toContain('run.undone')
  })

  test('can itself be undone', async () => {
    kit = createUndoKit()
    write('a.txt', 'old')
    const run = await kit.run(() => {
      write('a.txt', 'new')
      write('b/c.txt', 'c')
    })
    const after = kit.digest()
    await kit.undo.undo({ setId: (await kit.set(run)).id })
    const undone = (await kit.undo.view(run)).at(-1)!
    expect(undone.kind).toBe('undo')
    await kit.undo.undo({ setId: undone.id })
    expect(kit.digest()).toBe(after)
  })

  test('a file that changed again is left, with what is there now to compare', async () => {
    kit = createUndoKit()
    write('a.txt', 'old')
    write('b.txt', 'old')
    const run = await kit.run(() => {
      write('a.txt', 'run')
      write('b.txt', 'run')
    })
    write('a.txt', 'mine')
    const set = await kit.set(run)
    expect(set.files.map(({ now }) => now)).toEqual(['other', 'left'])
    const result = await kit.undo.undo({ setId: set.id })
    expect(result).toMatchObject({ done: 1, left: [{ path: 'a.txt', why: 'It changed again since.' }] })
    expect([text('a.txt'), text('b.txt')]).toEqual(['mine', 'old'])
    expect(kit.undo.texts(set.id, 0)).toMatchObject({ before: 'old', after: 'run', now: 'mine' })
  })

  test('it is taken back only where the person saw what is there, and nothing newer', async () => {
    kit = createUndoKit()
    write('a.txt', 'old')
    const run = await kit.run(() => write('a.txt', 'run'))
    write('a.txt', 'mine')
    const set = await kit.set(run)
    const files = [{ n: 0, overwrite: set.files[0]!.nowId }]
    write('a.txt', 'newer')
    expect((await kit.undo.undo({ setId: set.id, files })).done).toBe(0)
    write('a.txt', 'mine')
    expect((await kit.undo.undo({ setId: set.id, files })).done).toBe(1)
    expect(text('a.txt')).toBe('old')
  })

  test('a part of the changes takes the folders that it needs with it', async () => {
    kit = createUndoKit()
    write('d/e/a.txt', 'a')
    write('d/e/b.txt', 'b')
    const run = await kit.run(() => rmSync(at('d'), { recursive: true }))
    const set = await kit.set(run)
    const n = set.files.find(({ path }) => path === 'd/e/a.txt')!.n
    await kit.undo.undo({ setId: set.id, files: [{ n }] })
    expect(text('d/e/a.txt')).toBe('a')
    expect(existsSync(at('d/e/b.txt'))).toBe(false)
  })

  test('an added folder that holds files of others stays, and so do they', async () => {
    kit = createUndoKit()
    const run = await kit.run(() => write('made/run.txt', 'r'))
    write('made/mine.txt', 'm')
    const result = await kit.undo.undo({ setId: (await kit.set(run)).id })
    expect(result.left).toEqual([
      { n: 0, path: 'made', why: 'The folder holds files that are not on this list.' },
    ])
    expect(text('made/mine.txt')).toBe('m')
    expect(existsSync(at('made/run.txt'))).toBe(false)
  })

  test('what has a secret in its name or target is not told as taken back, and is left with the reason', async () => {
    kit = createUndoKit({}, (said) => said.replaceAll('hunter2', '[redacted:PASS]'))
    write('old-hunter2.txt', 'o')
    const run = await kit.run(() => {
      write('new-hunter2.txt', 'n')
      rmSync(at('old-hunter2.txt'))
      symlinkSync('/hunter2', at('link'))
      write('plain.txt', 'p')
    })
    const set = await kit.set(run)
    expect(set.files.map(({ path, now }) => [path, now])).toEqual([
      ['link', 'hidden'],
      ['new-[redacted:PASS].txt', 'hidden'],
      ['old-[redacted:PASS].txt', 'hidden'],
      ['plain.txt', 'left'],
    ])
    expect(set.files[1]?.lost).toContain('held a secret, so it was not noted')
    const { done, left } = await kit.undo.undo({ setId: set.id })
    expect([done, left.length, existsSync(at('plain.txt'))]).toEqual([1, 3, false])
    expect(left.every(({ why }) => why.includes('can not find it again'))).toBe(true)
    expect([existsSync(at('new-hunter2.txt')), lstatSync(at('link')).isSymbolicLink()]).toEqual([true, true])
  })

  test('files with several names have them again', async () => {
    kit = createUndoKit()
    write('one.txt', 'old')
    linkSync(at('one.txt'), at('two.txt'))
    const run = await kit.run(() => writeFileSync(at('one.txt'), 'new'))
    await kit.undo.undo({ setId: (await kit.set(run)).id })
    expect([text('one.txt'), text('two.txt')]).toEqual(['old', 'old'])
    expect(statSync(at('one.txt')).ino).toBe(statSync(at('two.txt')).ino)
  })

  test('names that differ in case only, and names that are no text, come back', async () => {
    kit = createUndoKit()
    const odd = Buffer.concat([Buffer.from(`${kit.root}/`), Buffer.from([0x66, 0xff, 0xfe])])
    write('Read.me', 'big')
    write('read.me', 'small')
    writeFileSync(odd, 'odd')
    const before = kit.digest()
    const run = await kit.run(() => {
      rmSync(at('Read.me'))
      write('read.me', 'changed')
      writeFileSync(odd, 'changed')
    })
    await kit.undo.undo({ setId: (await kit.set(run)).id })
    expect(kit.digest()).toBe(before)
  })

  test('a FIFO is never opened: one that was made is left, one that went is said to be lost', async () => {
    kit = createUndoKit()
    execFileSync('mkfifo', [at('pipe')])
    const run = await kit.run(() => {
      rmSync(at('pipe'))
      execFileSync('mkfifo', [at('other')])
    })
    const result = await kit.undo.undo({ setId: (await kit.set(run)).id })
    expect(result.done).toBe(0)
    expect(result.left.map(({ why }) => why)).toEqual([
      'A special file can not be made again, so it is left.',
      'It was a special file, which can not be made again.',
    ])
  })

  test('a folder that was swapped for a link leads nowhere', async () => {
    kit = createUndoKit()
    write('d/a.txt', 'old')
    mkdirSync(join(kit.root, '..', 'outside'))
    writeFileSync(join(kit.root, '..', 'outside', 'a.txt'), 'run')
    const run = await kit.run(() => write('d/a.txt', 'run'))
    renameSync(at('d'), at('moved'))
    symlinkSync('../outside', at('d'))
    const result = await kit.undo.undo({ setId: (await kit.set(run)).id })
    expect(result.done).toBe(0)
    expect(readFileSync(join(kit.root, '..', 'outside', 'a.txt'), 'utf8')).toBe('run')
    expect(readlinkSync(at('d'))).toBe('../outside')
  })

  test('nothing is undone while a script runs in the folder', async () => {
    kit = createUndoKit()
    const run = await kit.run(() => write('a.txt', 'a'))
    const { id } = await kit.set(run)
    kit.row('other')
    expect(await codeOf(() => kit.undo.undo({ setId: id }))).toBe('busy')
    kit.end('other')
    expect(await codeOf(() => kit.undo.undo({ setId: id }))).toBe('none')
  })
})

describe('what is not covered', () => {
  const keep = { fileBytes: 10, bytes: 25, files: 3 }

  test('is said before the run, by size, limit and ignored folder', async () => {
    kit = createUndoKit({ keep })
    write('large.bin', 'x'.repeat(11))
    for (const name of ['a', 'b', 'c', 'd']) write(name, '123')
    write('node_modules/x/i.js', 'i')
    kit.undo.prepare({ id: 'req-1', plan: kit.plan })
    expect(kit.undo.forecast(kit.plan)).toMatchObject({ kept: null })
    await kit.run(() => undefined)
    expect(kit.undo.forecast(kit.plan)).toMatchObject({
      kept: 3,
      notes: [
        '1 file too large to undo (over 10 MB).',
        expect.stringContaining('1 file over the limit'),
        expect.stringContaining('1 file in ignored folders'),
        expect.stringContaining('left this computer'),
      ],
    })
  })

  test('is listed when it changed, and left by an undo with the reason', async () => {
    kit = createUndoKit({ keep })
    write('large.bin', 'x'.repeat(11))
    write('small.txt', 's')
    const run = await kit.run(() => {
      write('large.bin', 'y'.repeat(11))
      write('small.txt', 't')
    })
    const set = await kit.set(run)
    expect(set.files.map(({ path, lost }) => [path, lost])).toEqual([
      ['large.bin', 'It was too large to keep a copy.'],
      ['small.txt', null],
    ])
    expect((await kit.undo.undo({ setId: set.id })).left[0]?.why).toBe('It was too large to keep a copy.')
    expect(text('small.txt')).toBe('s')
  })

  test('a run that can write nothing has nothing to undo', async () => {
    kit = createUndoKit()
    const plan = { ...kit.plan, sandbox: { ...kit.plan.sandbox, writable: [] } }
    expect(kit.undo.forecast(plan)).toBeNull()
  })
})

test('contents that are too old are given up, and that is said', async () => {
  kit = createUndoKit({ ageMs: -1 })
  write('a.txt', 'old')
  const run = await kit.run(() => write('a.txt', 'new'))
  await kit.undo.recover()
  const set = await kit.set(run)
  expect(set.notes[0]).toContain('not kept any more')
  expect((await kit.undo.undo({ setId: set.id })).done).toBe(0)
  expect(lstatSync(at('a.txt')).isFile()).toBe(true)
})
