import { expect, tempDir, test } from '../helpers/electron'
import { walkManagerStory, wearTheme, writeManagerStory } from '../helpers/manager-story'
import { styleFaults } from '../helpers/style-faults'

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

test('at 480 pixels, and with text twice as large, no text of list, page and editor is lost', async ({
  launch,
}) => {
  const home = tempDir()
  writeManagerStory(home)
  const { app, page } = await launch({ home })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const faults: string[] = []
  const look = async (place: string): Promise<void> => {
    const lost = (await styleFaults(page)).filter((fault) => / is cut$| overlaps /.test(fault))
    faults.push(...lost.map((fault) => `${place}: ${fault}`))
    const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    if (sideways !== 0) faults.push(`${place}: the window scrolls sideways`)
  }
  await page.keyboard.press('ControlOrMeta+2')
  const row = page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="sql-explain"]')
  for (const [width, zoom] of [
    [480, 1],
    [1200, 2],
  ] as const) {
    await app.evaluate(
      ({ BrowserWindow }, [wide, factor]) => {
        const window = BrowserWindow.getAllWindows()[0]!
        window.setMinimumSize(320, 300)
        window.setContentSize(wide, 800)
        window.webContents.setZoomFactor(factor)
      },
      [width, zoom] as const,
    )
    await expect.poll(() => page.evaluate('innerWidth')).toBe(width / zoom)
    await expect(row).toBeVisible()
    await look(`list, ${width}`)
    await row.click()
    await expect(page.getByRole('heading', { name: 'sql-explain', level: 1 })).toBeFocused()
    await look(`page, ${width}`)
    await page.getByRole('tab', { name: 'Edit' }).press('Enter')
    await expect(page.getByRole('textbox', { name: 'SKILL.md', exact: true })).toContainText('Short.')
    await look(`editor, ${width}`)
    await page.getByRole('tab', { name: 'Overview' }).press('Enter')
    await page.keyboard.press('Escape')
  }
  expect(faults).toEqual([])
})
