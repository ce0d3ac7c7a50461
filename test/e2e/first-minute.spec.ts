import { expect, networkOf, test } from '../helpers/electron'
import { allowInReview, composer, dock, sendMessage, step, stepKinds, transcript } from '../helpers/chat'

// J1 of the UX specification, from step 5 on.
test('a new person without a key sends a message, reviews, allows, and sees the output', async ({
  launch,
}) => {
  const session = await launch()
  const { page } = session
  await expect(composer(page)).toBeVisible()
  await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  await expect(step(page, 'skill-loaded')).toBeVisible()
  await expect(step(page, 'file-read')).toBeVisible()
  await allowInReview(page)
  const run = step(page, 'run-done')
  await expect(run).toHaveAttribute('data-state', 'exit-0')
  await expect(transcript(page)).toContainText('Practice agent')
  const kinds = await stepKinds(page)
  expect(kinds.filter((kind) => /skill-loaded|file-read|run-done/.test(kind))).toEqual([
    'skill-loaded',
    'file-read',
    'run-done',
  ])
  await expect(dock(page)).toHaveCount(0)
  await session.close()
  expect(networkOf(session)).toMatchObject({ connections: [], dnsQueries: 0, names: [], requests: [] })
})

test('the same chat is there after a restart, with its steps and its output', async ({ launch }) => {
  const first = await launch()
  await sendMessage(first.page, 'Count the words in sample.txt')
  await expect(dock(first.page)).toBeVisible()
  await allowInReview(first.page)
  await expect(step(first.page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
  const before = await stepKinds(first.page)
  await first.close()
  const second = await launch({ home: first.home })
  await expect(step(second.page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
  expect(await stepKinds(second.page)).toEqual(before)
})

test('the first chat starts with its text selected, so that typing replaces it', async ({ launch }) => {
  const { page } = await launch()
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).not.toHaveValue('')
  await page.keyboard.type('My own words')
  await expect(composer(page)).toHaveValue('My own words')
})

test('the window starts with the focus in its area, and a draft is not selected', async ({ launch }) => {
  const first = await launch()
  await composer(first.page).fill('half a thou')
  await composer(first.page).blur()
  await first.close()
  const second = await launch({ home: first.home })
  await expect(composer(second.page)).toBeFocused()
  await second.page.keyboard.type('ght')
  await expect(composer(second.page)).toHaveValue('half a thought')
  await second.page.keyboard.press('ControlOrMeta+,')
  await second.close()
  const third = await launch({ home: first.home })
  await expect(third.page.getByRole('heading', { name: 'Settings' })).toBeFocused()
})

test('a draft survives a restart', async ({ launch }) => {
  const first = await launch()
  await sendMessage(first.page, 'What can you do?')
  await expect(transcript(first.page)).toContainText('Practice agent')
  await composer(first.page).fill('half a thou')
  await composer(first.page).blur()
  await first.close()
  const second = await launch({ home: first.home })
  await expect(composer(second.page)).toHaveValue('half a thou')
})
