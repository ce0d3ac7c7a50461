import { composer } from './chat'
import { expect, type Session } from './electron'
import type { FakeProvider, Protocol } from './fake-provider'

/** What `addProvider` types as the key. */
export const PROVIDER_KEY = 'sk-test-0123456789abcdef'

/** The preset that speaks a protocol. */
const PRESET: Record<Protocol, RegExp> = {
  anthropic: /^Anthropic/,
  openai: /^Ollama/,
  'openai-responses': /^OpenAI$/,
  google: /^Google/,
}

/** Sets the provider up as a person would, with a key for this run only, and makes it the default. */
export async function addProvider(
  { page }: Session,
  { url }: FakeProvider,
  protocol: Protocol,
  model = 'test-model',
): Promise<void> {
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Models', exact: true }).click()
  await page.getByRole('button', { name: 'Add provider' }).click()
  await page.getByRole('menuitem', { name: PRESET[protocol] }).click()
  const form = page.getByRole('dialog', { name: 'Add provider' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Local test')
  await form.getByRole('textbox', { name: 'Address' }).fill(url)
  await form.getByRole('textbox', { name: 'Models' }).fill(model)
  await expect(form.getByRole('radio', { name: /keychain/ })).toBeDisabled()
  await form.getByRole('radio', { name: /^For this run only/ }).check()
  await form.getByLabel('Key', { exact: true }).fill(PROVIDER_KEY)
  await form.getByRole('button', { name: 'Save provider' }).click()
  await expect(form).toHaveCount(0)
  const choice = page.getByRole('combobox', { name: 'Default model' })
  await choice.selectOption({ label: await labelOf(choice, model) })
  await page.keyboard.press('ControlOrMeta+N')
}

async function labelOf(choice: ReturnType<Session['page']['getByRole']>, part: string): Promise<string> {
  const labels = await choice.getByRole('option').allTextContents()
  return labels.find((label) => label.includes(part)) ?? `no option with ${part} among ${labels.join(', ')}`
}
