import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { allowInReview, composer, dock, sendMessage, step, stepKinds, transcript } from '../helpers/chat'
import { expect, tempDir, test, type Session } from '../helpers/electron'
import { startFakeProvider, type FakeProvider } from '../helpers/fake-provider'
import { addProvider } from '../helpers/provider-form'

const SKILL = `---
name: code-review
# whoever reads this: keep it
x-team: platform
description: To be written.
---

# Code review

Follow [the style guide](docs/style-guide.md), then run \`scripts/run-linters.sh\`.
`
const DESCRIPTION = 'Reviews changes for style and safety. Use when asked to review code.'
const GUIDE = '# Style\n\nShort functions.\n'
const LINTERS = '#!/bin/sh\necho no findings\n'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Skills' })
const text = (page: Page, file: string): Locator => page.getByRole('textbox', { name: file, exact: true })

let fake: FakeProvider
test.beforeEach(async () => {
  fake = await startFakeProvider()
})
test.afterEach(() => fake.close())

async function openProject({ app, page }: Session, project: string): Promise<void> {
  await expect(composer(page)).toBeVisible()
  await app.evaluate(({ dialog }, dir) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [dir] })
  }, project)
  await page.keyboard.press('ControlOrMeta+O')
  await expect(page.getByRole('banner').getByRole('button', { name: /northwind/ })).toBeVisible()
}

/** Puts a text into the open file in place of what stands there, and saves. */
async function write(page: Page, file: string, content: string): Promise<void> {
  await text(page, file).focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(content)
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
}

async function addFile(page: Page, path: string, content: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to this skill' }).press('Enter')
  await page.getByRole('menuitem', { name: 'New file…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New file…' })
  await dialog.getByRole('textbox').fill(path)
  await dialog.getByRole('textbox').press('Enter')
  await write(page, path, content)
}

test('J2: a skill is written in a project, used in a new chat, and holds the agent to its tools', async ({
  launch,
}) => {
  const home = tempDir()
  const project = join(home, 'work', 'northwind')
  mkdirSync(project, { recursive: true })
  const session = await launch({ home })
  const { page } = session
  await addProvider(session, fake, 'anthropic')
  await openProject(session, project)

  await page.keyboard.press('ControlOrMeta+Shift+S')
  const made = page.getByRole('dialog', { name: 'New skill' })
  await made.getByRole('textbox', { name: 'Name' }).fill('code-review')
  await expect(made.getByRole('combobox', { name: 'Where' })).toHaveValue('project')
  await expect(made).toContainText('The project is not trusted yet.')
  await made.getByRole('button', { name: 'Review…' }).press('Enter')
  const review = page.getByRole('dialog', { name: /^Trust/ })
  await expect(review).toContainText('This folder brings no skills now.')
  await review.getByRole('button', { name: 'Trust folder' }).press('Enter')
  await expect(review).toHaveCount(0)
  await expect(made).toContainText('northwind/.satchel/skills/code-review')
  await made.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'code-review', level: 1 })).toBeVisible()
  const dir = join(project, '.satchel', 'skills', 'code-review')
  expect(existsSync(join(dir, 'SKILL.md'))).toBe(true)

  // Text, then fields: what the form does not change stays as it stands.
  await page.getByRole('tab', { name: 'Edit' }).click()
  await write(page, 'SKILL.md', SKILL)
  expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(SKILL)
  await addFile(page, 'docs/style-guide.md', GUIDE)
  await addFile(page, 'scripts/run-linters.sh', LINTERS)
  expect(readFileSync(join(dir, 'docs/style-guide.md'), 'utf8')).toBe(GUIDE)
  expect(readFileSync(join(dir, 'scripts/run-linters.sh'), 'utf8')).toBe(LINTERS)
  await page.getByRole('treeitem', { name: 'SKILL.md' }).click()
  await page.getByRole('textbox', { name: 'Description' }).fill(DESCRIPTION)
  const tools = page.getByRole('combobox', { name: 'Allowed tools' })
  for (const tool of ['Read', 'Bash', 'Glob']) {
    await tools.fill(tool)
    await tools.press('Enter')
  }
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  const saved = SKILL.replace('To be written.', DESCRIPTION).replace(
    `${DESCRIPTION}\n`,
    `${DESCRIPTION}\nallowed-tools: Read Bash Glob\n`,
  )
  expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(saved)
  const lines = await text(page, 'SKILL.md').locator('.cm-line').allTextContents()
  expect(lines.join('\n')).toBe(saved)

  await page.getByRole('button', { name: 'Back to the list' }).press('Enter')
  const row = grid(page).locator('[data-skill="code-review"][data-scope="project"]')
  await expect(row).toHaveAttribute('data-state', 'effective')
  await expect(row).toContainText(DESCRIPTION)

  // Tried with one prompt, from the details beside the list: nothing of it is in a chat.
  await row.click()
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  const trial = page.getByRole('complementary', { name: 'Trial of the unsaved text' })
  await expect(step(page, 'skill-loaded')).toHaveAttribute('data-skill', 'code-review')
  fake.queue({ text: ['Tried it.'] })
  await sendMessage(page, 'What would you look at?')
  await expect(trial).toContainText('Tried it.')
  await trial.getByRole('button', { name: 'Close the trial' }).press('Enter')
  await expect(trial).toHaveCount(0)

  fake.queue(
    { toolCalls: [{ name: 'skills_load', input: { names: ['code-review'] } }] },
    { toolCalls: [{ name: 'Write', input: { path: 'auth.txt', content: 'mine' } }] },
    { toolCalls: [{ name: 'skills_run_script', input: { path: 'scripts/run-linters.sh' } }] },
    { text: ['The auth module is fine.'] },
  )
  await page.keyboard.press('ControlOrMeta+N')
  await sendMessage(page, 'Review the changes in the auth module')
  await expect(dock(page)).toBeVisible()
  await allowInReview(page)
  await expect(transcript(page)).toContainText('The auth module is fine.')
  await expect(step(page, 'skill-loaded')).toHaveAttribute('data-skill', 'code-review')
  await expect(step(page, 'tool-blocked')).toContainText("not allowed by active skill 'code-review'")
  expect(await stepKinds(page)).toEqual(['skill-loaded', 'tool-blocked', 'run-done'])
  expect(existsSync(join(project, 'auth.txt'))).toBe(false)
})
