import { composer, sendMessage, step, transcript } from '../helpers/chat'
import { expect, launchSatchel, test, type Session } from '../helpers/electron'
import { startFakeProvider, type FakeProvider, type FakeTurn } from '../helpers/fake-provider'
import { addProvider } from '../helpers/provider-form'

// One app for all of them; each has a chat of its own.
let fake: FakeProvider
let session: Session

test.beforeAll(async () => {
  fake = await startFakeProvider()
  session = await launchSatchel()
  await addProvider(session, fake, 'openai')
})
test.beforeEach(async () => {
  await session.page.keyboard.press('ControlOrMeta+N')
  await expect(transcript(session.page).locator('[data-kind]')).toHaveCount(0)
})
test.afterAll(async () => {
  await session.close()
  await fake.close()
  expect(session.problems(), 'unexpected errors of the app').toEqual([])
})

test('a 429 is tried again and then answered; a 401 says what to do', async () => {
  const { page } = session
  const before = fake.requests.length
  fake.queue({ status: 429, headers: { 'retry-after': '0' } }, { text: ['Here I am.'] })
  await sendMessage(page, 'Hello?')
  await expect(transcript(page)).toContainText('Here I am.')
  expect(fake.requests).toHaveLength(before + 2)
  fake.queue({ status: 401, errorMessage: 'bad key' })
  await sendMessage(page, 'And now?')
  await expect(step(page, 'error')).toContainText(/key/i)
  await expect(composer(page)).toBeEnabled()
})

test('while a busy provider is waited for, the chat says why and for how long', async () => {
  const { page } = session
  fake.queue({ status: 429, headers: { 'retry-after': '3' } }, { text: ['Here I am.'] })
  await sendMessage(page, 'Hello?')
  await expect(transcript(page)).toContainText(/is busy\. Trying again in \d+ s/)
  await expect(transcript(page)).toContainText('Here I am.')
  await expect(transcript(page)).not.toContainText('Trying again')
})

const BROKEN: [string, FakeTurn][] = [
  ['status 500', { status: 500 }],
  ['an HTML page', { body: '<html><body>Log in</body></html>', contentType: 'text/html' }],
  ['half an event', { text: ['half an answer'], cutAfter: 150, finish: 'none' }],
  ['nothing', { body: '', contentType: 'text/event-stream' }],
]
for (const [what, turn] of BROKEN) {
  test(`a provider that answers with ${what} gives a clear error, and the chat goes on`, async () => {
    const { page } = session
    fake.answerWith(() => ({ ...turn }))
    await sendMessage(page, 'Hello?')
    await expect(step(page, 'error')).toBeVisible()
    await expect(step(page, 'error')).not.toContainText('undefined')
    fake.answerWith(() => ({ text: ['Better now.'] }))
    await sendMessage(page, 'Again')
    await expect(transcript(page)).toContainText('Better now.')
  })
}

for (const [what, turn] of [
  ['a 500', { status: 500 }],
  ['a 401', { status: 401, errorMessage: 'bad key' }],
  ['a 429 for an hour', { status: 429, headers: { 'retry-after': '3600' } }],
  ['half an answer', { text: ['half an answer'], finish: 'none' }],
] satisfies [string, FakeTurn][]) {
  test(`"Try again" after ${what} asks the provider once more, and only then`, async () => {
    const { page } = session
    fake.answerWith(() => ({ ...turn }))
    await sendMessage(page, 'Hello?')
    const again = step(page, 'error').getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible()
    const before = fake.requests.length
    fake.answerWith(() => ({ text: ['Better now.'] }))
    await again.click()
    await expect(transcript(page)).toContainText('Better now.')
    expect(fake.requests).toHaveLength(before + 1)
    expect(JSON.stringify(fake.requests.at(-1)?.body)).toContain('Hello?')
    await expect(again).toHaveCount(0)
  })
}

test('an error of the provider stands beside the name of who speaks', async () => {
  const { page } = session
  fake.queue({ status: 401, errorMessage: 'bad key' })
  await sendMessage(page, 'Hello?')
  await expect(step(page, 'error')).toBeVisible()
  await expect(transcript(page).getByText('General', { exact: true })).toHaveCount(1)
  await expect(step(page, 'error').getByText('General', { exact: true })).toBeVisible()
})
