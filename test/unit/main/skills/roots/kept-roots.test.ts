import { mkdirSync, writeFileSync, type watch } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SkillRecord } from '../../../../../src/main/skills/record'
import type { ScanInput } from '../../../../../src/main/skills/roots/roots'
import { createScanner } from '../../../../../src/main/skills/scan/scanner'
import { later, makeSkill, silentLog, tempDir, until } from '../support'

/** Watches that never tell of anything. */
const silent = (() => ({ on: () => undefined, close: () => undefined })) as unknown as typeof watch

/** A home and a project in it, looked at until nothing moves any more: the roots are remembered from then on. */
async function settled(fsWatch?: typeof watch) {
  const base = tempDir()
  const home = join(base, 'home')
  const work = join(home, 'src', 'work')
  mkdirSync(work, { recursive: true })
  const own = join(home, '.satchel', 'skills', 'own')
  makeSkill(own, 'own')
  const records = new Map<string, SkillRecord>()
  const scanner = createScanner({
    indexFile: null,
    watch: true,
    pollMs: 3_600_000,
    ...(fsWatch && { fsWatch }),
    log: silentLog,
    // Nothing counts as written just now.
    now: () => Date.now() + 5000,
    onDelta({ upsert, remove }) {
      for (const record of upsert) records.set(record.key, record)
      for (const key of remove) records.delete(key)
    },
  })
  later(() => scanner.close())
  const input: ScanInput = {
    homeDir: home,
    resourcesDir: join(base, 'resources'),
    dataDir: join(base, 'data'),
    policyDir: null,
    env: {},
    projects: [{ dir: work, trusted: true }],
    writableTools: [],
    sources: [],
  }
  const isThere = (text: string) =>
    [...records.values()].some(({ name, description }) => name === text || description === text)
  /** A look at everything, done when the new text of a skill was told. */
  const look = async (text: string, asked = input) => {
    writeFileSync(join(own, 'SKILL.md'), `---\nname: own\ndescription: ${text}\n---\nBody.\n`)
    scanner.configure(structuredClone(asked))
    await until(text, () => isThere(text))
  }
  scanner.configure(input)
  await scanner.refresh()
  await look('Second look.')
  return { home, work, input, scanner, look, isThere }
}

it('where the roots are is not looked for while no place that decides about them tells of anything', async () => {
  const { home, scanner, look, isThere } = await settled(silent)
  makeSkill(join(home, '.cursor', 'skills', 'late'), 'late')
  await look('Third look.')
  expect(isThere('late')).toBe(false)
  await scanner.refresh()
  expect(isThere('late')).toBe(true)
})

it('a folder of another tool that appears is told of and looked for', async () => {
  const { home, isThere } = await settled()
  makeSkill(join(home, '.cursor', 'skills', 'late'), 'late')
  await until('late', () => isThere('late'))
})

it('a new checkout around a project is seen at the next look, though nothing tells of it', async () => {
  const { home, look, isThere } = await settled(silent)
  makeSkill(join(home, 'src', '.satchel', 'skills', 'above'), 'above')
  mkdirSync(join(home, 'src', '.git'))
  await look('Third look.')
  expect(isThere('above')).toBe(true)
})

it('a project that is opened is looked at', async () => {
  const { home, input, look, isThere } = await settled(silent)
  const other = join(home, 'other')
  makeSkill(join(other, '.satchel', 'skills', 'there'), 'there')
  await look('Third look.', { ...input, projects: [...input.projects, { dir: other, trusted: true }] })
  expect(isThere('there')).toBe(true)
})
