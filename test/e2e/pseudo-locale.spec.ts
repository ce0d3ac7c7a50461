import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { inPseudoLocale } from '../../src/shared/pseudo-locale'
import { parseSkillMd } from '../../src/shared/skill-md'
import { FIELDS } from '../../src/shared/skill-md/field-table'
import { expect, tempDir, test } from '../helpers/electron'
import { writeManagerStory } from '../helpers/manager-story'
import { unmarkedWords } from '../helpers/page-words'
import { styleFaults } from '../helpers/style-faults'

const BUNDLED = resolve(import.meta.dirname, '../../resources/skills')

const say = (text: string): string => inPseudoLocale(text)

/** Names of a skill, a file, a program and a chat, and what the checks say of a skill and its fields. */
const DATA = [
  'sql-explain',
  'SKILL.md',
  'Claude Code',
  'New chat',
  'The frontmatter is not closed. Put a line "---" after the last field, before line 5.',
  ...Object.values(FIELDS).map(({ what }) => what),
]

test('in the pseudo-locale all words of the manager come from the catalogue, none is cut, and nothing need move', async ({
  launch,
}) => {
  const home = tempDir()
  writeManagerStory(home)
  const { app, page } = await launch({ home })
  await page.addInitScript("globalThis.satchelLocale = 'pseudo'")
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await expect(page.getByRole('navigation', { name: say('Main') })).toBeVisible()
  const data = [...DATA, ...descriptions(home), ...descriptions(BUNDLED)]
  const faults: string[] = []
  for (const width of [1280, 480]) {
    await app.evaluate(({ BrowserWindow }, wide) => {
      BrowserWindow.getAllWindows()[0]!.setContentSize(wide, 800)
    }, width)
    await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
    await walk(page, width, async (place) => {
      const lost = (await styleFaults(page)).filter((fault) => / is cut$| overlaps /.test(fault))
      const loose = await unmarkedWords(page, data)
      faults.push(
        ...[...lost, ...loose, ...(await moving(page))].map((fault) => `${place}, ${width}: ${fault}`),
      )
    })
  }
  expect(faults).toEqual([])

  // Both checks can fail.
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('p'), { textContent: 'Loose' }))",
  )
  await page.evaluate("document.body.style.setProperty('transition', 'color 1s', 'important')")
  expect(await unmarkedWords(page, data)).toEqual(['p.: "Loose" is not of the catalogue'])
  expect(await moving(page)).toEqual(['BODY.null moves'])
})

/** The screens of the manager, by keys: the list, a dialog of arranging, the page of a skill, its editor, the palette. */
async function walk(page: Page, width: number, look: (place: string) => Promise<void>): Promise<void> {
  await page.keyboard.press('ControlOrMeta+2')
  const row = page.getByRole('grid').locator('[data-skill="sql-explain"]')
  await expect(row).toBeVisible()
  await look('library')
  await row.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: say('Move to…') }).press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('move')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeFocused()
  // The narrow window opens the page by the first click.
  await (width < 700 ? row.click() : row.dblclick())
  await expect(page.getByRole('heading', { name: 'sql-explain', level: 1 })).toBeFocused()
  await look('page')
  await page.getByRole('tab', { name: say('Edit'), exact: true }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'SKILL.md', exact: true })).toContainText('Short.')
  await look('editor')
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('option').first()).toBeVisible()
  await look('palette')
  await page.keyboard.press('Escape')
  // It takes no page along.
  await page.getByRole('tab').first().press('Enter')
  await page.keyboard.press('Escape')
}

/** What the skills below a folder say of themselves. */
function descriptions(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('SKILL.md'))
    .map((path) => parseSkillMd(readFileSync(join(dir, path), 'utf8'), { folderName: '' }).description)
}

/** What is animated, or fades to another state: nothing may where a person asks for less motion (ux.md 5.5). */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) =>
    [null, '::before', '::after'].flatMap((part) => {
      const { animationName, transitionDuration } = getComputedStyle(element, part)
      const still = animationName === 'none' && /^(0s(, )?)+$/.test(transitionDuration)
      return still ? [] : [element.tagName + '.' + element.getAttribute('class') + ' moves']
    }),
  )`)
}
