import type { Page } from '@playwright/test'
import { expect, test } from '../helpers/electron'
import { allowOpenReview, composer, dock, review, sendMessage, step, transcript } from '../helpers/chat'

// J6 of the UX specification: nothing that is typed may answer a request.
test('J6: a request that arrives while a person types takes no key, no focus and no answer', async ({
  launch,
}) => {
  const session = await launch()
  const { page } = session
  await composer(page).fill('Count the words in sample.txt')
  await watchComposer(page)
  await composer(page).press('Enter')
  // 12 keys a second, on and on while the request appears.
  await page.keyboard.type('yes please allow y a 1 2', { delay: 80 })
  await expect(dock(page)).toBeVisible()
  await expect(composer(page)).toHaveValue('yes please allow y a 1 2')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.keyboard.type('still typing', { delay: 80 })
  await expect(composer(page)).toHaveValue(/still typing$/)
  await expect(dock(page)).toHaveAttribute('data-state', 'waiting')
  expect(await composerLosses(page), 'the composer lost the focus or was disabled').toEqual([])

  // By keyboard to the answer: too early nothing happens, once armed it counts.
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(review(page)).toBeVisible()
  await expect(review(page).getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(step(page, 'run-done')).toHaveCount(0)
  await allowOpenReview(page)
  await expect(step(page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
  expect(await assertiveCount(page)).toBe(1)
  // What was said is not read again once it is decided.
  await expect(page.locator('[aria-live="assertive"]')).toHaveText('')
  // What was typed is a message of its own, and the draft is still there.
  await expect(transcript(page)).toContainText('yes please allow y a 1 2')
  await expect(composer(page)).toHaveValue(/still typing$/)
  expect(await composerLosses(page)).toEqual(['focus'])
})

interface Watched {
  __lost: string[]
  __app: { perf: { assertiveCount: number } }
}

/** Notes every moment in which the message box is without the focus, or can't be typed in. */
async function watchComposer(page: Page): Promise<void> {
  await page.evaluate(`{
    const box = document.activeElement
    const lost = (globalThis.__lost = [])
    box.addEventListener('blur', () => lost.push('focus'))
    new MutationObserver(() => {
      if (box.matches(':disabled, [aria-disabled="true"], [readonly]')) lost.push('disabled')
      if (!box.isConnected) lost.push('gone')
    }).observe(document, { attributes: true, childList: true, subtree: true })
  }`)
}

function composerLosses(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as Watched).__lost)
}

function assertiveCount(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Watched).__app.perf.assertiveCount)
}

test('a click on a decision never takes the caret from the message box', async ({ launch }) => {
  const { page } = await launch()
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Approvals', exact: true }).last().click()
  const delay = page.getByRole('spinbutton').first()
  await delay.fill('2000')
  await delay.press('Tab')
  await page.keyboard.press('ControlOrMeta+1')
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  await composer(page).pressSequentially('wait')
  const button = dock(page).getByRole('button', { name: /^Review to allow/ })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  // Without the wait that a click of the test runner has: the button is not armed yet.
  await button.click({ force: true })
  await expect(composer(page)).toBeFocused()
  await dock(page).getByText('Run this script?').click()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type(' a bit')
  await expect(composer(page)).toHaveValue('wait a bit')
  await page.keyboard.press('Enter')
  await expect(review(page)).toHaveCount(0)
  await expect(dock(page)).toBeVisible()

  await button.click()
  await expect(review(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(review(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
})

test('a request denied in the dock gives the focus back to the message box', async ({ launch }) => {
  const { page } = await launch()
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  await dock(page).getByRole('button', { name: /^Deny/ }).click()
  await page.keyboard.type('Not now')
  await page.keyboard.press('Enter')
  await expect(step(page, 'run-denied')).toContainText('Not now')
  await expect(composer(page)).toBeFocused()
})

test('Escape decides nothing and gives the focus back', async ({ launch }) => {
  const { page } = await launch()
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  await composer(page).focus()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(review(page)).toHaveCount(0)
  await expect(dock(page)).toBeVisible()
  await expect(composer(page)).toBeFocused()
})

test('with requests in two chats the key opens the one in view, and the focus is never lost', async ({
  launch,
}) => {
  const { page } = await launch()
  const chatRow = page.getByRole('button', { name: /^Count the words/ })
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toHaveAccessibleName('Approval needed, 1 of 1')
  await chatRow.press('F2')
  await page.getByRole('textbox', { name: 'Chat name' }).fill('pay \u202Efdp.ecioavni')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^pay/ })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+N')
  await composer(page).fill('Count the words in sample.txt')
  await page.getByRole('button', { name: /^Send/ }).click()
  await expect(dock(page)).toHaveAccessibleName('Approval needed, 2 of 2')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toContainText('in “Count the words in sample.txt”')
  await page.keyboard.press('Escape')
  await expect(composer(page)).toBeFocused()

  await dock(page).getByRole('button', { name: 'Next request, in another chat' }).click()
  await expect(page.getByRole('heading', { name: 'pay ⟦U+202E⟧fdp.ecioavni' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toContainText('in “pay ⟦U+202E⟧fdp.ecioavni”')
  const deny = review(page).getByRole('button', { name: /^Deny/ })
  await expect(deny).not.toHaveAttribute('aria-disabled', 'true')
  await deny.click()
  await page.keyboard.type('Not now')
  await page.keyboard.press('Enter')
  await expect(step(page, 'run-denied')).toContainText('Not now')
  await expect(composer(page)).toBeFocused()

  for (const [key, name] of [
    ['2', 'Skills'],
    ['3', 'Approvals'],
    [',', 'Settings'],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  }
})
