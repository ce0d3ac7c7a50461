import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, tempDir, test } from '../helpers/electron'
import { sendMessage } from '../helpers/chat'

// R15: who a chat is with is chosen before anything is said, and stays.
test('a person chooses the agent of an empty chat, whose skill is there and can not be unloaded', async ({
  launch,
}) => {
  const { page } = await launch()
  await page.getByRole('button', { name: /^Agent: / }).click()
  await page.getByRole('menuitemcheckbox', { name: /Skill writer/ }).click()
  const skill = page
    .getByRole('region', { name: 'Active skills' })
    .getByRole('button', { name: /skill-creator/ })
  await expect(skill).toContainText('Always used by this agent')
  await skill.click()
  await expect(page.getByRole('menuitem', { name: 'Unload' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await sendMessage(page, 'Hello')
  await expect(page.getByTitle(/^Skill writer,/).first()).toBeVisible()
  await page.getByRole('button', { name: /^Agent: Skill writer/ }).click()
  await expect(page.getByText('New chat with')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('agents.png') })
})

test('a person sees every agent with what is wrong with it, and makes one the default for new chats', async ({
  launch,
}) => {
  const home = tempDir()
  const file = (name: string, text: string) => {
    mkdirSync(join(home, '.satchel', 'agents'), { recursive: true })
    writeFileSync(join(home, '.satchel', 'agents', `${name}.md`), text)
  }
  file(
    'clerk',
    '---\nname: clerk\nlabel: Document clerk of mine\ndescription: Fills forms.\nuses_skills: [no-such-skill]\ntools: {Bash: never, Write: ask}\nlimits: {steps: 12}\n---\nYou.\n',
  )
  file('broken', 'No frontmatter.')
  const { page, shot } = await launch({ home })
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+4')
  const agents = page.getByRole('list', { name: 'Agents' })
  const clerk = agents.locator('[data-agent=clerk]')
  await expect(clerk).toContainText('Bash never; Write asks')
  await expect(clerk).toContainText('no-such-skill')
  await expect(agents.locator('[data-agent=broken]')).toContainText('Won’t load')
  await clerk.getByRole('button', { name: /^Use as default/ }).click()
  await expect(clerk.getByText('Default', { exact: true })).toBeVisible()
  await shot('agents-page')
  await page.keyboard.press('ControlOrMeta+1')
  await expect(page.getByRole('button', { name: 'Agent: Document clerk of mine' })).toBeVisible()
})
