import { expect, test } from '../helpers/electron'
import { composer } from '../helpers/chat'

test('a change of one setting leaves the others as they are', async ({ launch }) => {
  const { page } = await launch()
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Appearance', exact: true }).click()
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await theme.selectOption('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Skills', exact: true }).last().click()
  const count = page.getByRole('spinbutton', { name: 'Active skills in a chat' })
  await count.fill('11')
  await count.press('Tab')
  await expect(page.getByRole('alert')).toHaveText('At most 10 skills.')
  await count.fill('3')
  await count.press('Tab')
  await page.getByRole('button', { name: 'Reset Active skills in a chat' }).click()
  await expect(count).toHaveValue('5')
  await page.getByRole('button', { name: 'Appearance', exact: true }).click()
  await expect(theme).toHaveValue('dark')
})
