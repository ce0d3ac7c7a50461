import { expect, tempDir, test } from '../helpers/electron'
import { walkManagerStory, walkSkillParts, wearTheme, writeManagerStory } from '../helpers/manager-story'
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

test('every part of the page, every dialog of arranging and the trash obey tokens and WCAG 2.2 AA, by keys', async ({
  launch,
}) => {
  const home = tempDir()
  writeManagerStory(home)
  const { page } = await launch({ home })
  await walkSkillParts(page, async (part) => {
    expect([...(await styleFaults(page)), ...(await violations(page, ['light']))], part).toEqual([])
  })
})
