import { join } from 'node:path'
import { expect, tempDir, test } from '../helpers/electron'
import { dock, review, sendMessage, step, writeSkill } from '../helpers/chat'

const SKILL = {
  'SKILL.md':
    '---\nname: quill\ndescription: Sharpens quills and notes the date of sharpening.\n---\nRun `scripts/sharpen.sh`.\n',
  'scripts/sharpen.sh': '#!/usr/bin/env bash\necho sharpened\n',
}

test('a choice that is remembered allows the same run from then on, until its rule is revoked', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'quill', SKILL)
  const { app, page, shot } = await launch({ home })
  await sendMessage(page, 'Sharpen my quills')
  // Also in a low window nobody allows more than the sentence in view says.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(1200, 560))
  await dock(page).getByRole('button', { name: 'More ways to allow' }).click()
  await page.getByRole('menuitem', { name: 'Always for this exact script…' }).click()
  await expect(review(page).getByText(/^Allow sharpen.sh \(sha256/)).toBeInViewport({ ratio: 1 })
  await review(page).getByLabel('Which arguments').selectOption('any arguments')
  await expect(review(page)).toContainText(/Would match \d of your last 1 request\./)
  const always = review(page).getByRole('button', { name: 'Always for this exact script' })
  await expect(always).not.toHaveAttribute('aria-disabled', 'true')
  // No key saves a rule.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(always).toBeVisible()
  await always.click()
  await expect(step(page, 'run-done')).toHaveCount(1)

  await sendMessage(page, 'Sharpen my quills again')
  await expect(step(page, 'run-done')).toHaveCount(2)
  await expect(dock(page)).toHaveCount(0)

  await page.keyboard.press('ControlOrMeta+3')
  await page.getByRole('tab', { name: 'Rules' }).click()
  const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  await expect(rules).toContainText('Used once')
  const file = join(home, 'rules.json')
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, file)
  await page.getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByText(/^1 rule was saved in/)).toBeVisible()
  await rules.getByRole('button', { name: 'Revoke' }).click()
  await expect(rules).toHaveCount(0)
  // From the file it comes back only after a look at what it says and would have matched.
  await page.getByLabel('File of rules').setInputFiles(file)
  const taken = page.getByRole('dialog', { name: 'Import rules' })
  await expect(taken).toContainText('Allow sharpen.sh (sha256')
  await expect(taken).toContainText(/Would match \d+ of your last \d+ requests/)
  await shot('rules-import')
  await taken.getByRole('button', { name: 'Import 1 rule' }).click()
  await expect(rules).toContainText('Never used')
  await rules.getByRole('button', { name: 'Revoke' }).click()
  await expect(rules).toHaveCount(0)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Allowed by a rule')
  await page.keyboard.press('ControlOrMeta+1')
  await sendMessage(page, 'Sharpen my quills once more')
  await expect(dock(page)).toBeVisible()
})
