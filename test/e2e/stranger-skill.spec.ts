import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, tempDir, test } from '../helpers/electron'
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

for (const { file, script } of LANGUAGES) {
  test(`a stranger's own skill with a .${file} script works, bound to its bytes`, async ({ launch }) => {
    const home = tempDir()
    const [name, first, second, secret, said] = [word(), word(), word(), word(), word()]
    const path = `tools/${word()}.${file}`
    const dir = writeSkill(home, name, {
      'SKILL.md': `---\nname: ${name}\ndescription: Handles ${first} and ${second} for people.\n---\nSee [notes](docs/${secret}.md). Then run \`${path}\`.\n`,
      [`docs/${secret}.md`]: `About ${secret}.\n`,
      [path]: script(said),
    })
    const { page } = await launch({ home })
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
