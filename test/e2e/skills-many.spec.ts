import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** What has the focus shows a ring, and nothing lies over it (J12). */
async function expectSeenFocus(page: Page): Promise<void> {
  const look = `(() => {
    const focused = document.activeElement
    const { left, top, width, height } = focused.getBoundingClientRect()
    const over = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 12))
    const covered = !over || !(focused.contains(over) || over.contains(focused))
    const rings = [focused, focused.parentElement, focused.closest('.cm-editor')].filter(Boolean)
    const ring = rings.some((one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'
    })
    return (ring ? '' : 'no ring ') + (covered ? 'covered ' : '') + (ring && !covered ? '' : focused.outerHTML.slice(0, 200))
  })()`
  await expect.poll(() => page.evaluate<string>(look)).toBe('')
}

/** Walks with Tab until the part has the focus; every stop on the way is seen. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  const isThere = () => part.evaluate((node) => node === node.ownerDocument.activeElement)
  for (let stops = 0; stops < 60 && !(await isThere()); stops += 1) {
    await page.keyboard.press('Tab')
    await expectSeenFocus(page)
  }
  await expect(part).toBeFocused()
}

test('J12: among ten thousand skills one is found, opened, edited and saved by keys alone, with few rows in the page', async ({
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
  await page.keyboard.press('/')
  await page.keyboard.press('Enter')
  await expect(row(page, nameOf(0))).toBeFocused()
  await expectSeenFocus(page)
  await page.keyboard.press('PageDown')
  await expect(row(page, nameOf(10))).toBeFocused()
  // As a person types: no letter waits until the last one is drawn, however busy the computer is.
  await Promise.all(Array.from(nameOf(7777), (key) => page.keyboard.press(key)))
  await expect(row(page, nameOf(7777))).toBeFocused()
  await expect(row(page, nameOf(7777))).toHaveAttribute('aria-rowindex', '7779')
  await expectSeenFocus(page)
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

  // It is opened, its description changed and saved; the list follows.
  const name = await grid(page).locator('[data-index="0"]').getAttribute('data-skill')
  const file = join(root, name!, 'SKILL.md')
  const before = readFileSync(file, 'utf8')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: name!, level: 1 })).toBeFocused()
  await tabTo(page, page.getByRole('tab', { name: 'Overview' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Description' })).toBeVisible()
  await tabTo(page, page.getByRole('textbox', { name: 'Description' }))
  await page.keyboard.press('End')
  await page.keyboard.type(' Use for airships.')
  await page.keyboard.press('ControlOrMeta+S')
  await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before)
  expect(readFileSync(file, 'utf8')).toBe(before.replace(/(description: .*)/, '$1 Use for airships.'))
  await tabTo(page, page.getByRole('button', { name: 'Back to the list' }))
  await page.keyboard.press('Enter')
  await expect(row(page, name!)).toContainText('Use for airships.')
  await expect(row(page, name!)).toBeFocused()

  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(grid(page)).not.toHaveAttribute('aria-rowcount', String(COUNT / EVERY + 1))
})
