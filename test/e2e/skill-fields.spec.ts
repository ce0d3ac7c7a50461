import { expect, tempDir, test } from '../helpers/electron'
import { allowInReview, composer, dock, step, transcript, writeSkill } from '../helpers/chat'

test('a skill is named from the list at "/", works by itself, and asks in the same dock', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'brew', {
    'SKILL.md':
      '---\nname: brew\ndescription: Brews coffee.\nargument-hint: <strength>\ncontext: fork\n---\nBrew $ARGUMENTS. Run `scripts/brew.sh`.\n',
    'scripts/brew.sh': 'echo brewed\n',
  })
  writeSkill(home, 'secretive', {
    'SKILL.md': '---\nname: secretive\ndescription: For agents.\nuser-invocable: false\n---\nTidy.\n',
  })
  const { page, shot } = await launch({ home })
  await composer(page).fill('/')
  const list = page.getByRole('listbox', { name: 'Skills and commands' })
  await expect(list.getByRole('option', { name: /secretive/ })).toHaveCount(0)
  await composer(page).pressSequentially('bre')
  await expect(list.getByRole('option', { name: /brew <strength>/ })).toHaveAttribute('aria-selected', 'true')
  await shot('skill-list')
  await composer(page).press('Tab')
  await expect(composer(page)).toHaveValue('/brew ')
  await composer(page).pressSequentially('brew strong')
  await composer(page).press('Enter')

  await expect(dock(page)).toContainText('brew, for Practice agent')
  await expect(page.getByRole('region', { name: 'Steps of brew' })).toContainText('Asking to run it')
  await shot('fork-waits')
  await allowInReview(page)
  await expect(step(page, 'skill-loaded')).toHaveAttribute('data-state', 'done')
  await step(page, 'skill-loaded').getByRole('button', { expanded: false }).first().click()
  await expect(page.getByRole('region', { name: 'Steps of brew' })).toContainText('brewed')
  await shot('fork-done')
  const inner = page.getByRole('region', { name: 'Steps of brew' })
  await inner.getByRole('button', { expanded: false }).first().click()
  await inner.getByRole('button', { name: 'What the model saw' }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText('brew works by itself for this chat.')
  await details.getByText('Active skills', { exact: true }).click()
  await expect(details.getByLabel('Active skills, exact text')).toContainText('Brew brew strong')
  await shot('fork-context')
  await expect(transcript(page)).toContainText('/brew brew strong')
})
