import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'

/** What a person sees and uses in a chat, found by role and label. */
export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Transcript' })
export const dock = (page: Page): Locator => page.getByRole('group', { name: /^Approval needed, \d+ of \d+/ })
export const review = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^(?:Run|Change|Create|Call|Prepare) .+\?$/ })
export const step = (page: Page, kind: string): Locator => transcript(page).locator(`[data-kind="${kind}"]`)

export async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Opens the review by its key and allows once by its key, as soon as the buttons are armed. */
export async function allowInReview(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toBeVisible()
  await allowOpenReview(page)
}

/** Allows in the review that is open; waits until Allow is armed, reads to the end of the command first. */
export async function allowOpenReview(page: Page): Promise<void> {
  const allow = review(page).getByRole('button', { name: /^Allow once/ })
  await expect(allow).toBeEnabled()
  await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('ControlOrMeta+Enter')
}

/** The kinds of the ledger's steps from top to bottom. */
export async function stepKinds(page: Page): Promise<string[]> {
  return transcript(page)
    .locator('[data-kind]')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-kind') ?? ''))
}

/** Writes a personal skill into a home folder. */
export function writeSkill(home: string, name: string, files: Record<string, string>): string {
  const dir = join(home, '.satchel', 'skills', name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}
