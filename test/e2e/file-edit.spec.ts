import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, tempDir, test } from '../helpers/electron'
import { allowOpenReview, composer, dock, sendMessage, step } from '../helpers/chat'

test('a change of a file is shown line by line, made when it is allowed, and not made when it is denied', async ({
  launch,
}) => {
  const home = tempDir()
  const { page } = await launch({ home })
  await sendMessage(page, 'Write "one two" to the file notes.md')
  await expect(dock(page)).toContainText('Create this file?')
  await openReview(page, 'Create notes.md?')
  await expect(page.getByRole('region', { name: 'Exact change' })).toContainText('one two')
  await allowOpenReview(page)
  await expect(step(page, 'file-edit')).toContainText('Created notes.md')
  expect(notes(home)).toBe('one two\n')

  await expect(composer(page)).toBeFocused()
  await sendMessage(page, 'Change "two" to "TWO" in notes.md')
  await openReview(page, 'Change notes.md?')
  const change = page.getByRole('region', { name: 'Exact change' })
  await expect(change.locator('.del')).toContainText('one two')
  await expect(change.locator('.add')).toContainText('one TWO')
  await page.getByRole('dialog').getByRole('button', { name: /^Deny/ }).first().click()
  await page.getByRole('textbox', { name: /why|reason/i }).fill('Keep it')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(step(page, 'run-denied')).toContainText('Keep it')
  expect(notes(home)).toBe('one two\n')
})

async function openReview(page: Page, title: string): Promise<void> {
  await expect(dock(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
}

/** The file in the folder of the only chat. */
function notes(home: string): string {
  const folder = join(home, 'data', 'workspaces')
  return readFileSync(join(folder, readdirSync(folder)[0]!, 'notes.md'), 'utf8')
}
