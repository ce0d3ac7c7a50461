import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createTestApp } from '../../helpers/app'
import type { TestApp } from '../../helpers/app'

let open: TestApp | null = null
afterEach(async () => {
  await open?.remove()
  open = null
})

const STAGED = '---\nname: stage\ndescription: A sample.\nscope:\n  environments: [staging]\n---\nDo it.\n'

test('another environment in the settings of a trusted project counts while the app runs', async () => {
  open = await createTestApp()
  const { handlers } = open.app
  const dir = open.project('work', {
    '.satchel/settings.json': '{"environment": "staging"}',
    '.satchel/skills/stage/SKILL.md': STAGED,
  })
  await handlers['projects.open']({ dir })
  await handlers['projects.trust']({ dir, trusted: true })
  const key = `project:${dir}/.satchel/skills/stage`
  const status = async () => (await handlers['skills.get']({ projectDir: dir, key })).status
  await vi.waitFor(async () => expect(await status()).toBe('effective'), 20_000)
  let n = 0
  await vi.waitFor(
    async () => {
      // A later write is seen too, whenever the first look was.
      writeFileSync(join(dir, '.satchel', 'settings.json'), `{"environment": "prod"}${' '.repeat((n += 1))}`)
      expect(await status()).toBe('unavailable')
    },
    { timeout: 20_000, interval: 600 },
  )
})
