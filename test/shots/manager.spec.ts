import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, tempDir, test, type Session } from '../helpers/electron'
import { walkManagerStory, walkSkillParts, wearTheme, writeManagerStory } from '../helpers/manager-story'
import { styleFaults, THEME_NAMES } from '../helpers/style-faults'
import { violations } from '../helpers/wcag'

const ROOT = resolve(import.meta.dirname, '../..')
const SHOTS = join(ROOT, 'test-results/shots')
const SHEETS = join(ROOT, 'test-results/sheets')
/** Pictures of the mockups, beside the project or where SATCHEL_MOCKUPS says; without them there are no sheets. */
const MOCKUPS = resolve(ROOT, process.env['SATCHEL_MOCKUPS'] ?? '../shared/design/mockups')

test('the screens of the manager in every theme, each beside its mockup', async ({ launch }) => {
  const home = tempDir()
  const project = writeManagerStory(home)
  const session = await launch({ home, env: { PATH: '/usr/bin:/bin' } })
  const faults: string[] = []
  await walkManagerStory(session, project, async (screen) => {
    for (const theme of THEME_NAMES) {
      await wearTheme(session.page, theme)
      const path = join(SHOTS, `${screen}.${theme}.png`)
      await session.page.screenshot({ path, animations: 'disabled' })
      await writeSheet(session, path, `${screen}.${theme}.png`)
      faults.push(...(await styleFaults(session.page)).map((fault) => `${screen}, ${theme}: ${fault}`))
    }
    await wearTheme(session.page, 'light')
  })
  expect(faults).toEqual([])
})

test('every part of the page, every dialog of arranging and the trash, in every theme', async ({
  launch,
}) => {
  test.slow()
  const home = tempDir()
  writeManagerStory(home)
  const { page } = await launch({ home })
  const faults: string[] = []
  await walkSkillParts(page, async (part) => {
    const name = `part-${part.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
    for (const theme of THEME_NAMES) {
      await wearTheme(page, theme)
      await page.screenshot({ path: join(SHOTS, `${name}.${theme}.png`), animations: 'disabled' })
      faults.push(...(await styleFaults(page)).map((fault) => `${name}, ${theme}: ${fault}`))
    }
    await wearTheme(page, 'light')
    faults.push(...(await violations(page)).map((fault) => `${name}: ${fault}`))
  })
  expect(faults).toEqual([])
})

/** The picture of ours on the left, that of the mockup on the right; a high-contrast one beside the plain of its kind. */
async function writeSheet({ app }: Session, ours: string, name: string): Promise<void> {
  const theirs = [name, name.replace('.hc-', '.')]
    .map((file) => join(MOCKUPS, file))
    .find((file) => existsSync(file))
  if (!theirs) return
  const png = await app.evaluate(
    ({ nativeImage }, files) => {
      const size = { width: 1440, height: 900 }
      const [left, right] = files.map((file) => nativeImage.createFromPath(file).resize(size).toBitmap())
      const row = size.width * 4
      const both = new Uint8Array(row * 2 * size.height)
      for (let y = 0; y < size.height; y++) {
        both.set(left!.subarray(y * row, (y + 1) * row), y * row * 2)
        both.set(right!.subarray(y * row, (y + 1) * row), y * row * 2 + row)
      }
      const sheet = { width: size.width * 2, height: size.height }
      // oxlint-disable-next-line no-undef -- runs in the app's main process
      const image = nativeImage.createFromBitmap(Buffer.from(both), sheet)
      return image.toPNG().toString('base64')
    },
    [ours, theirs],
  )
  mkdirSync(SHEETS, { recursive: true })
  writeFileSync(join(SHEETS, name), Buffer.from(png, 'base64'))
}
