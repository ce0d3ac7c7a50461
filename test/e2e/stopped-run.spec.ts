import type { Page } from '@playwright/test'
import { expect, tempDir, test } from '../helpers/electron'
import { allowInReview, composer, dock, sendMessage, step, transcript, writeSkill } from '../helpers/chat'

const KETTLE = {
  'SKILL.md':
    '---\nname: kettle\ndescription: Boils water in a kettle, slowly.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': '#!/usr/bin/env bash\necho boiling\nwhile :; do sleep 1; done\n',
}

/** First messages, each stopped in its way. */
const ways: [message: string, stop: (page: Page) => Promise<void>][] = [
  ['Boil the kettle till a key stops it', (page) => page.keyboard.press('ControlOrMeta+.')],
  [
    'Boil the kettle till Stop in the composer',
    (page) => page.getByRole('button', { name: /^Stop(?! script)/ }).click(),
  ],
  [
    'Boil the kettle till its own button stops it',
    (page) => page.getByRole('button', { name: 'Stop script' }).click(),
  ],
]

test('a stopped script is told as stopped and keeps its output, after a restart too', async ({ launch }) => {
  const home = tempDir()
  writeSkill(home, 'kettle', KETTLE)
  const first = await launch({ home })
  for (const [message, stop] of ways) {
    await test.step(message, async () => {
      await first.page.keyboard.press('ControlOrMeta+N')
      await expect(transcript(first.page).locator('[data-kind]')).toHaveCount(0)
      await sendMessage(first.page, message)
      await expect(dock(first.page)).toBeVisible()
      await allowInReview(first.page)
      await expect(step(first.page, 'run-started')).toContainText('boiling')
      await stop(first.page)
      await expectStopped(first.page)
    })
  }
  await first.close()

  const { page } = await launch({ home })
  for (const [message] of ways) {
    await page.getByRole('button', { name: new RegExp(`^${message}`) }).click()
    await expect(transcript(page)).toContainText(message)
    await expectStopped(page)
  }
  await expect(composer(page)).toBeEnabled()
})

async function expectStopped(page: Page): Promise<void> {
  const run = step(page, 'run-done')
  await expect(run).toHaveAttribute('data-state', 'killed')
  await expect(run).toHaveAttribute('aria-label', /Stopped scripts\/boil\.sh, after [\d.]+ (?:ms|s)/)
  await expect(run.locator('.term')).toContainText('boiling')
  await expect(transcript(page)).not.toContainText('Did not run')
}
