import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, launchSatchel, tempDir, test, type Session } from '../helpers/electron'
import { allowOpenReview, dock, review, sendMessage, step, transcript, writeSkill } from '../helpers/chat'

/** A word that nobody has used: consonants and vowels in turn, so that it looks like one. */
function word(): string {
  return [...randomBytes(8)]
    .map((byte, n) => (n % 2 === 0 ? 'bdfgklmnprstvz' : 'aeiou')[byte % (n % 2 === 0 ? 14 : 5)])
    .join('')
}

const LANGUAGES = [
  { file: 'sh', script: (text: string) => `#!/bin/sh\nprintf '%s\\n' "${text}"\n` },
  { file: 'py', script: (text: string) => `#!/usr/bin/env python3\nprint("${text}")\n` },
  { file: 'js', script: (text: string) => `console.log("${text}")\n` },
] as const

/** A skill of words that nobody knows, with one script. */
function strangeSkill(home: string, { file, script }: (typeof LANGUAGES)[number]) {
  const [name, first, second, secret, said] = [word(), word(), word(), word(), word()]
  const path = `tools/${word()}.${file}`
  const dir = writeSkill(home, name, {
    'SKILL.md': `---\nname: ${name}\ndescription: Handles ${first} and ${second} for people.\n---\nSee [notes](docs/${secret}.md). Then run \`${path}\`.\n`,
    [`docs/${secret}.md`]: `About ${secret}.\n`,
    [path]: script(said),
  })
  return { name, first, second, secret, said, path, dir, file, script }
}

// One app with all of them; each is used in a chat of its own.
let skills: ReturnType<typeof strangeSkill>[]
let session: Session

test.beforeAll(async () => {
  const home = tempDir()
  skills = LANGUAGES.map((language) => strangeSkill(home, language))
  session = await launchSatchel({ home })
})
test.afterAll(async () => {
  await session.close()
  expect(session.problems(), 'unexpected errors of the app').toEqual([])
})

for (const [index, { file }] of LANGUAGES.entries()) {
  test(`a stranger's own skill with a .${file} script works, bound to its bytes`, async () => {
    const { page } = session
    const { name, first, second, secret, said, path, dir, script } = skills[index]!
    await page.keyboard.press('ControlOrMeta+N')
    await expect(transcript(page).locator('[data-kind]')).toHaveCount(0)
    await sendMessage(page, `Please take care of ${second} with ${first}`)
    await expect(step(page, 'skill-loaded')).toHaveAttribute('data-skill', name)
    await expect(step(page, 'file-read')).toContainText(`docs/${secret}.md`)
    await expect(dock(page)).toContainText(path.split('/').at(-1)!)
    await page.keyboard.press('ControlOrMeta+Shift+A')
    await expect(review(page)).toContainText(said)

    const other = word()
    writeFileSync(join(dir, path), script(other))
    await allowOpenReview(page)
    await expect(review(page)).toContainText(other)
    await expect(step(page, 'run-done')).toHaveCount(0)
    await allowOpenReview(page)
    await expect(step(page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
    await expect(transcript(page)).toContainText(other)
    await expect(transcript(page)).not.toContainText(said)
  })
}
