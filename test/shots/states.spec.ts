import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { composer } from '../helpers/chat'
import { expect, tempDir, test, type Session } from '../helpers/electron'
import { wearTheme, writeManagerStory } from '../helpers/manager-story'
import { styleFaults, THEME_NAMES } from '../helpers/style-faults'

const SHOTS = resolve(import.meta.dirname, '../../test-results/shots')
const PERSONAL = '.satchel/skills'

/** Looks at one state in every theme, or in the light one alone. */
type Look = (name: string, themes?: readonly string[]) => Promise<void>

test('states that the mockups do not show, at 1280 and 480 pixels, with large text and with less motion', async ({
  launch,
}) => {
  test.slow()
  const home = tempDir()
  const project = writeManagerStory(home)
  const session = await launch({ home, env: { PATH: '/usr/bin:/bin' } })
  const { page } = session
  const faults: string[] = []
  const look: Look = async (name, themes = ['light', 'dark']) => {
    for (const theme of themes) {
      await wearTheme(page, theme)
      const path = join(SHOTS, `state-${name}.${theme}.png`)
      await page.screenshot({ path, animations: 'disabled' })
      faults.push(...(await styleFaults(page)).map((fault) => `${name}, ${theme}: ${fault}`))
    }
    await wearTheme(page, 'light')
  }
  await expect(composer(page)).toBeVisible()
  await resize(session, 1280, 800)
  await trustedProject(session, project, look)
  await trialStates(session, look)
  await conflictState(session, home, look)
  await listStates(session, look)
  await smallStates(session, look)
  expect(faults).toEqual([])
})

async function trustedProject({ app, page }: Session, project: string, look: Look): Promise<void> {
  await app.evaluate(({ dialog }, dir) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [dir] })
  }, project)
  await page.keyboard.press('ControlOrMeta+O')
  await expect(page.getByRole('button', { name: /^Review/ }).first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  await expect(row(page, 'release-notes')).toBeVisible()
  await look('not-trusted')
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('trust-review', THEME_NAMES)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Trust/ })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function trialStates({ page }: Session, look: Look): Promise<void> {
  await openEditor(page, 'sql-explain')
  await page.getByRole('textbox', { name: 'License' }).fill('MIT')
  await expect(page.getByText('Unsaved changes').first()).toBeVisible()
  await look('unsaved')
  await page.keyboard.press('ControlOrMeta+R')
  const message = page.locator('.ed-trial').getByRole('textbox', { name: 'Message' })
  await expect(message).toBeFocused()
  await message.fill('Why is this query slow?')
  await message.press('Enter')
  await expect(page.locator('.ed-trial [data-kind]').first()).toBeVisible()
  await look('trial', THEME_NAMES)
}

async function conflictState({ page }: Session, home: string, look: Look): Promise<void> {
  const file = join(home, PERSONAL, 'sql-explain/SKILL.md')
  writeFileSync(
    file,
    '---\nname: sql-explain\ndescription: Read plans. Use it for slow queries.\n---\nOther.\n',
  )
  await expect(page.getByRole('button', { name: 'Keep mine' })).toBeVisible()
  await look('conflict-trial')
  await page
    .getByRole('button', { name: /^Close the trial|^End the trial|^Close/ })
    .last()
    .click()
  await look('conflict', THEME_NAMES)
  await page.getByRole('button', { name: 'Keep mine' }).click()
}

async function listStates({ page }: Session, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="pdf-processing"]').last().dblclick()
  await page.getByRole('tab', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'License' }).fill('MIT AND OFL-1.1')
  await expect(page.getByText('Unsaved changes').first()).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.locator('.skg-unsaved').first()).toBeVisible()
  await look('list-unsaved', THEME_NAMES)
  await row(page, 'sql-explain').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await look('row-menu', THEME_NAMES)
  await page.keyboard.press('Escape')
  await row(page, 'csv-report').click()
  await row(page, 'vendor-naming').click({ modifiers: ['ControlOrMeta'] })
  await row(page, 'weekly-status').click({ modifiers: ['ControlOrMeta'] })
  await look('several')
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Not deleted').first()).toBeVisible()
  await look('several-deleted')
  await page.getByRole('button', { name: 'Trash' }).click()
  await page.getByRole('checkbox', { name: 'Mark all' }).check()
  await look('trash', THEME_NAMES)
  await page.getByRole('button', { name: 'Restore 1 skill' }).click()
  await expect(page.getByText('is empty').first())
    .toBeVisible()
    .catch(() => undefined)
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('skill')
  await look('palette')
  await page.keyboard.press('Escape')
}

async function smallStates(session: Session, look: Look): Promise<void> {
  const { page } = session
  for (const [name, width, height, zoom] of [
    ['480', 480, 800, 1],
    ['200-percent', 1280, 800, 2],
  ] as const) {
    await resize(session, width, height, zoom)
    await page.keyboard.press('ControlOrMeta+2')
    const back = page.getByRole('button', { name: 'Show the skills' })
    if (await back.isVisible()) await back.click()
    await expect(row(page, 'json-tidy')).toBeVisible()
    // Rows pass below the head of the list as they scroll: that is no fault.
    await page.getByRole('grid', { name: 'Skills' }).evaluate((grid) => (grid.scrollTop = 0))
    await look(`list-${name}`)
    await openEditor(page, 'json-tidy')
    await look(`bundled-editor-${name}`)
    await page.getByRole('tab', { name: /^Overview/ }).press('Enter')
    await look(`page-${name}`)
    await page.keyboard.press('Escape')
    await openEditor(page, 'vendor-naming')
    await page.keyboard.press('ControlOrMeta+R')
    await expect(page.locator('.ed-trial').getByRole('textbox', { name: 'Message' })).toBeInViewport()
    await look(`trial-${name}`)
    await page
      .locator('.ed-trial')
      .getByRole('button', { name: /^Close|^End/ })
      .click()
    await page.getByRole('tab', { name: /^Overview/ }).press('Enter')
    await page.keyboard.press('Escape')
  }
}

const row = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Skills' }).locator(`[data-skill="${name}"]`).first()

async function openEditor(page: Page, name: string): Promise<void> {
  await row(page, name).dblclick()
  await page.getByRole('tab', { name: 'Edit' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'SKILL.md', exact: true })).toBeVisible()
}

async function resize({ app, page }: Session, width: number, height: number, zoom = 1): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, [wide, high, factor]) => {
      const window = BrowserWindow.getAllWindows()[0]!
      window.setMinimumSize(320, 300)
      window.setContentSize(wide, high)
      window.webContents.setZoomFactor(factor)
    },
    [width, height, zoom] as const,
  )
  await expect.poll(() => page.evaluate('innerWidth')).toBe(width / zoom)
}
