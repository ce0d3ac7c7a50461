import { expect, tempDir, test } from '../helpers/electron'
import {
  allowOpenReview,
  composer,
  dock,
  review,
  sendMessage,
  step,
  transcript,
  writeSkill,
} from '../helpers/chat'
import { violations } from '../helpers/wcag'

const SKILL = {
  'SKILL.md':
    '---\nname: quill\ndescription: Sharpens quills and notes the date of sharpening.\n---\nRun `scripts/sharpen.sh`.\n',
  'scripts/sharpen.sh': '#!/usr/bin/env bash\necho "sharpened: $*"\n',
}

test('Edit and run: changed arguments are a new request, looked at and allowed before they run', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'quill', SKILL)
  const session = await launch({ home })
  const { page } = session
  await sendMessage(page, 'Sharpen my quills')
  await expect(dock(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  const hash = await review(page).locator('.rv-body').getAttribute('data-hash')
  await review(page).getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit and run…' }).press('Enter')
  await review(page).getByRole('button', { name: 'Add argument' }).press('Enter')
  await review(page).getByRole('textbox', { name: 'Argument 1' }).fill('two quills')
  await session.shot('edit-and-run')
  expect(await violations(page), 'edit and run').toEqual([])
  // Keys of the review belong to the field here: nothing is answered by them.
  await page.keyboard.press('ControlOrMeta+Backspace')
  await page.keyboard.type('one quill')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(review(page)).toContainText('This is what would run now')
  await expect(review(page).locator('.rv-body')).not.toHaveAttribute('data-hash', hash ?? '')
  await expect(review(page).getByLabel('Exact command')).toContainText('one quill')
  await expect(step(page, 'run-done')).toHaveCount(0)
  await session.shot('edit-and-run-asked')
  await allowOpenReview(page)
  await expect(step(page, 'run-done')).toContainText('changed by you')
  await expect(transcript(page)).toContainText(/sharpened: .*one quill/)
  await expect(composer(page)).toBeFocused()
})
