import { allowInReview, composer, dock, sendMessage, step } from '../helpers/chat'
import { expect, test } from '../helpers/electron'
import { violations } from '../helpers/wcag'

test('what a chat did is in Audit, whole and verified, and leads back to its step', async ({ launch }) => {
  const session = await launch()
  const { page } = session
  await expect(composer(page)).toBeVisible()
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  await allowInReview(page)
  await expect(step(page, 'run-done')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+6')
  const log = page.getByRole('grid', { name: 'Audit log' })
  const ran = log.getByRole('row').filter({ hasText: 'Script ran' })
  await expect(ran).toContainText('Exit 0')
  await expect(page.getByRole('button', { name: /^Log verified, \d+ entries, no gaps$/ })).toBeVisible()
  await session.shot('audit-list')
  // By keyboard alone: to the entry, and to its step in the chat.
  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('run.finished')
  await expect(log.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const entry = page.getByRole('complementary', { name: 'Entry' })
  await expect(entry.getByRole('heading', { name: 'Script ran' })).toBeVisible()
  await expect(entry).toContainText('hello-files')
  await session.shot('audit-entry')
  expect(await violations(page), 'audit').toEqual([])
  await entry.getByRole('button', { name: 'Show in chat' }).click()
  await expect(
    step(page, 'run-done')
      .locator(':focus')
      .or(step(page, 'run-done').and(page.locator(':focus'))),
  ).toHaveCount(1)
})
