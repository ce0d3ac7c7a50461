import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createUndoKit } from './kit'

test('the agent is told of files; a new folder is told by those in it', async () => {
  const kit = createUndoKit()
  await kit.run(() => {
    mkdirSync(join(kit.root, 'out'))
    writeFileSync(join(kit.root, 'out', 'a.txt'), 'a')
  })
  expect(kit.told).toEqual({ files: [{ path: 'out/a.txt', kind: 'added' }], total: 1 })
  kit.remove()
})
