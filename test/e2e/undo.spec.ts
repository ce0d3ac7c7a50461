import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, tempDir, test } from '../helpers/electron'
import { allowOpenReview, dock, review, sendMessage, step, writeSkill } from '../helpers/chat'

const SKILL = {
  'SKILL.md':
    '---\nname: tidy-notes\ndescription: Tidies notes and makes an index of them.\n---\nRun `scripts/tidy.sh`.\n',
  'scripts/tidy.sh':
    '#!/bin/sh\nsed -i "s/two/TWO/" notes.md\nrm old.md\nmkdir -p index\necho "notes.md" > index/list.txt\necho tidied\n',
}

test('what a run changed is listed with its difference, and Undo this run brings it back', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'tidy-notes', SKILL)
  const { page } = await launch({ home, env: { PATH: '/usr/bin:/bin' } })
  await sendMessage(page, 'Please tidy my notes')
  await expect(dock(page)).toBeVisible()
  const folder = join(home, 'data', 'workspaces')
  const at = (path: string) => join(folder, readdirSync(folder)[0]!, path)
  writeFileSync(at('notes.md'), 'one\ntwo\nthree\n')
  writeFileSync(at('old.md'), 'old\n')
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toContainText('Undo does not cover what left this computer')
  await allowOpenReview(page)
  const ran = step(page, 'run-done')
  await expect(ran).toContainText('changed 3 files')
  expect(readFileSync(at('notes.md'), 'utf8')).toBe('one\nTWO\nthree\n')

  await ran.getByRole('button', { name: /Ran/ }).click()
  await ran.getByRole('button', { name: /Changed notes\.md/ }).click()
  await expect(ran.getByRole('region', { name: 'What changed in notes.md' }).locator('.add')).toContainText(
    'TWO',
  )
  writeFileSync(at('index/list.txt'), 'mine\n')
  await ran.getByRole('button', { name: 'Undo this run' }).click()
  await expect(ran).toContainText('It changed again since.')
  expect(readFileSync(at('notes.md'), 'utf8')).toBe('one\ntwo\nthree\n')
  expect(readFileSync(at('old.md'), 'utf8')).toBe('old\n')
  await ran
    .getByRole('button', { name: /Added index\/list\.txt/ })
    .first()
    .click()
  await ran.getByRole('button', { name: 'Compare' }).click()
  await ran.getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => existsSync(at('index/list.txt'))).toBe(false)
})
