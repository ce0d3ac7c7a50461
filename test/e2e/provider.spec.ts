import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, test } from '../helpers/electron'
import { allowInReview, composer, dock, sendMessage, step, transcript, writeSkill } from '../helpers/chat'
import { addProvider, PROVIDER_KEY as KEY } from '../helpers/provider-form'
import { startFakeProvider, type FakeProvider, type Protocol } from '../helpers/fake-provider'

const SKILL = {
  'SKILL.md': '---\nname: tally\ndescription: Counts things.\n---\nRun `scripts/tally.sh`.\n',
  'scripts/tally.sh': '#!/usr/bin/env bash\necho "seven things"\n',
}

/** Where the requests of a protocol hold the messages. */
const MESSAGES: Record<Protocol, string> = {
  anthropic: 'messages',
  openai: 'messages',
  'openai-responses': 'input',
  google: 'contents',
}

let fake: FakeProvider
test.beforeEach(async () => {
  fake = await startFakeProvider()
})
test.afterEach(() => fake.close())

for (const protocol of ['anthropic', 'openai', 'openai-responses', 'google'] as const) {
  test(`a conversation over the ${protocol} protocol: load, run after approval, answer`, async ({
    launch,
  }) => {
    const session = await launch()
    writeSkill(session.home, 'tally', SKILL)
    const { page } = session
    await addProvider(session, fake, protocol)
    fake.queue(
      { text: ['I load ', 'the skill.'], toolCalls: [{ name: 'skills_load', input: { names: ['tally'] } }] },
      { toolCalls: [{ name: 'skills_run_script', input: { path: 'scripts/tally.sh' } }] },
      { text: ['There are ', '**seven** things.'] },
    )
    await sendMessage(page, 'How many things are there?')
    await expect(dock(page)).toBeVisible()
    await allowInReview(page)
    await expect(step(page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
    await expect(transcript(page)).toContainText('There are seven things.')
    await expect(transcript(page)).not.toContainText('Practice agent')

    const bodies = fake.requests.map(({ body }) => JSON.stringify(body))
    expect(bodies).toHaveLength(3)
    expect(bodies[0]).toContain('available_skills')
    expect(bodies[0]).not.toContain('active_skills>\\n<skill name=')
    expect(bodies[1]).toContain('active_skills')
    expect(bodies[2]).toContain('seven things')
    // Append-only: what was sent before is sent again as it was.
    const messages = fake.requests.map(({ body }) =>
      (body as Record<string, unknown[]>)[MESSAGES[protocol]]!.filter(notSystem),
    )
    const plain = (list: unknown[]) => list.map((message) => withoutCacheMarks(JSON.stringify(message)))
    expect(plain(messages[2]!).slice(0, messages[1]!.length)).toEqual(plain(messages[1]!))
    const { headers } = fake.requests[0]!
    expect(headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization).toContain(KEY)
  })
}

function notSystem(message: unknown): boolean {
  return (message as { role: string }).role !== 'system'
}

function withoutCacheMarks(text: string): string {
  return text.replaceAll(/,?"cache_control":\{[^}]*\}/g, '')
}

test('Stop ends the answer at once, keeps what arrived, and the provider sees the connection drop', async ({
  launch,
}) => {
  const session = await launch()
  const { page } = session
  await addProvider(session, fake, 'anthropic')
  fake.queue({ text: ['Once upon ', 'a time ', 'there was'], hangAfter: 5 })
  await sendMessage(page, 'Tell me a story')
  await expect(transcript(page)).toContainText('Once upon')
  await page.keyboard.press('ControlOrMeta+.')
  await fake.dropped(1)
  await expect(transcript(page)).toContainText(/stopped/i)
  await expect(transcript(page)).toContainText('Once upon')
  fake.queue({ text: ['Yes, still here.'] })
  await sendMessage(page, 'Are you there?')
  await expect(transcript(page)).toContainText('Yes, still here.')
})

test('Settings calls a provider ready only after it answered, and an error stays in its column', async ({
  launch,
}) => {
  const session = await launch()
  const { page } = session
  await addProvider(session, fake, 'openai')
  await page.keyboard.press('ControlOrMeta+,')
  const row = page.getByRole('list', { name: 'Providers' }).getByRole('listitem').last()
  await expect(row).toContainText('Key set, not checked')
  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row).toContainText('Ready')
  await fake.close()
  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row).toContainText('Check failed')
  await expect(row).not.toContainText('Ready')
  expect(await row.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
  fake = await startFakeProvider()
})

test('a checked provider offers its models to choose from', async ({ launch }) => {
  const session = await launch()
  const { page } = session
  await addProvider(session, fake, 'openai')
  await page.keyboard.press('ControlOrMeta+,')
  const row = page.getByRole('list', { name: 'Providers' }).getByRole('listitem').last()
  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row).toContainText('offers 2 models')
  await row.getByRole('button', { name: 'Change' }).click()
  const form = page.getByRole('dialog', { name: 'Change Local test' })
  await form.getByRole('checkbox', { name: 'model-b' }).check()
  // Also one whose form still stands open, with what was typed meanwhile.
  fake.models = ['model-b', 'model-c']
  await form.getByRole('button', { name: 'Ask what it offers' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Local test')
  await expect(form.getByRole('status')).toContainText('offers 2 models')
  await expect(form.getByRole('checkbox', { name: 'model-c' })).not.toBeChecked()
  await expect(form.getByRole('textbox', { name: 'Models' })).toHaveValue('test-model\nmodel-b')
  await form.getByRole('button', { name: 'Save provider' }).click()
  await expect(form).toHaveCount(0)
  const choice = page.getByRole('combobox', { name: 'Default model' })
  await expect(choice.getByRole('option', { name: /model-b/ })).toContainText('Local test')
})

test('a limit that was reached stops the next call before it is made', async ({ launch }) => {
  const session = await launch()
  const { page } = session
  await addProvider(session, fake, 'anthropic', 'claude-sonnet-4-5')
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('textbox', { name: /^Spending limit for a chat/ }).fill('1.50')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Reset Spending limit for a chat' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+N')
  fake.queue({ text: ['Dear words.'], usage: { input: 0, output: 100_000 } })
  await sendMessage(page, 'Hello?')
  await expect(transcript(page)).toContainText('Dear words.')
  await sendMessage(page, 'And now?')
  await expect(step(page, 'error')).toContainText('the limit is $1.50')
  expect(fake.requests).toHaveLength(1)
})

test('servers on this computer are looked for only when a person asks', async ({ launch }) => {
  const session = await launch()
  const { page } = session
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Models', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Servers found' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Detect' }).click()
  await expect(page.getByRole('list', { name: 'Servers found' })).toBeVisible()
})

test('a certificate file of the settings is used at once, and a wrong one is named', async ({ launch }) => {
  const session = await launch()
  const { page } = session
  await addProvider(session, fake, 'openai')
  const pem = join(session.home, 'company.pem')
  writeFileSync(pem, rootCertificates[0] ?? '')
  const choose = async (path: string) => {
    await page.keyboard.press('ControlOrMeta+,')
    await page.getByRole('textbox', { name: 'Certificate authority' }).fill(path)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+N')
  }
  await choose(pem)
  fake.queue({ text: ['Here I am.'] })
  await sendMessage(page, 'Hello?')
  await expect(transcript(page)).toContainText('Here I am.')
  await choose(`${pem}.gone`)
  await page.keyboard.press('ControlOrMeta+,')
  await expect(page.getByRole('textbox', { name: 'Certificate authority' })).toHaveValue(pem)
  await page.getByRole('textbox', { name: 'Certificate authority' }).fill(`${pem}.gone`)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('alert')).toContainText("company.pem.gone can't be read")
  rmSync(pem)
  await page.keyboard.press('ControlOrMeta+N')
  await sendMessage(page, 'And now?')
  await expect(step(page, 'error')).toContainText("company.pem can't be read")
  expect(fake.requests).toHaveLength(1)
})

test('the key is nowhere on disk and never in the page', async ({ launch }) => {
  const session = await launch()
  await addProvider(session, fake, 'openai')
  await expect(session.page.locator('body')).not.toContainText(KEY)
  await session.close()
  const found = spawnSync('grep', ['-rlaF', '--', KEY, session.home, session.dataDir], { encoding: 'utf8' })
  expect(found.stdout).toBe('')
  // 1: searched everything, found nothing.
  expect(found.status).toBe(1)
})
