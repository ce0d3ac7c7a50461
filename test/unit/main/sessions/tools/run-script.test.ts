import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKit, LOAD, SKILL, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit({ skills: { jam: { ...SKILL, 'deep/other.sh': 'echo other\n' } } })
})
afterEach(() => kit.remove())

const inSkill = (path: string) => join(kit.home, '.satchel/skills/jam', path)

/** Asks for a script after `change` on disk, and gives what came of it. */
async function ask(path: string, change: () => void = () => undefined) {
  const id = kit.chat()
  kit.answers.push({ calls: [LOAD] })
  await kit.say(id, 'load')
  change()
  kit.answers.push({ calls: [{ name: 'skills_run_script', input: { path } }] })
  await kit.say(id, 'run')
  return kit.calls(id).at(-1)?.envelope
}

describe('a script that can not be asked for', () => {
  test('because it is missing says what a person can do, and what the model can', async () => {
    expect(await ask('scripts/gone.sh')).toMatchObject({
      error_code: 'not_found',
      error:
        '"jam" has no script "scripts/gone.sh". Add the file to the skill, or correct its name in the SKILL.md. skills_read lists its files.',
    })
  })

  test('because it lies elsewhere in the skill names the right place', async () => {
    const envelope = await ask('scripts/other.sh')
    expect(envelope?.error).toContain('Did you mean deep/other.sh?')
  })

  test.each<[string, () => void, string]>([
    [
      'is a link out of the skill',
      () => {
        writeFileSync(join(kit.home, 'outside.sh'), 'echo out\n')
        symlinkSync(join(kit.home, 'outside.sh'), inSkill('scripts/out.sh'))
      },
      '"scripts/out.sh" is a link that leaves the skill. Replace the link by a copy of the file.',
    ],
    [
      'is a link to nothing',
      () => symlinkSync('nothing.sh', inSkill('scripts/out.sh')),
      '"scripts/out.sh" is a link that leads nowhere. Remove the link, or put the file in its place.',
    ],
    [
      'is a link to a folder above it',
      () => symlinkSync('..', inSkill('scripts/out.sh')),
      '"scripts/out.sh" is a link that leads back to a folder it lies in. Remove the link.',
    ],
    [
      'lies too deep',
      () => {
        const deep = inSkill(`${'d/'.repeat(120)}x.sh`)
        mkdirSync(dirname(deep), { recursive: true })
        writeFileSync(deep, 'x')
      },
      'Move it further up, or remove it.',
    ],
  ])('because a file of the skill %s says what to do', async (_what, change, advice) => {
    const envelope = await ask('scripts/boil.sh', change)
    expect(envelope).toMatchObject({ error_code: 'path_escape' })
    expect(envelope?.error).toMatch(/^Scripts of "jam" can't run: /)
    expect(envelope?.error).toContain(advice)
  })

  test('because the folder of its skill is gone says so', async () => {
    const envelope = await ask('scripts/boil.sh', () => rmSync(inSkill('.'), { recursive: true }))
    expect(envelope?.success).toBe(false)
  })
})
