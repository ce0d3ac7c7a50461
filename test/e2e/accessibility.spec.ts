import { expect, test } from '../helpers/electron'
import { allowInReview, composer, dock, review, sendMessage, step } from '../helpers/chat'
import { violations } from '../helpers/wcag'

test('no screen breaks a rule of WCAG 2.2 AA in any theme', async ({ launch }) => {
  test.slow()
  const { page } = await launch()
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Appearance', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Theme' })).toBeVisible()
  expect(await violations(page), 'settings').toEqual([])
  await page.keyboard.press('ControlOrMeta+1')
  expect(await violations(page), 'new chat').toEqual([])
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  expect(await violations(page), 'chat with a request').toEqual([])
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toBeVisible()
  expect(await violations(page), 'review').toEqual([])
  await page.keyboard.press('Escape')
  await allowInReview(page)
  await expect(step(page, 'run-done')).toBeVisible()
  expect(await violations(page), 'chat with a run').toEqual([])
  await page.keyboard.press('ControlOrMeta+2')
  await expect(page.getByRole('grid', { name: 'Skills' })).toBeVisible()
  expect(await violations(page), 'skills').toEqual([])
  await page.keyboard.press('ControlOrMeta+3')
  expect(await violations(page), 'approvals').toEqual([])
})

test('by keyboard alone a person sends, reviews, denies with a reason, and goes on', async ({ launch }) => {
  const { page } = await launch()
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+L')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dock(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page).getByRole('button', { name: /^Deny/ }).first()).not.toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('ControlOrMeta+Backspace')
  await page.keyboard.type('Not needed now')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(step(page, 'run-denied')).toContainText('Not needed now')
  await expect(review(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
})

test('F6 walks over every pane that has something to focus, forth and back', async ({ launch }) => {
  const { page } = await launch()
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  await expect(composer(page)).toBeFocused()
  const pane = () => page.locator('[data-pane]:focus-within').last().getAttribute('data-pane')
  const walk = async (key: string): Promise<unknown[]> => {
    const seen: unknown[] = []
    while (seen.length < 8) {
      await page.keyboard.press(key)
      seen.push(await pane())
    }
    return seen
  }
  const forth = ['details', 'title', 'nav', 'list', 'main', 'transcript', 'dock', 'composer']
  expect(await walk('F6')).toEqual(forth)
  expect(await walk('Shift+F6')).toEqual([...forth.slice(0, -1).toReversed(), 'composer'])
})
