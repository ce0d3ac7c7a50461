import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { composer, writeSkill } from '../helpers/chat'
import { expect, tempDir, test, type Session } from '../helpers/electron'
import { violations } from '../helpers/wcag'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Skills' })
const row = (page: Page, name: string): Locator => grid(page).locator(`[data-skill="${name}"]`)
const search = (page: Page): Locator => page.getByRole('combobox', { name: /^Filter by name/ })
const details = (page: Page): Locator => page.locator('[data-pane="details"]')

const skillMd = (name: string, description: string, body = 'Do it.\n'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function openSkills(page: Page): Promise<void> {
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  await expect(grid(page)).toBeVisible()
}

async function openProject({ app, page }: Session, project: string): Promise<void> {
  await expect(composer(page)).toBeVisible()
  await app.evaluate(({ dialog }, dir) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [dir] })
  }, project)
  await page.keyboard.press('ControlOrMeta+O')
  await expect(page.getByRole('banner').getByRole('button', { name: /northwind/ })).toBeVisible()
}

async function resize({ app, page }: Session, width: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, width) => {
    const window = BrowserWindow.getAllWindows()[0]!
    window.setMinimumSize(320, 300)
    window.setContentSize(width, 700)
  }, width)
  await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
}

test('what changes on disk is seen in the list: an edit, a new skill, one that is gone', async ({
  launch,
}) => {
  const home = tempDir()
  const dir = writeSkill(home, 'gardener', { 'SKILL.md': skillMd('gardener', 'Waters the cactus.') })
  const { page } = await launch({ home })
  await openSkills(page)
  await expect(row(page, 'gardener')).toContainText('Waters the cactus.')

  writeFileSync(join(dir, 'SKILL.md'), skillMd('gardener', 'Prunes the roses.'))
  await expect(row(page, 'gardener')).toContainText('Prunes the roses.')

  writeSkill(home, 'beekeeper', { 'SKILL.md': skillMd('beekeeper', 'Looks after the bees.') })
  await expect(row(page, 'beekeeper')).toBeVisible()

  rmSync(dir, { recursive: true })
  await expect(row(page, 'gardener')).toHaveCount(0)
})

test('a skill with warnings says how many in its row, and what to do in its details', async ({ launch }) => {
  const home = tempDir()
  const dir = writeSkill(home, 'attic', {
    'SKILL.md': skillMd('attic', 'Tidies: the attic.', 'See [the map](references/map.md).\n'),
  })
  symlinkSync('/etc/hostname', join(dir, 'outside.txt'))
  const { page } = await launch({ home })
  await openSkills(page)
  await expect(row(page, 'attic').getByText(/\d+ problems?/)).toBeAttached()
  await row(page, 'attic').click()
  const problems = details(page).getByRole('list', { name: 'Problems' })
  await expect(problems).toContainText('outside.txt')
  await expect(problems).toContainText('Replace it by')
  await expect(page.getByRole('button', { name: /^With warnings/ })).toBeVisible()

  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: /^Problems/ }).click()
  await expect(page.getByRole('tabpanel').getByRole('listitem').first()).toContainText(
    /SKILL\.md|outside\.txt/,
  )
})

test('the search finds words in files and says where, and operators narrow and complete themselves', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'scanner', {
    'SKILL.md': skillMd('scanner', 'Reads scanned pages.'),
    'references/ocr.md': 'Before reading, deskew the page.\n',
  })
  writeSkill(home, 'baker', {
    'SKILL.md': skillMd('baker', 'Bakes bread.'),
    'scripts/bake.sh': '#!/bin/sh\necho bread\n',
  })
  const { page } = await launch({ home })
  await openSkills(page)
  await row(page, 'baker').click()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await search(page).fill('deskew')
  await expect(row(page, 'scanner')).toContainText('in references/ocr.md')
  await expect(row(page, 'scanner').locator('mark')).toHaveText('deskew')
  await expect(row(page, 'baker')).toHaveCount(0)
  // The details are of no skill that is not listed, then of the row that the keys go to.
  await expect(page.getByRole('complementary', { name: 'baker' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'All 1', exact: true })).toBeVisible()
  await search(page).press('ArrowDown')
  await expect(row(page, 'scanner')).toBeFocused()
  await expect(page.getByRole('complementary', { name: 'scanner' })).toBeVisible()

  await search(page).fill('from:pers')
  await expect(page.getByRole('option', { name: 'from:personal' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(search(page)).toHaveValue('from:personal ')
  await search(page).pressSequentially('has:scripts ')
  await expect(row(page, 'baker')).toBeVisible()
  await expect(grid(page).locator('[data-skill]')).toHaveCount(1)

  await search(page).fill('colour:red')
  await expect(page.getByRole('status').filter({ hasText: 'no operator' })).toBeVisible()
})

test('a skill is turned off and on again, and its name says so', async ({ launch }) => {
  const home = tempDir()
  writeSkill(home, 'gardener', { 'SKILL.md': skillMd('gardener', 'Waters the cactus.') })
  const { page } = await launch({ home })
  await openSkills(page)
  await row(page, 'gardener').click()
  await details(page).getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('menuitem', { name: 'Turn off everywhere' }).click()
  await expect(row(page, 'gardener')).toHaveAttribute('data-state', 'off')
  await expect(details(page)).toContainText('You turned it off everywhere.')
  await details(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(row(page, 'gardener')).toHaveAttribute('data-state', 'effective')
})

test('several are marked by keys and turned off at once; rows get compact, and a column goes', async ({
  launch,
}) => {
  const home = tempDir()
  for (const name of ['ant', 'bee', 'cat']) {
    writeSkill(home, name, { 'SKILL.md': skillMd(name, `Looks after the ${name}.`) })
  }
  const { page } = await launch({ home })
  await openSkills(page)
  await row(page, 'ant').click()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(row(page, 'bee')).toHaveAttribute('aria-selected', 'true')
  const bar = page.getByRole('toolbar', { name: '2 selected' })
  await bar.getByRole('button', { name: 'Turn off' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Turn off everywhere' }).press('Enter')
  await expect(row(page, 'ant')).toHaveAttribute('data-state', 'off')
  await expect(row(page, 'bee')).toHaveAttribute('data-state', 'off')
  await expect(row(page, 'cat')).toHaveAttribute('data-state', 'effective')
  expect(await violations(page)).toEqual([])
  await bar.getByRole('button', { name: 'Turn on' }).click()
  await expect(row(page, 'bee')).toHaveAttribute('data-state', 'effective')

  await bar.getByRole('button', { name: 'Move to…' }).press('Enter')
  const moving = page.getByRole('dialog', { name: 'Move 2 skills' })
  await expect(moving.getByRole('row', { name: /^bee/ })).toContainText('~/.agents/skills/bee')
  expect(await violations(page, ['light', 'hc-dark'])).toEqual([])
  await moving.getByRole('button', { name: 'Move 2 skills' }).press('Enter')
  await expect(row(page, 'ant')).toHaveAttribute('data-scope', 'shared')
  await expect(row(page, 'bee')).toHaveAttribute('data-scope', 'shared')
  const toast = page.getByRole('region', { name: 'Last change' })
  await expect(toast).toContainText('Moved 2 skills.')
  await toast.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(row(page, 'ant')).toHaveAttribute('data-scope', 'personal')
  await expect(row(page, 'bee')).toHaveAttribute('data-scope', 'personal')
  await expect(page.locator(':focus')).toHaveRole('row')

  const shared = page.getByRole('button', { name: /^~\/\.agents\/skills/ })
  await row(page, 'cat').dragTo(shared)
  const dropped = page.getByRole('dialog', { name: 'Move cat' })
  await expect(dropped).toContainText('~/.agents/skills/cat')
  await page.keyboard.press('Escape')
  await expect(row(page, 'cat')).toHaveAttribute('data-scope', 'personal')

  await page.getByRole('button', { name: 'Columns and density' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click()
  await expect.poll(async () => (await row(page, 'cat').boundingBox())?.height).toBe(32)
  await page.getByRole('button', { name: 'Columns and density' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Runs, 30 days' }).click()
  await expect(grid(page).getByRole('columnheader', { name: 'Runs, 30 days' })).toHaveCount(0)
})

test('trust is decided by a review, then a copy can be chosen for the project and the choice undone', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'forms', { 'SKILL.md': skillMd('forms', 'My forms.') })
  const project = join(home, 'work', 'northwind')
  write(join(project, '.satchel/skills/forms/SKILL.md'), skillMd('forms', 'Forms of the project.'))
  write(join(project, '.satchel/skills/notes/SKILL.md'), skillMd('notes', 'Release notes.'))
  write(join(project, '.satchel/skills/notes/scripts/collect.sh'), '#!/bin/sh\necho ok\n')
  const session = await launch({ home })
  const { page } = session
  await openProject(session, project)
  await openSkills(page)
  await expect(row(page, 'notes')).toHaveAttribute('data-state', 'not-trusted')

  await page.getByRole('button', { name: 'Review…' }).click()
  const sheet = page.getByRole('dialog', { name: /^Trust/ })
  await expect(sheet).toContainText('2 skills, 1 script.')
  await expect(sheet).toContainText('scripts/collect.sh')
  await expect(sheet).toContainText('another copy ranks higher')
  await sheet.getByRole('button', { name: 'Keep inactive' }).click()
  await expect(row(page, 'notes')).toHaveAttribute('data-state', 'not-trusted')
  await page.getByRole('button', { name: 'Review…' }).click()
  await sheet.getByRole('button', { name: 'Trust folder' }).click()
  await expect(row(page, 'notes')).toHaveAttribute('data-state', 'effective')

  const mine = grid(page).locator('[data-skill="forms"][data-scope="personal"]')
  const theirs = grid(page).locator('[data-skill="forms"][data-scope="project"]')
  await expect(theirs).toContainText('Shadowed by Personal')
  await mine.click()
  await details(page).getByRole('button', { name: 'Use this copy here' }).click()
  await expect(theirs).toHaveAttribute('data-effective', 'true')
  await expect(details(page)).toContainText('You chose the Project copy for northwind.')
  await details(page).getByRole('button', { name: 'Undo choice' }).click()
  await expect(mine).toHaveAttribute('data-effective', 'true')
})

test('skills inside another one stand below it and can be folded by key', async ({ launch }) => {
  const home = tempDir()
  writeSkill(home, 'toolbox', {
    'SKILL.md': skillMd('toolbox', 'Holds tools.'),
    'skills/hammer/SKILL.md': skillMd('hammer', 'Hits nails.'),
  })
  const { page } = await launch({ home })
  await openSkills(page)
  await expect(row(page, 'hammer')).toHaveAttribute('data-state', 'unavailable')
  await row(page, 'toolbox').click()
  await row(page, 'toolbox').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(row(page, 'hammer')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(row(page, 'hammer')).toBeVisible()
})

test('where there is no room for the details a click opens the page, and Back returns to the row', async ({
  launch,
}) => {
  const session = await launch()
  const { page } = session
  await openSkills(page)
  await resize(session, 1000)
  await row(page, 'json-tidy').click()
  await expect(page.getByRole('heading', { name: 'json-tidy' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Which copy is used' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'json-tidy')).toBeFocused()
})

test('search and selection are still there after a look at the chats', async ({ launch }) => {
  const { page } = await launch()
  await openSkills(page)
  await page.keyboard.press('/')
  await page.keyboard.type('from:bundled json')
  await row(page, 'json-tidy').click()
  await page.keyboard.press('ControlOrMeta+1')
  await expect(composer(page)).toBeVisible()
  await openSkills(page)
  await expect(search(page)).toHaveValue('from:bundled json')
  await expect(row(page, 'json-tidy')).toHaveAttribute('aria-selected', 'true')
})

test('no state of the skills area breaks a rule of WCAG 2.2 AA, light or dark', async ({ launch }) => {
  test.slow()
  const home = tempDir()
  writeSkill(home, 'attic', { 'SKILL.md': skillMd('attic', 'Tidies: the attic.', 'See [it](no.md).\n') })
  writeSkill(home, 'empty', { 'SKILL.md': '' })
  writeSkill(home, 'toolbox', {
    'SKILL.md': skillMd('toolbox', 'Holds tools.'),
    'skills/hammer/SKILL.md': skillMd('hammer', 'Hits nails.'),
  })
  write(join(home, '.claude/skills/art/SKILL.md'), skillMd('art', 'Draws.'))
  const project = join(home, 'work', 'northwind')
  write(join(project, '.satchel/skills/attic/SKILL.md'), skillMd('attic', 'Another attic.'))
  const session = await launch({ home })
  const { page } = session
  await expect(composer(page)).toBeVisible()
  await openProject(session, project)
  await openSkills(page)
  await row(page, 'attic').first().click()
  await expect(details(page).getByRole('list', { name: 'Problems' })).toBeVisible()
  expect(await violations(page, ['light', 'dark']), 'with details').toEqual([])
  await page.keyboard.press('/')
  await page.keyboard.type('att from:')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  expect(await violations(page, ['light', 'dark']), 'with operators offered').toEqual([])
  await search(page).fill('colour:red')
  expect(await violations(page, ['light', 'dark']), 'with nothing found').toEqual([])
  await search(page).fill('')
  await page.getByRole('button', { name: 'Review…' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  expect(await violations(page, ['light', 'dark']), 'trust review').toEqual([])
  await page.keyboard.press('Escape')
  await row(page, 'attic').first().dblclick()
  await expect(page.getByRole('tab', { name: /^Problems/ })).toBeVisible()
  expect(await violations(page, ['light', 'dark']), 'page').toEqual([])
  await page.getByRole('tab', { name: /^Problems/ }).click()
  expect(await violations(page, ['light', 'dark']), 'problems').toEqual([])
})

interface Box {
  left: number
  right: number
  width: number
}

test('at every width each cell of the list has its heading above it', async ({ launch }) => {
  const session = await launch()
  const { page } = session
  await openSkills(page)
  const edges = (part: Locator) =>
    part.evaluateAll((cells) =>
      cells
        .map((cell) => (cell as unknown as { getBoundingClientRect(): Box }).getBoundingClientRect())
        .filter((box) => box.width > 0)
        .map((box) => [Math.round(box.left), Math.round(box.right)]),
    )
  for (const width of [1440, 1000, 700, 500]) {
    await resize(session, width)
    await expect(async () => {
      const heads = await edges(grid(page).getByRole('columnheader'))
      const cells = await edges(grid(page).locator('[data-index="0"]').getByRole('gridcell'))
      expect(cells, `at ${width} pixels`).toEqual(heads)
      expect(heads.length).toBeGreaterThan(1)
    }).toPass()
  }
})
