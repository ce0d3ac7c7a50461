import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { testWorld } from './cli-world'

const TEMPLATES = ['blank', 'script', 'reference', 'review', 'report', 'runbook']

test.each(TEMPLATES)('the template %s passes both validators', async (template) => {
  const { run, home } = testWorld()
  const made = await run('skills', 'new', 'tidy-notes', '--template', template)
  expect(made.exit).toBe(0)
  const dir = join(home, '.satchel', 'skills', 'tidy-notes')
  expect(await run('skills', 'validate', '--exact', dir)).toMatchObject({
    exit: 0,
    out: `Valid skill: ${dir}\n`,
  })
  expect((await run('skills', 'validate', '--fail-on', 'info', dir)).out).toContain('no problems')
})

test.each(['con', 'prn', 'aux', 'nul', 'com1', 'lpt9'])(
  'the name %s, which Windows keeps for a device, is refused with the reason',
  async (name) => {
    const { run, home } = testWorld()
    const { exit, err } = await run('skills', 'new', name)
    expect(exit).toBe(2)
    expect(err).toBe(
      `satchel: "${name}" can't be the name of a skill: Windows keeps it for a device. Take ${name}-skill, for example.\nType: satchel skills new ${name}-skill\n`,
    )
    expect(existsSync(join(home, '.satchel'))).toBe(false)
  },
)

test('it says what it made, and where', async () => {
  const { run, json, cwd } = testWorld()
  const { out } = await run('skills', 'new', 'count', '--in', 'skills', '--template', 'script')
  expect(out).toContain('Made the skill count in skills/count:\n  SKILL.md\n  scripts/check_table.py\n')
  expect(statSync(join(cwd, 'skills/count/scripts/check_table.py')).mode & 0o111).not.toBe(0)
  const { result } = await json('skills', 'new', 'count-two', '--in', 'skills')
  expect(result).toEqual({ name: 'count-two', path: join(cwd, 'skills/count-two'), files: ['SKILL.md'] })
})

test('in a project it lands beside the skills of the project', async () => {
  const { run, cwd, world } = testWorld()
  mkdirSync(join(cwd, '.git'))
  mkdirSync(join(cwd, 'deep'))
  Object.assign(world, { cwd: join(cwd, 'deep') })
  expect((await run('skills', 'new', 'x', '--in', 'project')).exit).toBe(0)
  expect(existsSync(join(cwd, '.satchel/skills/x/SKILL.md'))).toBe(true)
})

test('outside of a project --in project is wrong use', async () => {
  const { run, cwd } = testWorld()
  expect((await run('skills', 'new', 'x', '--in', 'project')).exit).toBe(2)
  expect(readdirSync(cwd)).toEqual([])
})

test('what is there already is left as it is', async () => {
  const { run, write } = testWorld()
  const file = write('cwd/x/notes.txt', 'mine')
  const { exit, err } = await run('skills', 'new', 'x', '--in', '.')
  expect(exit).toBe(1)
  expect(err).toContain('holds "x" already. Choose another name')
  expect(readdirSync(join(file, '..'))).toEqual(['notes.txt'])
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('a file in the way of the folder is a failure that says so', async () => {
  const { run, write } = testWorld()
  write('cwd/skills', 'a file')
  const { exit, err } = await run('skills', 'new', 'x', '--in', 'skills')
  expect(exit).toBe(1)
  expect(err).toContain('is a file, so no folder can be made there')
})

test.each(['Upper', 'a--b', '-a', 'a_b', '../x', 'a/b', 'x'.repeat(65), 'a b'])(
  '%j is no name, and nothing is made',
  async (name) => {
    const { run, home, cwd } = testWorld()
    const { exit, err } = await run('skills', 'new', '--', name)
    expect(exit).toBe(2)
    expect(err).toContain('Type: satchel skills new ')
    expect([...readdirSync(home), ...readdirSync(cwd)]).toEqual([])
  },
)

test('a description stands in the file as it was given, on one line', async () => {
  const { run, cwd } = testWorld()
  const description = 'Reads: "scans" #1.\n Use for  PDFs.'
  await run('skills', 'new', 'ocr', '--in', '.', '--description', description)
  const text = readFileSync(join(cwd, 'ocr/SKILL.md'), 'utf8')
  const fields = parse(text.split('---\n')[1]!) as Record<string, string>
  expect(fields).toEqual({ name: 'ocr', description: 'Reads: "scans" #1. Use for PDFs.' })
})

test('a description over 1,024 characters is wrong use', async () => {
  const { run, home } = testWorld()
  expect((await run('skills', 'new', 'x', '--description', 'x'.repeat(1025))).exit).toBe(2)
  expect(readdirSync(home)).toEqual([])
})
