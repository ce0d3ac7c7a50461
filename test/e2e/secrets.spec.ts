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

const SKILL = {
  'SKILL.md':
    '---\nname: jar-upload\ndescription: Uploads jars of quince to the pantry.\nexecution:\n  secrets: [JAR_TOKEN]\n---\nRun `scripts/up.sh`.\n',
  'scripts/up.sh': '#!/bin/sh\necho "token ${JAR_TOKEN:-none}"\n',
}

test('a secret is entered once, given to a skill in the review, and taken out of what its script prints', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'jar-upload', SKILL)
  const { page } = await launch({ home, env: { PATH: '/usr/bin:/bin' } })
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Tools', exact: true }).click()
  await page.getByRole('button', { name: 'Add secret' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('JAR_TOKEN')
  await page.getByRole('combobox', { name: 'Value' }).selectOption('memory')
  await page.getByLabel('Secret value').fill('quince-4711-marmalade')
  await page.getByRole('button', { name: 'Save secret' }).click()
  const list = page.getByRole('list', { name: 'Secrets' })
  await expect(list).toContainText('ends with lade')

  await page.keyboard.press('ControlOrMeta+1')
  await sendMessage(page, 'Upload the jars of quince')
  await expect(dock(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await review(page).getByRole('button', { name: 'Give to this skill JAR_TOKEN' }).click()
  await expect(review(page)).toContainText('This run gets it')
  await allowOpenReview(page)
  await expect(step(page, 'run-done')).toContainText('token [redacted:JAR_TOKEN]')
  await expect(transcript(page)).not.toContainText('quince-4711')
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Tools', exact: true }).click()
  await expect(list).toContainText('Given to jar-upload')
})
