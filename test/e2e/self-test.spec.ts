import { expect, test } from '../helpers/electron'
import { composer } from '../helpers/chat'
import { violations } from '../helpers/wcag'

test('the page of the self-test lists every attack by group, and by keyboard only what is not held', async ({
  launch,
}) => {
  const { page } = await launch()
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Security self-test', exact: true }).press('Enter')
  const commands = page.getByRole('table', { name: 'Commands', exact: true })
  await expect(commands.getByRole('rowheader')).toHaveCount(25)
  await expect(page.getByRole('rowheader')).toHaveCount(128)
  await page.getByRole('button', { name: 'Test it' }).press('Enter')
  expect(await violations(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'What is not held' })
  const exported = page.getByRole('row', { name: /^A94 / })
  await expect(exported).toContainText('Chats can’t be exported')
  await expect(exported.getByRole('cell').last()).toHaveText('Not covered')
})
