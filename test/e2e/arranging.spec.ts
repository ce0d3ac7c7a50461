import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { composer, writeSkill } from '../helpers/chat'
import { expect, tempDir, test } from '../helpers/electron'
import { violations } from '../helpers/wcag'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Skills' })
const row = (page: Page, name: string, scope = 'personal'): Locator =>
  grid(page).locator(`[data-skill="${name}"][data-scope="${scope}"]`)
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })

const skillMd = (name: string, description: string): string =>
  `---\nname: ${name} # mine\ndescription: ${description}\n---\nDo it.\n`

async function openSkills(page: Page): Promise<void> {
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  await expect(grid(page)).toBeVisible()
}

/** Chooses from the menu of a row, by keys. */
async function choose(page: Page, skill: Locator, item: string): Promise<void> {
  await skill.focus()
  await page.keyboard.press('Shift+F10')
  // What is typed before the menu has the focus is lost.
  await expect(page.locator('[role="menu"]:focus, [role="menu"] :focus')).toHaveCount(1)
  await page.keyboard.type(item.slice(0, 4))
  await expect(page.getByRole('menuitem', { name: item })).toBeFocused()
  await page.keyboard.press('Enter')
}

test('a skill is made, renamed, deleted and brought back by keys alone', async ({ launch }) => {
  const home = tempDir()
  const dir = writeSkill(home, 'gardener', { 'SKILL.md': skillMd('gardener', 'Waters the cactus.') })
  const skills = join(home, '.satchel', 'skills')
  const { app, page } = await launch({ home })
  await openSkills(page)

  await page.keyboard.press('ControlOrMeta+Shift+S')
  const made = dialog(page, 'New skill')
  await expect(made).toBeVisible()
  await made.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('gardener')
  await expect(made).toContainText('holds "gardener" already')
  await page.keyboard.type('-two')
  await expect(made).toContainText('~/.satchel/skills/gardener-two')
  await made.getByRole('combobox', { name: 'Begins with' }).selectOption({ label: 'Runs a script' })
  await expect(made.getByRole('region', { name: 'What is in it' })).toContainText('scripts/check_table.py')
  expect(await violations(page)).toEqual([])
  await made.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'gardener-two', level: 1 })).toBeVisible()
  expect(statSync(join(skills, 'gardener-two/scripts/check_table.py')).mode & 0o111).not.toBe(0)

  await page.keyboard.press('Escape')
  await choose(page, row(page, 'gardener'), 'Duplicate…')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'gardener')).toBeFocused()
  await choose(page, row(page, 'gardener'), 'Rename…')
  const renamed = dialog(page, 'Rename gardener')
  await renamed.getByRole('textbox', { name: 'Name' }).fill('cactus')
  await expect(renamed).toContainText('name: cactus # mine')
  await expect(renamed).toContainText('Everywhere: cactus becomes available.')
  expect(await violations(page)).toEqual([])
  await renamed.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(row(page, 'cactus')).toBeFocused()
  const text = skillMd('gardener', 'Waters the cactus.').replace('name: gardener', 'name: cactus')
  expect([readFileSync(join(skills, 'cactus/SKILL.md'), 'utf8'), existsSync(dir)]).toEqual([text, false])

  await choose(page, row(page, 'cactus'), 'Delete')
  const toast = page.getByRole('region', { name: 'Last change' })
  await expect(toast).toContainText('Deleted cactus.')
  const undoItem = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('skill-undo')?.label)
  await expect.poll(undoItem).toBe('Undo delete of cactus')
  await expect(row(page, 'cactus')).toBeHidden()
  await toast.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(row(page, 'cactus')).toBeFocused()
  expect(readFileSync(join(skills, 'cactus/SKILL.md'), 'utf8')).toBe(text)

  await choose(page, row(page, 'cactus'), 'Delete')
  await expect(row(page, 'cactus')).toBeHidden()
  await page.getByRole('button', { name: 'Trash' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Trash' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Restore cactus' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'cactus', level: 1 })).toBeFocused()
  expect(readFileSync(join(skills, 'cactus/SKILL.md'), 'utf8')).toBe(text)

  // From a page the key of the area leads to the list.
  await page.keyboard.press('ControlOrMeta+2')
  await expect(row(page, 'cactus')).toBeFocused()

  // Where its name is taken by then, Undo says so and asks for another one, of the folder and in the text.
  await choose(page, row(page, 'cactus'), 'Delete')
  await expect(row(page, 'cactus')).toBeHidden()
  writeSkill(home, 'cactus', { 'SKILL.md': skillMd('cactus', 'Another one.') })
  await toast.getByRole('button', { name: 'Undo' }).press('Enter')
  const restored = dialog(page, 'Restore cactus under another name')
  await expect(restored).toContainText('~/.satchel/skills holds "cactus" already.')
  await expect(restored).toContainText('name: cactus-2 # mine')
  await restored.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'cactus-2', level: 1 })).toBeVisible()
  expect(readFileSync(join(skills, 'cactus-2/SKILL.md'), 'utf8')).toBe(
    text.replace('name: cactus', 'name: cactus-2'),
  )
})

test('J8: skills of other tools stay as they are; a copy in Personal is used instead', async ({ launch }) => {
  const home = tempDir()
  const claude = join(home, '.claude', 'skills')
  const write = (name: string, text: string): string => {
    mkdirSync(join(claude, name), { recursive: true })
    writeFileSync(join(claude, name, 'SKILL.md'), text)
    return join(claude, name, 'SKILL.md')
  }
  writeSkill(home, 'gardener', { 'SKILL.md': skillMd('gardener', 'Mine.') })
  const files = [
    write('gardener', skillMd('gardener', 'Of the other tool.')),
    write('beekeeper', skillMd('beekeeper', 'Looks after the bees.')),
    write('broken', '---\nname: broken\n---\n'),
  ]
  const look = () => files.map((file) => [readFileSync(file, 'utf8'), statSync(file).mtimeMs])
  const before = look()
  const { page } = await launch({ home })
  await openSkills(page)
  await expect(page.getByRole('button', { name: /Claude Code.*read-only/ })).toBeVisible()
  await expect(row(page, 'gardener', 'shared')).toHaveAttribute('data-state', 'shadowed')
  await expect(row(page, 'beekeeper', 'shared')).toHaveAttribute('data-state', 'effective')
  await expect(row(page, 'broken', 'shared')).toHaveAttribute('data-state', 'broken')
  await expect(row(page, 'broken', 'shared')).toContainText('description')
  await page.getByRole('button', { name: /^Won’t load/ }).press('Enter')
  await expect(grid(page).locator('[data-index]')).toHaveCount(1)
  await page.getByRole('button', { name: /^All skills/ }).press('Enter')

  // It can't be moved away, but a copy of it can be made.
  await choose(page, row(page, 'beekeeper', 'shared'), 'Move to…')
  const move = dialog(page, 'Move beekeeper')
  await expect(move).toContainText('It lies in a folder of Claude Code, which Satchel only reads.')
  await move.getByRole('button', { name: 'Copy to Personal instead' }).press('Enter')
  const copy = dialog(page, 'Copy beekeeper')
  await expect(copy).toContainText('~/.satchel/skills/beekeeper')
  await expect(copy).toContainText('Everywhere: is used instead of the Shared copy.')
  await copy.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'beekeeper', level: 1 })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'beekeeper')).toHaveAttribute('data-state', 'effective')
  await expect(row(page, 'beekeeper', 'shared')).toHaveAttribute('data-state', 'shadowed')
  expect(look()).toEqual(before)

  // Deleting the copy brings the shared one to light again, and the toast says so.
  await choose(page, row(page, 'beekeeper'), 'Delete')
  await expect(page.getByRole('region', { name: 'Last change' })).toContainText(
    'The Shared copy is used now.',
  )
  await expect(row(page, 'beekeeper', 'shared')).toHaveAttribute('data-state', 'effective')
})
