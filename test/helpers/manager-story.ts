import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { composer, dock, sendMessage, writeSkill } from './chat'
import { expect, type Session } from './electron'

/** The screens of mockups 2, 3 and 7. */
export type ManagerScreen = '2-skill-library' | '3-skill-editor' | '7-command-palette'

const LIST = '1. List the fields first:\n   `python3 scripts/inspect_form.py <form>`'
const PDF_SKILL = {
  'SKILL.md': `---
name: pdf-processing
description: Extract text and tables from PDF files, fill forms, merge documents. Use when the user mentions PDFs, forms or scans.
license: MIT
allowed-tools: Read Bash(python3:*)
metadata:
  version: 2.3.0
---

# PDF processing

## Fill a form

${LIST}
2. Map every required field. If one has no value, stop and ask.
3. Fill with \`scripts/fill_form.py\`. Never overwrite the blank form.
4. For checkbox values see [forms](references/forms.md#checkboxes).

## Extract tables

Use \`scripts/tables.py\`. For scanned pages read references/ocr.md
`,
  'references/forms.md': `# Forms\n\n## Checkbox values\n\n${'On or Off, as the form names them.\n'.repeat(60)}`,
  'references/ocr.md': `# Scans\n\n${'Deskew the page before it is read.\n'.repeat(40)}`,
  'references/tables.md': '# Tables\n\nA table ends at an empty line.\n',
  'scripts/inspect_form.py': '#!/usr/bin/env python3\nprint("f1_01 name text")\n',
  'scripts/fill_form.py': '#!/usr/bin/env python3\nprint("filled")\n',
  'scripts/merge.py': '#!/usr/bin/env python3\nprint("merged")\n',
  'scripts/tables.py': '#!/usr/bin/env python3\nprint("no tables")\n',
  'assets/w9.txt': 'A blank form.\n',
  'LICENSE.txt': 'MIT\n',
}

/** Folders below the home, and what is said of the skill there. */
const OTHERS: Record<string, string> = {
  '.satchel/skills/pdf-processing': 'Extract text from PDFs with pdfplumber.',
  '.satchel/skills/vendor-naming': 'How we spell and file vendor names. Use it for every new vendor.',
  '.satchel/skills/sql-explain': 'Read query plans and suggest indexes. Use it for slow queries. Read-only.',
  'work/northwind-ops/.satchel/skills/release-notes':
    'Draft release notes from merged pull requests and the changelog. Use it before a release.',
  '.satchel/plugins/team-pack/skills/weekly-status':
    'Write the Friday status report from tickets and merged work. Use it on Fridays.',
  '.claude/skills/frontend-design': 'Build distinctive interfaces without a generic look. Use it for pages.',
}

/** Writes the skills of the mockups' story into a home; gives the folder of its project. */
export function writeManagerStory(home: string): string {
  for (const [folder, description] of Object.entries(OTHERS)) {
    const name = folder.split('/').at(-1)!
    write(
      join(home, folder, 'SKILL.md'),
      `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\nShort.\n`,
    )
  }
  writeSkill(home, 'kubernetes-deploy', {
    'SKILL.md': '---\nname: kubernetes-deploy\ndescription: Deploy to staging and production.\n\n# Deploy\n',
  })
  const project = join(home, 'work', 'northwind-ops')
  for (const [path, text] of Object.entries(PDF_SKILL))
    write(join(project, '.satchel/skills/pdf-processing', path), text)
  write(join(project, 'intake/vendors.csv'), 'name,tax_class\nContoso,C\n')
  return project
}

/** Opens the project, trusts it, and stops at every screen of the mockups, as a person would come by. */
export async function walkManagerStory(
  session: Session,
  project: string,
  at: (screen: ManagerScreen) => Promise<void>,
): Promise<void> {
  const { page } = session
  await openTrusted(session, project)
  await page.keyboard.press('ControlOrMeta+2')
  const grid = page.getByRole('grid', { name: 'Skills' })
  const mine = grid.locator('[data-skill="pdf-processing"][data-scope="project"]')
  await mine.click()
  await page.getByRole('button', { name: 'Use this copy here' }).click()
  await expect(mine).toHaveAttribute('data-effective', 'true')
  await at('2-skill-library')

  await mine.dblclick()
  await page.getByRole('tab', { name: 'Edit' }).click()
  const source = page.getByRole('textbox', { name: 'SKILL.md', exact: true })
  await expect(source).toContainText('references/ocr.md')
  await page.getByRole('textbox', { name: 'License' }).fill('MIT AND OFL-1.1')
  await page.getByRole('textbox', { name: 'Description' }).click()
  await expect(page.getByText('Unsaved changes').first()).toBeVisible()
  await expect(page.locator('.ed-strip')).toContainText(/^Line /)
  await at('3-skill-editor')
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.keyboard.press('ControlOrMeta+1')
  await sendMessage(page, 'List the fields of the PDF form with inspect_form.py')
  await expect(dock(page)).toBeVisible()
  const allow = dock(page).getByRole('button', { name: /^Review to allow/ })
  await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('pdf')
  await expect(page.getByRole('option', { name: /pdf-processing/ }).first()).toBeVisible()
  await at('7-command-palette')
  await page.keyboard.press('Escape')
}

/** Parts of the page of a skill, by the names of their tabs. */
const PARTS = [
  'Overview',
  'Files',
  'Scripts',
  'Problems',
  'Source and versions',
  'Usage',
  'What the agent sees',
  'Where it works',
]

/** From launch on by keys alone: the dialogs of arranging, every part of the page of a skill, and the trash. */
export async function walkSkillParts(page: Page, at: (part: string) => Promise<void>): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  const row = page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="sql-explain"]')
  await row.focus()
  for (const name of ['Duplicate…', 'Rename…', 'Move to…', 'Copy to…']) {
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name }).press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await at(name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(row).toBeFocused()
  }
  // One with scripts and references.
  await page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="csv-report"]').press('Enter')
  for (const name of PARTS) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).press('Enter')
    await expect(page.getByRole('tabpanel')).not.toHaveText(/^(?:Reading the skill…)?$/)
    await at(name)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Trash' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Trash' })).toBeFocused()
  await at('Trash')
}

async function openTrusted({ app, page }: Session, project: string): Promise<void> {
  await expect(composer(page)).toBeVisible()
  await app.evaluate(({ dialog, BrowserWindow }, dir) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [dir] })
    BrowserWindow.getAllWindows()[0]!.setContentSize(1440, 900)
  }, project)
  await expect.poll(() => page.evaluate('innerWidth')).toBe(1440)
  await page.keyboard.press('ControlOrMeta+O')
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Trust/ })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Puts a theme on and waits until its colours and fonts stand. */
export async function wearTheme(page: Page, theme: string): Promise<void> {
  await page.locator('html').evaluate(async (html, next) => {
    html.dataset['theme'] = next
    await html.ownerDocument.fonts.ready
    const fades = html.ownerDocument.getAnimations()
    await Promise.allSettled(fades.map((fade: { finished: Promise<unknown> }) => fade.finished))
  }, theme)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
