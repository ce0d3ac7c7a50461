import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { composer } from '../helpers/chat'
import { expect, tempDir, test } from '../helpers/electron'

const COUNT = 10_000
/** Of them, these have the word in their description. */
const EVERY = 1000

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Skills' })
const row = (page: Page, name: string): Locator => grid(page).locator(`[data-skill="${name}"]`)
const nameOf = (n: number): string => `skill-${String(n).padStart(5, '0')}`

function makeMany(home: string): string {
  const root = join(home, '.satchel', 'skills')
  for (let n = 0; n < COUNT; n += 1) {
    const dir = join(root, nameOf(n))
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'SKILL.md'), text(n, n % EVERY === 0 ? 'Repairs zeppelins.' : `Does thing ${n}.`))
  }
  return root
}

function text(n: number, description: string): string {
  return `---\nname: ${nameOf(n)}\ndescription: ${description} Use when somebody asks for number ${n}.\n---\nSteps for ${n}.\n`
}

test('ten thousand skills are listed, filtered and followed with few rows in the page', async ({
  launch,
}) => {
  const home = tempDir()
  const root = makeMany(home)
  const { page } = await launch({ home })
  await expect(composer(page)).toBeVisible({ timeout: 60_000 })
  await page.keyboard.press('ControlOrMeta+2')
  await expect(grid(page)).toBeVisible({ timeout: 60_000 })
  const bundled = await grid(page).locator('[data-scope="bundled"]').count()
  expect(bundled).toBe(0)
  await expect(page.getByRole('button', { name: /^Personal/ })).toContainText('10,000')
  const drawn = () => grid(page).locator('[data-index]').count()
  expect(await drawn()).toBeLessThanOrEqual(60)
  await expect(page.getByText(/^The agent sees \d+ of 10,0\d\d skills/)).toBeVisible()

  // Keys: to the end, letters, back.
  await row(page, nameOf(0)).click()
  await row(page, nameOf(0)).focus()
  await page.keyboard.press('PageDown')
  await expect(row(page, nameOf(10))).toBeFocused()
  await page.keyboard.type(nameOf(7777))
  await expect(row(page, nameOf(7777))).toBeFocused()
  expect(await drawn()).toBeLessThanOrEqual(60)
  await page.keyboard.press('End')
  await expect(grid(page).locator('[data-index]:focus')).toHaveAttribute('data-scope', 'bundled')
  expect(await drawn()).toBeLessThanOrEqual(60)

  // Filter: ten of them, whatever main has indexed by now.
  await page.keyboard.press('/')
  await page.keyboard.type('zeppelins')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(COUNT / EVERY + 1))
  await expect(row(page, nameOf(3000))).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(grid(page).locator('[data-index="0"]')).toBeFocused()

  // An edit appears, and nothing else moves.
  writeFileSync(join(root, nameOf(3000), 'SKILL.md'), text(3000, 'Repairs zeppelins at night.'))
  await expect(row(page, nameOf(3000))).toContainText('at night', { timeout: 60_000 })
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(COUNT / EVERY + 1))
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(grid(page)).not.toHaveAttribute('aria-rowcount', String(COUNT / EVERY + 1))
})
