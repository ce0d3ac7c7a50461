import type { Page } from '@playwright/test'
import { expect, tempDir, test } from '../helpers/electron'
import { walkManagerStory, wearTheme, writeManagerStory } from '../helpers/manager-story'
import { styleFaults } from '../helpers/style-faults'
import { violations } from '../helpers/wcag'

test('library, editor and palette are drawn with tokens alone, and no text is cut or overlaps', async ({
  launch,
}) => {
  const home = tempDir()
  const project = writeManagerStory(home)
  const session = await launch({ home })
  const { page } = session
  const faults: string[] = []
  await walkManagerStory(session, project, async (screen) => {
    for (const theme of ['light', 'hc-dark']) {
      await wearTheme(page, theme)
      faults.push(...(await styleFaults(page)).map((fault) => `${screen}, ${theme}: ${fault}`))
    }
  })
  expect(faults).toEqual([])

  // The check itself can fail.
  await page.getByRole('button', { name: 'Queue' }).evaluate((button) => {
    button.setAttribute('style', 'color: #123456; border-radius: 16px; width: 20px; overflow: hidden')
  })
  const planted = (await styleFaults(page)).join('\n')
  for (const fault of ['color rgb(18, 52, 86)', 'radius 16px', '"Queue" is cut'])
    expect(planted).toContain(fault)
})

/** Parts of the page of a skill, by the names of their tabs. */
const PARTS = [
  'Overview',
  'Files',
  'Scripts',
  'Problems',
  'Source and versions',
  'Usage',
  'What the agent sees',
  'Where it works',
]

test('every part of the page, every dialog of arranging and the trash obey tokens and WCAG 2.2 AA, by keys', async ({
  launch,
}) => {
  test.slow()
  const home = tempDir()
  writeManagerStory(home)
  const { page } = await launch({ home })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  const row = page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="sql-explain"]')
  await row.focus()
  for (const name of ['Duplicate…', 'Rename…', 'Move to…', 'Copy to…']) {
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name }).press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await wrong(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(row).toBeFocused()
  }
  await row.press('Enter')
  for (const name of PARTS) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) })
    await tab.press('Enter')
    await expect(page.getByRole('tabpanel')).toBeVisible()
    expect(await wrong(page), name).toEqual([])
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Trash' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Trash' })).toBeFocused()
  expect(await wrong(page), 'trash').toEqual([])
})

async function wrong(page: Page): Promise<string[]> {
  return [...(await styleFaults(page)), ...(await violations(page))]
}
