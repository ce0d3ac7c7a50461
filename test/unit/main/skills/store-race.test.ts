import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AppError } from '@shared/errors'
import { copyTree, hashTree, Moved } from '../../../../src/main/skills/store/snapshot-copy'
import { listTree } from '../../../../src/main/skills/store/tree'
import { recordFor, sampleStore, tempDir, write } from './support'

const rules = { maxFiles: 100, allowHardLinks: false }

describe('a file that is swapped while it is copied', () => {
  it('for a link to a secret is noticed, whether the file or its folder was swapped', async () => {
    const { dir } = sampleStore()
    const secrets = tempDir()
    write(join(secrets, 'run.py'), 'SECRET')
    const list = listTree(dir, rules)
    renameSync(join(dir, 'scripts'), join(dir, 'was'))
    symlinkSync(secrets, join(dir, 'scripts'))
    await expect(copyTree(list.files, tempDir())).rejects.toBeInstanceOf(Moved)
    rmSync(join(dir, 'scripts'))
    mkdirSync(join(dir, 'scripts'))
    symlinkSync(join(secrets, 'run.py'), join(dir, 'scripts/run.py'))
    await expect(hashTree(list.files)).rejects.toBeInstanceOf(Moved)
  })

  it('for other bytes gives the hash of the bytes that were copied', async () => {
    const { dir } = sampleStore()
    const list = listTree(dir, rules)
    write(join(dir, 'scripts/run.py'), 'longer than it was when it was listed\n', 0o755)
    const into = tempDir()
    const files = await copyTree(list.files, into)
    expect(files).toEqual(
      await hashTree(
        listTree(into, rules).files.map((file) => ({
          ...file,
          executable: list.files.find(({ path }) => path === file.path)!.executable,
        })),
      ),
    )
    expect(readFileSync(join(into, 'scripts/run.py'), 'utf8')).toContain('longer')
  })

  it('again and again never gets a secret into the snapshot, and never a digest that does not fit', async () => {
    const { dir, store } = sampleStore()
    const secrets = tempDir()
    write(join(secrets, 'run.py'), 'SECRET\n')
    let swaps = 0
    const swapping = { on: true }
    const swapper = (async () => {
      while (swapping.on) {
        renameSync(join(dir, 'scripts'), join(dir, '.git'))
        symlinkSync(secrets, join(dir, 'scripts'))
        await Promise.resolve().then(() => new Promise((resolve) => setImmediate(resolve)))
        rmSync(join(dir, 'scripts'))
        renameSync(join(dir, '.git'), join(dir, 'scripts'))
        swaps += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    for (let round = 0; round < 30; round++) {
      const taken = await store.snapshot(recordFor(dir)).catch((error: unknown) => error as AppError)
      if ('digest' in taken) {
        expect(await store.verify(taken.digest)).toBe(true)
        for (const { path } of taken.files)
          expect((await store.read(taken.digest, path)).toString()).not.toContain('SECRET')
      } else expect(taken.code).toBe('busy')
    }
    swapping.on = false
    await swapper
    expect(swaps).toBeGreaterThan(0)
  })
})
