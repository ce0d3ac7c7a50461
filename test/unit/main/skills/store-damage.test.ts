import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AppError } from '@shared/errors'
import { recordFor, sampleStore, write } from './support'

const code = (expected: string) => expect.objectContaining({ code: expected }) as AppError

describe('damage to a kept snapshot', () => {
  const damages: [string, (dir: string) => void][] = [
    ['a changed byte', (dir) => rewrite(join(dir, 'scripts/run.py'), 'print(2)\n')],
    [
      'a missing file',
      (dir) => {
        chmodSync(join(dir, 'scripts'), 0o755)
        rmSync(join(dir, 'scripts/run.py'))
      },
    ],
    [
      'a file too many',
      (dir) => {
        chmodSync(join(dir, 'scripts'), 0o755)
        write(join(dir, 'scripts/json.py'), 'evil')
      },
    ],
    [
      'a file that became a link',
      (dir) => {
        chmodSync(join(dir, 'scripts'), 0o755)
        rmSync(join(dir, 'scripts/run.py'))
        symlinkSync('../SKILL.md', join(dir, 'scripts/run.py'))
      },
    ],
    [
      'a changed list of files',
      (dir) =>
        rewrite(
          `${dir}.json`,
          readFileSync(`${dir}.json`, 'utf8').replace('"executable":true', '"executable":false'),
        ),
    ],
    ['a list of files that is no JSON', (dir) => rewrite(`${dir}.json`, '{')],
    ['a missing list of files', (dir) => rmSync(`${dir}.json`)],
    ['a missing folder', (dir) => rmSync(dir, { recursive: true })],
  ]
  it.each(damages)('by %s is noticed, and repaired by the next snapshot', async (_what, damage) => {
    const { dir, store } = sampleStore()
    const { digest } = await store.snapshot(recordFor(dir))
    damage(store.dir(digest))
    expect(await store.verify(digest)).toBe(false)
    const again = await store.snapshot(recordFor(dir))
    expect(again.digest).toBe(digest)
    expect(await store.verify(digest)).toBe(true)
    expect((await store.read(digest, 'scripts/run.py')).toString()).toBe('print(1)\n')
  })

  it('is never read: a changed file, a link in its place', async () => {
    const { dir, store } = sampleStore()
    const { digest } = await store.snapshot(recordFor(dir))
    rewrite(join(store.dir(digest), 'scripts/run.py'), 'print(2)\n')
    await expect(store.read(digest, 'scripts/run.py')).rejects.toThrowError(code('stale'))
    expect((await store.read(digest, 'SKILL.md')).toString()).toContain('# sample')
    chmodSync(store.dir(digest), 0o755)
    rmSync(join(store.dir(digest), 'SKILL.md'))
    symlinkSync(join(dir, 'SKILL.md'), join(store.dir(digest), 'SKILL.md'))
    await expect(store.read(digest, 'SKILL.md')).rejects.toThrowError(code('stale'))
  })

  it.each(['../../../etc/passwd', '/etc/passwd', 'a/../SKILL.md', '%2e%2e/x', 'SKILL.md\0'])(
    'read of %j is refused',
    async (path) => {
      const { dir, store } = sampleStore()
      const { digest } = await store.snapshot(recordFor(dir))
      await expect(store.read(digest, path)).rejects.toThrowError(code('path_escape'))
    },
  )

  it('read of what is not there, and of what is no digest, is refused', async () => {
    const { dir, store } = sampleStore()
    const { digest } = await store.snapshot(recordFor(dir))
    await expect(store.read(digest, 'none.md')).rejects.toThrowError(code('not_found'))
    await expect(store.read('0'.repeat(64), 'SKILL.md')).rejects.toThrowError(code('not_found'))
    await expect(store.read('../../x', 'SKILL.md')).rejects.toThrowError(code('bad_input'))
    expect(await store.verify('../../x')).toBe(false)
  })
})

function rewrite(path: string, text: string): void {
  const { mode } = statSync(path)
  chmodSync(path, 0o644)
  writeFileSync(path, text)
  chmodSync(path, mode)
}
