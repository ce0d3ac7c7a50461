import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowOpenReview, review, sendMessage, step, writeSkill } from '../helpers/chat'
import { expect, tempDir, test } from '../helpers/electron'
import { violations } from '../helpers/wcag'

const SKILL =
  '---\nname: marmalade\ndescription: Boils quince marmalade and counts jars.\n---\n# Marmalade\nRun `scripts/boil.sh`.\n'

test('unsaved text is tried beside the editor, asks as every chat does, and is gone when it is closed', async ({
  launch,
}) => {
  const home = tempDir()
  const dir = writeSkill(home, 'marmalade', { 'SKILL.md': SKILL, 'scripts/boil.sh': 'echo "jars: 3"\n' })
  const { page } = await launch({ home })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  await page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="marmalade"]').dblclick()
  await page.getByRole('tab', { name: 'Edit' }).click()
  const source = page.getByRole('textbox', { name: 'SKILL.md', exact: true })
  await source.click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('Not saved yet.')
  await page.keyboard.press('ControlOrMeta+R')

  const trial = page.getByRole('complementary', { name: 'Trial of the unsaved text' })
  await expect(trial.getByRole('heading', { name: 'Unsaved text of marmalade' })).toBeVisible()
  await expect(step(page, 'skill-loaded')).toBeVisible()
  await sendMessage(page, 'Please boil some quince marmalade')
  await expect(trial.getByRole('group', { name: /^Approval needed/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await trial.getByRole('button', { name: 'More ways to allow' }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Allow for this chat…' })).toBeVisible()
  await expect(page.getByRole('menuitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toBeVisible()
  await expect(review(page).getByRole('option', { name: 'For this chat' })).toHaveCount(1)
  await expect(review(page).getByRole('option', { name: /^Always/ })).toHaveCount(0)
  await allowOpenReview(page)
  await expect(step(page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
  await expect(source).toContainText('Not saved yet.')
  expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(SKILL)

  await trial.getByRole('button', { name: 'Close the trial' }).click()
  await expect(trial).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+1')
  await expect(page.getByText('Trial of marmalade')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+6')
  const log = page.getByRole('grid', { name: 'Audit log' })
  await expect(log.getByRole('row', { name: /Trial began/ })).toHaveCount(1)
  await expect(log.getByRole('row', { name: /unsaved text of marmalade/ }).first()).toBeVisible()
})
