import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { writeSkill } from '../helpers/chat'
import { expect, tempDir, test } from '../helpers/electron'
import type { Session } from '../helpers/electron'
import { violations } from '../helpers/wcag'

const BODY = `# PDF processing

## Fill a form

1. List the fields first:
   \`python3 scripts/inspect_form.py <form>\`
2. Map every required field. If one has no value, stop and ask.
3. For checkbox values see [forms](references/forms.md#checkboxes).
`
const SKILL = `---\r
name: pdf-processing\r
# whoever reads this: keep it\r
description: Extract text and tables from PDF files, fill forms.\r
x-own: {kept: [as, it, is]}\r
license: 'MIT'\r
allowed-tools: Read Bash(python3:*)\r
---\r
\r
${BODY.replaceAll('\n', '\r\n')}`

const source = (page: Page): Locator => page.getByRole('textbox', { name: 'SKILL.md', exact: true })
const strip = (page: Page): Locator => page.locator('.ed-strip')

function makeSkill(home: string): string {
  return writeSkill(home, 'pdf-processing', {
    'SKILL.md': SKILL,
    'references/forms.md': '# Forms\n\n## Checkbox values\n\nOn or Off.\n',
    'scripts/inspect_form.py': 'print(1)\n',
  })
}

async function openEditor(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  const row = page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="pdf-processing"]')
  await row.click()
  await row.dblclick()
  await page.getByRole('tab', { name: 'Edit' }).click()
  await expect(source(page)).toBeVisible()
}

/** A file that begins to be dragged is given to the desktop; the menu of its row gives its path without a pointer. */
async function dragsOut({ app, page }: Session, file: string): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    const seen = globalThis as unknown as { __dragged?: string }
    BrowserWindow.getAllWindows()[0]!.webContents.startDrag = (item) => {
      seen.__dragged = item.icon && typeof item.icon !== 'string' && !item.icon.isEmpty() ? item.file : ''
    }
  })
  const row = page.getByRole('treeitem', { name: 'forms.md' })
  await row.dispatchEvent('dragstart')
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { __dragged?: string }).__dragged))
    .toBe(file)
  await page.getByRole('treeitem', { name: 'SKILL.md' }).press('Shift+F10')
  await expect(page.getByRole('menuitem')).toHaveText(['Show in folder', 'Copy path'])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
}

test('fields and text are one document; what is saved differs in nothing but what was changed', async ({
  launch,
}) => {
  const home = tempDir()
  const file = join(makeSkill(home), 'SKILL.md')
  const session = await launch({ home })
  const { page } = session
  await openEditor(page)
  await dragsOut(session, join(home, '.satchel/skills/pdf-processing/references/forms.md'))
  await expect(strip(page)).toContainText('never says when to use the skill')
  await page.keyboard.press('F8')
  await expect(source(page)).toBeFocused()
  await page.keyboard.press('F8')
  await expect(strip(page)).toContainText('2 of 3')

  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('Extract text and tables from PDF files, fill forms. Use for scans.')
  await expect(source(page)).toContainText('fill forms. Use for scans.')
  await expect(page.locator('.ed-bar').getByText('Unsaved changes')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await description.press('ControlOrMeta+Z')
  await expect(source(page)).not.toContainText('Use for scans.')
  await description.press('ControlOrMeta+Shift+Z')
  await expect(description).toHaveValue(/Use for scans\.$/)

  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  expect(readFileSync(file, 'utf8')).toBe(SKILL.replace('fill forms.', 'fill forms. Use for scans.'))

  await description.press('ControlOrMeta+Z')
  await page.keyboard.press('ControlOrMeta+S')
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(SKILL)

  await page.getByRole('button', { name: 'I’m editing this skill' }).click()
  const author = page.getByRole('region', { name: 'You are editing pdf-processing.' })
  await expect(author).toContainText('in the sandbox, without network')
  const stop = await author.getByRole('button', { name: 'Stop' }).boundingBox()
  const bar = await author.boundingBox()
  expect(bar!.height, 'all of it is to be seen').toBeGreaterThanOrEqual(stop!.height)
  expect(bar!.height, 'one line').toBeLessThan(2 * stop!.height)
  expect(await violations(page)).toEqual([])
  await author.getByRole('button', { name: 'Stop' }).click()
  await expect(author).toHaveCount(0)

  await page.getByRole('textbox', { name: 'Name' }).fill('pdf-tools')
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByRole('heading', { name: 'pdf-tools', level: 1 })).toBeVisible()
  await source(page).click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('F8')
  await expect(strip(page)).toContainText('differs from the name of its folder')
  await strip(page).getByRole('button', { name: 'All problems, 2 by the format' }).press('Enter')
  const all = page.getByRole('region', { name: 'Problems' })
  await expect(all.getByRole('list', { name: 'By the format, to the letter' })).toContainText('x-own')
  await expect(all.getByRole('list').first()).toContainText('never says when to use the skill')
  expect(await violations(page)).toEqual([])
  await strip(page).getByRole('button', { name: 'Fix' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('pdf-processing')
  await expect(strip(page).getByRole('status')).toBeFocused()
  await expect(strip(page)).not.toContainText('differs from the name of its folder')

  // The folder takes the name too, and what is typed meanwhile stays typed over the file of now.
  await page.getByRole('textbox', { name: 'Name' }).fill('pdf-tools')
  await page.getByRole('button', { name: 'Rename folder and name…' }).press('Enter')
  await page
    .getByRole('dialog', { name: /^Rename / })
    .getByRole('textbox', { name: 'Name' })
    .press('Enter')
  await expect(page.getByText('matches folder')).toBeVisible()
  await expect(page.getByText('changed on disk')).toHaveCount(0)
  expect(existsSync(file)).toBe(false)
  expect(readFileSync(join(home, '.satchel/skills/pdf-tools/SKILL.md'), 'utf8')).toContain('name: pdf-tools')
})

test('another program’s text and a crash lose nothing that was typed', async ({ launch }) => {
  const home = tempDir()
  const file = join(makeSkill(home), 'SKILL.md')
  const first = await launch({ home })
  await openEditor(first.page)
  await source(first.page).click()
  await first.page.keyboard.press('ControlOrMeta+End')
  await first.page.keyboard.type('Mine.')
  await expect(first.page.getByRole('treeitem', { name: 'SKILL.md' })).toContainText('Unsaved')
  await first.kill9()

  const theirs = SKILL.replace('MIT', 'Apache-2.0')
  writeFileSync(file, theirs)
  const { page } = await launch({ home })
  await openEditor(page)
  await expect(source(page)).toContainText('Mine.')
  const bar = page.locator('.note', { hasText: 'changed on disk' })
  await page.keyboard.press('ControlOrMeta+S')
  await expect(bar).toBeVisible()
  expect(readFileSync(file, 'utf8')).toBe(theirs)

  await bar.getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Two versions of SKILL.md' })
  await expect(dialog.getByRole('textbox', { name: 'On disk' })).toContainText('Apache-2.0')
  await expect(dialog.getByRole('textbox', { name: 'Yours' })).toContainText('Mine.')
  expect(await violations(page)).toEqual([])
  // By keys alone: from their text to the arrow of the first change, which takes it over; the next arrow is at hand then.
  const arrows = dialog.getByRole('button', { name: 'Take this change over from the disk' })
  await expect(arrows).toHaveCount(2)
  await dialog.getByRole('textbox', { name: 'On disk' }).focus()
  await page.keyboard.press('Tab')
  await expect(arrows.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Yours' })).toContainText('Apache-2.0')
  await expect(arrows).toHaveCount(1)
  await expect(arrows).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Yours' }).focus()
  await page.keyboard.press('F8')
  await page.keyboard.press('End')
  await page.keyboard.type(' And this.')
  // F8 walks in their text too. A third text that comes meanwhile is told, and can be compared with the merge so far.
  await dialog.getByRole('textbox', { name: 'On disk' }).focus()
  await page.keyboard.press('F8')
  await expect(dialog.getByRole('textbox', { name: 'On disk' })).toBeFocused()
  const third = theirs.replace('# whoever', '# everybody who')
  writeFileSync(file, third)
  await expect(dialog).toContainText('The file changed again on disk.')
  await dialog.getByRole('button', { name: 'Compare with the newer text' }).press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'On disk' })).toContainText('# everybody who')
  await expect(dialog.getByRole('textbox', { name: 'Yours' })).toContainText('Mine. And this.')
  await expect(dialog.getByRole('textbox', { name: 'Yours' })).toBeFocused()
  await expect(dialog).not.toContainText('changed again')
  await arrows.first().press('Enter')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(bar).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+S')
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(`${third}Mine. And this.`)

  // A folder that gets another name elsewhere is followed, with what is typed; one that is gone says so.
  await source(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' Unsaved.')
  const skills = join(home, '.satchel/skills')
  renameSync(join(skills, 'pdf-processing'), join(skills, 'pdf-tools'))
  await expect(page.getByText('its folder is pdf-tools now')).toBeVisible()
  await expect(source(page)).toContainText('And this. Unsaved.')
  await expect(page.getByRole('heading', { name: 'pdf-processing', level: 1 })).toBeFocused()
  // So is one whose folder and name change in one step, as `satchel skills rename` does it.
  const away = join(home, 'away')
  renameSync(join(skills, 'pdf-tools'), away)
  const named = readFileSync(join(away, 'SKILL.md'), 'utf8').replace(
    'name: pdf-processing',
    'name: pdf-forms',
  )
  writeFileSync(join(away, 'SKILL.md'), named)
  renameSync(away, join(skills, 'pdf-forms'))
  await expect(page.getByRole('heading', { name: 'pdf-forms', level: 1 })).toBeVisible()
  await expect(source(page)).toContainText('And this. Unsaved.')
  rmSync(join(skills, 'pdf-forms'), { recursive: true })
  await expect(page.getByText('The skill pdf-forms isn’t there any more.')).toBeFocused()
  await page.getByRole('button', { name: 'Save as a new skill' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'New skill' })).toBeVisible()
})

test('a skill that is only read, or can’t be, says why and offers what can be done', async ({ launch }) => {
  const home = tempDir()
  writeSkill(home, 'huge', { 'SKILL.md': `${SKILL}${'x'.repeat(1_100_000)}` })
  const { page } = await launch({ home })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  await page.getByRole('grid', { name: 'Skills' }).locator('[data-scope="bundled"]').first().dblclick()
  await page.getByRole('tab', { name: 'Edit' }).click()
  await expect(page.getByText('This skill comes with Satchel.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy to Personal to edit' }).click()
  await expect(page.getByRole('dialog', { name: /^Copy / })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Back is the same key in the text as everywhere.
  await source(page).click()
  await page.keyboard.press(process.platform === 'darwin' ? 'Meta+[' : 'Alt+ArrowLeft')
  await page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="huge"]').dblclick()
  await expect(page.getByRole('tabpanel')).toContainText('SKILL.md is larger than 1 MB, so it is not read.')
  await page.getByRole('tab', { name: 'Edit' }).click()
  const note = page.getByRole('alert')
  await expect(note).toContainText('SKILL.md can’t be opened here.')
  await expect(note).toContainText('larger than 1 MB')
  await expect(note.getByRole('button', { name: 'Show in folder' })).toBeVisible()
  await note.getByRole('button', { name: 'Delete the skill' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Last change' })).toContainText('Deleted huge.')
})
