import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AppError } from '@shared/errors'
import { makeFifo, makeSkill, recordFor, sampleStore, write } from '../support'

const code = (expected: string) => expect.objectContaining({ code: expected }) as AppError

describe('a snapshot', () => {
  it('holds every file read-only, scripts executable, under the digest of what is on disk', async () => {
    const { dataDir, dir, store } = sampleStore()
    const snapshot = await store.snapshot(recordFor(dir))
    expect(snapshot.blocked).toBeNull()
    expect(snapshot.digest).toBe(await store.digestOf(recordFor(dir)))
    expect(snapshot.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['references/guide.md', false],
      ['scripts/run.py', true],
    ])
    const at = (path: string) => join(store.dir(snapshot.digest), path)
    expect(store.dir(snapshot.digest)).toBe(join(dataDir, 'snapshots', snapshot.digest))
    const mode = (path: string) => (statSync(at(path)).mode & 0o777).toString(8)
    expect(['SKILL.md', 'scripts/run.py', 'references', ''].map(mode)).toEqual(['444', '555', '555', '555'])
    expect(await store.verify(snapshot.digest)).toBe(true)
    expect(readdirSync(join(dataDir, 'snapshots')).sort()).toEqual(
      [snapshot.digest, `${snapshot.digest}.json`].sort(),
    )
  })

  it('makes a script executable that has no executable bit, which stays unset in the digest', async () => {
    const { dir, store } = sampleStore()
    write(join(dir, 'plain.sh'), 'echo')
    const snapshot = await store.snapshot(recordFor(dir))
    expect(snapshot.files.find(({ path }) => path === 'plain.sh')?.executable).toBe(false)
    expect(statSync(join(store.dir(snapshot.digest), 'plain.sh')).mode & 0o777).toBe(0o555)
  })

  it('gives back the bytes it was made of after the original changed', async () => {
    const { dir, store } = sampleStore()
    const { digest } = await store.snapshot(recordFor(dir))
    writeFileSync(join(dir, 'scripts/run.py'), 'evil()\n')
    expect((await store.read(digest, './scripts//run.py')).toString()).toBe('print(1)\n')
    const second = await store.snapshot(recordFor(dir))
    expect(second.digest).not.toBe(digest)
    expect((await store.read(second.digest, 'scripts/run.py')).toString()).toBe('evil()\n')
    expect((await store.manifest(digest)).files).toHaveLength(3)
  })

  it('that is there already is used as it is: nothing is written', async () => {
    const { dataDir, dir, store } = sampleStore()
    const { digest } = await store.snapshot(recordFor(dir))
    const long = new Date('2020-01-01')
    utimesSync(join(dataDir, 'snapshots'), long, long)
    const again = await store.snapshot(recordFor(dir))
    expect(again.digest).toBe(digest)
    expect(again.files).toEqual((await store.manifest(digest)).files)
    expect(statSync(join(dataDir, 'snapshots')).mtime).toEqual(long)
  })

  it('takes files of any size, to the byte', async () => {
    const { dir, store } = sampleStore()
    const sizes = [0, 1, 262_143, 262_144, 262_145, 600_000]
    for (const size of sizes) write(join(dir, `data/${size}.bin`), Buffer.alloc(size, size % 251))
    const { digest, files } = await store.snapshot(recordFor(dir))
    expect(files.filter(({ path }) => path.startsWith('data/')).map(({ size }) => size)).toEqual(sizes)
    for (const size of sizes) {
      expect(await store.read(digest, `data/${size}.bin`)).toEqual(Buffer.alloc(size, size % 251))
    }
  })

  it('takes links that stay inside as their content, files and folders', async () => {
    const { dir, store } = sampleStore()
    symlinkSync('scripts/run.py', join(dir, 'go.py'))
    symlinkSync('references', join(dir, 'docs'))
    const { digest, blocked, files } = await store.snapshot(recordFor(dir))
    expect(blocked).toBeNull()
    expect(files.map(({ path }) => path)).toEqual([
      'SKILL.md',
      'docs/guide.md',
      'go.py',
      'references/guide.md',
      'scripts/run.py',
    ])
    expect((await store.read(digest, 'docs/guide.md')).toString()).toBe('Guide\n')
    rmSync(join(dir, 'go.py'))
    write(join(dir, 'go.py'), 'print(1)\n', 0o755)
    rmSync(join(dir, 'docs'))
    write(join(dir, 'docs/guide.md'), 'Guide\n')
    expect(await store.digestOf(recordFor(dir))).toBe(digest)
  })

  const blocks: [string, (dir: string) => void, string][] = [
    [
      'a link out of the skill',
      (dir) => symlinkSync('/etc/hostname', join(dir, 'x')),
      '"x" is a link that leaves the skill',
    ],
    [
      'a folder link out of the skill',
      (dir) => symlinkSync('/etc', join(dir, 'x')),
      '"x" is a link that leaves the skill',
    ],
    [
      'a link that leads nowhere',
      (dir) => symlinkSync('gone', join(dir, 'x')),
      '"x" is a link that leads nowhere',
    ],
    [
      'a link to the skill itself',
      (dir) => symlinkSync('.', join(dir, 'x')),
      '"x" is a link that leads back to a folder it lies in',
    ],
    ['a FIFO', (dir) => makeFifo(join(dir, 'x')), '"x" is a special file, not a file or folder'],
    [
      'a link to a FIFO',
      (dir) => {
        makeFifo(join(dir, 'y'))
        symlinkSync('y', join(dir, 'a'))
      },
      '"a" is a link to a special file',
    ],
    [
      'a hard link to a file outside',
      (dir) => linkSync(write(join(dir, '..', 'secret'), 's'), join(dir, 'x')),
      '"x" is a hard link to a file outside the skill',
    ],
  ]
  it.each(blocks)(
    'with %s is made without following it, and says that no script may run',
    async (_what, add, reason) => {
      const { dir, store } = sampleStore()
      add(dir)
      const { blocked, digest, files } = await store.snapshot(recordFor(dir))
      expect(blocked).toBe(reason)
      expect(files.map(({ path }) => path)).toContain('SKILL.md')
      expect(await store.verify(digest)).toBe(true)
      if (!reason.includes('hard')) expect(existsSync(join(store.dir(digest), 'x'))).toBe(false)
    },
  )

  it('takes two names of one file inside the skill as two files', async () => {
    const { dir, store } = sampleStore()
    linkSync(join(dir, 'SKILL.md'), join(dir, 'copy.md'))
    expect((await store.snapshot(recordFor(dir))).blocked).toBeNull()
  })

  it('of too large, missing and unread skills is refused with what to do', async () => {
    const { dir, store, dataDir } = sampleStore()
    const big = makeSkill(join(dataDir, 'big'), 'big')
    truncateSync(write(join(big, 'zeros'), ''), 101 * 1024 * 1024)
    await expect(store.snapshot(recordFor(big, { name: 'big' }))).rejects.toThrowError(code('too_large'))
    await expect(store.digestOf(recordFor(big))).rejects.toThrowError(
      'The skill "sample" has more than 10000 files or 100 MB.',
    )
    await expect(store.snapshot(recordFor(join(dir, 'gone')))).rejects.toThrowError(code('not_found'))
    await expect(store.snapshot(recordFor(dir, { unread: true }))).rejects.toThrowError(code('path_escape'))
    expect(readdirSync(join(dataDir, 'snapshots'))).toEqual([])
  })

  it('with more than 10,000 files is refused', async () => {
    const { dir, store } = sampleStore()
    mkdirSync(join(dir, 'many'))
    for (let at = 0; at < 10_000; at++) writeFileSync(join(dir, 'many', String(at)), '')
    await expect(store.snapshot(recordFor(dir))).rejects.toThrowError(code('too_large'))
  })

  it('can be taken many times at once', async () => {
    const { dir, store } = sampleStore()
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.snapshot(recordFor(dir))))
    expect(new Set(taken.map(({ digest }) => digest)).size).toBe(1)
    expect(await store.verify(taken[0]!.digest)).toBe(true)
  })
})
