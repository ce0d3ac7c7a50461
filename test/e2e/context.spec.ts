import { expect, test } from '../helpers/electron'
import { dock, sendMessage, step } from '../helpers/chat'

test('what the model saw is shown beside the chat: of a step, of the next call, and what the catalogue holds', async ({
  launch,
}) => {
  const { page } = await launch()
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  const details = page.getByRole('complementary', { name: 'Details' })
  await step(page, 'file-read').getByRole('button', { expanded: false }).first().click()
  await step(page, 'file-read').getByRole('button', { name: 'What the model saw' }).click()
  await expect(details.getByRole('heading', { name: 'What the model saw' })).toBeFocused()
  await expect(details.getByLabel('Call')).toHaveValue('2')
  await details.getByText('Active skills', { exact: true }).click()
  await expect(details.getByLabel('Active skills, exact text')).toContainText('<active_skills>')
  await page.getByRole('button', { name: /^Catalogue:/ }).click()
  await expect(details.getByLabel('Call')).toHaveValue('next')
  await expect(details.getByRole('heading', { name: 'In the catalogue', exact: true })).toBeVisible()
  await details.getByRole('button', { name: 'Back to details' }).click()
  await expect(details.getByRole('heading', { name: 'Context' })).toBeVisible()
})

test('older messages are summarised on request; a rule says so and shows the original again', async ({
  launch,
}) => {
  const { page } = await launch()
  const long = 'Xyzzy plugh frobozz. '.repeat(80)
  for (const text of ['Aaa', 'Bbb', 'Ccc', 'Ddd']) {
    await sendMessage(page, `${text}: ${long}`)
    await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  }
  const transcript = page.getByRole('log', { name: 'Transcript' })
  await page.getByRole('button', { name: 'Compact now' }).click()
  const rule = transcript.getByRole('article', { name: /Earlier messages were summarised/ })
  await rule.getByRole('button').first().click()
  await expect(transcript.locator('[data-role=user]', { hasText: 'Aaa: Xyzzy' })).toHaveCount(0)
  await rule.getByRole('button', { name: 'Show original' }).click()
  await expect(rule.getByRole('button', { name: 'Hide original' })).toBeVisible()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('/comp')
  await expect(page.getByRole('option', { name: /^compact Summarises/ })).toBeVisible()
  await box.press('Tab')
  await box.press('Enter')
  await expect(page.getByText('There is nothing to summarise yet')).toBeVisible()
  await expect(box).toHaveValue('')
})
