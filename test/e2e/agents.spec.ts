import { expect, test } from '../helpers/electron'
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
