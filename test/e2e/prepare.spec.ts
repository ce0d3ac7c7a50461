import { expect, tempDir, test } from '../helpers/electron'
import { composer, dock, review, sendMessage, writeSkill } from '../helpers/chat'
import { violations } from '../helpers/wcag'

const SKILL = {
  'SKILL.md':
    '---\nname: jar-labels\ndescription: Prints labels for jars of quince.\n---\nRun `scripts/label.py`.\n',
  'requirements.txt': 'satchel-made-up-name==1.0\n',
  'scripts/label.py': 'print("label")\n',
}

test('what a script lacks is prepared only by a request of its own; denied, the script is asked for as before', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'jar-labels', SKILL)
  const { page } = await launch({ home })
  await expect(composer(page)).toBeVisible()
  await sendMessage(page, 'Print labels for the jars of quince')
  await expect(dock(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toContainText('not found for')
  await page.screenshot({ path: test.info().outputPath('missing.png') })
  await review(page).getByRole('button', { name: 'Prepare…' }).press('Enter')
  await expect(review(page)).toContainText('Prepare packages?')
  await expect(review(page)).toContainText('satchel-made-up-name==1.0; and whatever these need')
  await expect(review(page)).toContainText('Can reach files.pythonhosted.org, port 443; pypi.org, port 443')
  await expect(review(page)).toContainText('Writes in a new folder for these packages')
  await page.screenshot({ path: test.info().outputPath('prepare.png') })
  expect(await violations(page)).toEqual([])
  const deny = review(page).getByRole('button', { name: /^Deny and tell/ })
  await expect(deny).not.toHaveAttribute('aria-disabled', 'true')
  const denyNow = page.getByRole('button', { name: 'Deny', exact: true })
  // A key that comes too early after the request is on screen decides nothing (AP-5): as a person does, it is pressed again.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+Backspace')
    await expect(denyNow).toBeVisible({ timeout: 3000 })
  }).toPass()
  await denyNow.press('Enter')
  await expect(dock(page)).toContainText('label.py')
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toContainText('The packages were not prepared.')
})
