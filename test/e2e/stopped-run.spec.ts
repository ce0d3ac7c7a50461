import type { Page } from '@playwright/test'
import { expect, tempDir, test } from '../helpers/electron'
import { allowInReview, composer, dock, sendMessage, step, transcript, writeSkill } from '../helpers/chat'

const KETTLE = {
  'SKILL.md':
    '---\nname: kettle\ndescription: Boils water in a kettle, slowly.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': '#!/usr/bin/env bash\necho boiling\nwhile :; do sleep 1; done\n',
}

const ways: [name: string, stop: (page: Page) => Promise<void>][] = [
  ['the key', (page) => page.keyboard.press('ControlOrMeta+.')],
  ['Stop in the composer', (page) => page.getByRole('button', { name: /^Stop(?! script)/ }).click()],
  ['"Stop script"', (page) => page.getByRole('button', { name: 'Stop script' }).click()],
]
for (const [name, stop] of ways) {
  test(`a script stopped by ${name} is told as stopped and keeps its output, after a restart too`, async ({
    launch,
  }) => {
    const home = tempDir()
    writeSkill(home, 'kettle', KETTLE)
    const first = await launch({ home })
    await sendMessage(first.page, 'Boil the kettle')
    await expect(dock(first.page)).toBeVisible()
    await allowInReview(first.page)
    await expect(step(first.page, 'run-started')).toContainText('boiling')
    await stop(first.page)
    await expectStopped(first.page)
    await first.close()

    const second = await launch({ home })
    await expectStopped(second.page)
    await expect(composer(second.page)).toBeEnabled()
  })
}

async function expectStopped(page: Page): Promise<void> {
  const run = step(page, 'run-done')
  await expect(run).toHaveAttribute('data-state', 'killed')
  await expect(run).toHaveAttribute('aria-label', /Stopped scripts\/boil\.sh, after [\d.]+ (?:ms|s)/)
  await expect(run.locator('.term')).toContainText('boiling')
  await expect(transcript(page)).not.toContainText('Did not run')
}
