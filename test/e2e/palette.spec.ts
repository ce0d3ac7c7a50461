import type { Locator, Page } from '@playwright/test'
import { composer, writeSkill } from '../helpers/chat'
import { expect, tempDir, test } from '../helpers/electron'
import { violations } from '../helpers/wcag'

const palette = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Search chats, skills, commands', exact: true })
const box = (page: Page): Locator => palette(page).getByRole('combobox')
const current = (page: Page): Locator => palette(page).getByRole('option', { selected: true })

test('the palette finds skills, commands and settings by keys alone, and gives the focus back', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'gardener', {
    'SKILL.md': '---\nname: gardener\ndescription: Waters the cactus. Use it for plants.\n---\nDo it.\n',
  })
  const { page } = await launch({ home })
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(box(page)).toBeFocused()
  await expect(palette(page).getByRole('option', { name: 'New chat Command' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()

  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('>dark')
  await expect(current(page)).toContainText('Appearance: Dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(composer(page)).toBeFocused()

  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('@grdn')
  await expect(current(page)).toContainText('gardener')
  await page.keyboard.press('ArrowRight')
  await expect(palette(page).getByRole('option', { name: 'Show in folder' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(current(page)).toContainText('gardener')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'gardener', level: 1 })).toBeVisible()

  await page.keyboard.press('ControlOrMeta+/')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByRole('searchbox').fill('sidebar')
  await expect(sheet.getByText('Show or hide the sidebar')).toBeVisible()
  await expect(sheet.getByText('New chat')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
})
