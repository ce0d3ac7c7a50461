import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testWorld } from '../cli-world'
import type { TestWorld } from '../cli-world'

interface Row {
  name: string
  scope: string
  status: string
  path: string
  description: string
}

const names = (rows: readonly Row[]) => rows.map(({ name, scope, status }) => `${name} ${scope} ${status}`)
const notBundled = ({ scope }: Row) => scope !== 'bundled'

async function listed(world: TestWorld, ...args: string[]): Promise<Row[]> {
  const { exit, result } = await world.json('skills', 'list', ...args)
  expect(exit).toBe(0)
  return (result as { skills: Row[] }).skills
}

test('in a folder that is no project the personal, shared and bundled skills are listed', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/mine')
  world.skill('home/.agents/skills/ours')
  const rows = await listed(world)
  expect(names(rows.filter(notBundled))).toEqual(['mine personal effective', 'ours shared effective'])
  expect(rows.filter(({ scope }) => scope === 'bundled').length).toBeGreaterThanOrEqual(4)
})

test('looking makes no file and no folder', async () => {
  const world = testWorld()
  for (const args of [
    ['list'],
    ['search', 'json'],
    ['conflicts'],
    ['doctor'],
    ['show', 'json-tidy'],
    ['digest', 'json-tidy'],
  ]) {
    await world.run('skills', ...args)
  }
  expect([...readdirSync(world.home), ...readdirSync(world.cwd)]).toEqual([])
})

test('skills of a project that is not trusted are shown as such', async () => {
  const world = testWorld()
  mkdirSync(join(world.cwd, '.git'))
  mkdirSync(join(world.cwd, 'src'))
  world.skill('cwd/.satchel/skills/theirs')
  Object.assign(world.world, { cwd: join(world.cwd, 'src') })
  expect(names((await listed(world)).filter(notBundled))).toEqual(['theirs project not-trusted'])
  const { err, out } = await world.run('skills', 'list')
  expect(err).toContain('1 skill of this project is not in use, because you did not trust the folder.')
  expect(out).toMatch(/theirs +Project +not trusted/)
})

test('--project looks from another folder, and says when it is not there', async () => {
  const world = testWorld()
  world.skill('cwd/other/.satchel/skills/theirs')
  expect(names((await listed(world, '--project', 'other')).filter(notBundled))).toEqual([
    'theirs project not-trusted',
  ])
  const missing = await world.run('skills', 'list', '--project', 'nope')
  expect(missing).toMatchObject({ exit: 1, out: '' })
  expect(missing.err).toContain('There is no folder nope.')
})

test('without --all shadowed copies and nested skills are left out and counted', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/json-tidy')
  world.skill('home/.satchel/skills/outer')
  world.skill('home/.satchel/skills/outer/parts/inner')
  const { out } = await world.run('skills', 'list', '--scope', 'personal')
  expect(out).not.toContain('inner')
  expect(out).toContain('2 skills. 1 more copy with --all.')
  expect(names(await listed(world, 'name:json-tidy', '--all'))).toEqual([
    'json-tidy personal effective',
    'json-tidy bundled shadowed',
  ])
  expect(names(await listed(world, 'name:json-tidy'))).toEqual(['json-tidy personal effective'])
})

test('operators and words narrow the list, and unknown ones are said', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/alpha', { description: 'Cuts apples. Use for apples.' })
  world.skill('home/.satchel/skills/beta', { description: 'Peels pears. Use for pears.' })
  expect(names(await listed(world, 'from:personal', 'apples'))).toEqual(['alpha personal effective'])
  expect(names(await listed(world, '-from:bundled', '-pears'))).toEqual(['alpha personal effective'])
  expect(names(await listed(world, 'use for pears'))).toEqual(['beta personal effective'])
  expect(names(await listed(world, 'from:personal name:beta'))).toEqual(['beta personal effective'])
  expect((await world.run('skills', 'list', 'foo:bar')).err).toContain('"foo:bar" is no operator')
  expect((await world.run('skills', 'list', 'from:bogus')).err).toContain('"from:bogus" names no scope')
  expect((await world.run('skills', 'list', '-from:bund', 'from:enter', 'from:"Claude Code"')).err).toBe('')
})

test('a broken skill is listed with the reason, and fits into 80 columns', async () => {
  const world = testWorld({ columns: 80, env: { NO_COLOR: '1' } })
  world.write('home/.satchel/skills/bad/SKILL.md', 'no frontmatter at all\n')
  const { out } = await world.run('skills', 'list')
  expect(out).toMatch(/bad +Personal +won't load/)
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('hostile names and descriptions reach the terminal as text', async () => {
  const world = testWorld({ columns: 120, env: { FORCE_COLOR: '0' } })
  world.write(
    'home/.satchel/skills/e\u001b[31m\u202evil/SKILL.md',
    '---\nname: "x\\e[2J\\u0007y"\ndescription: "\\e]8;;http://evil\\a click\\u202e \\u009b31m"\n---\n\u001b[31m body\n',
  )
  for (const args of [
    ['list', '--all'],
    ['search', 'click'],
    ['conflicts'],
    ['doctor', '--severity', 'info'],
    ['list', '--json'],
  ]) {
    const { out, err } = await world.run('skills', ...args)
    // oxlint-disable-next-line no-control-regex -- these characters are what must not be there
    expect(out + err, args.join(' ')).not.toMatch(/[\u0007\u001b\u009b\u202e]/)
  }
  const { out } = await world.run('skills', 'list')
  expect(out).toContain('⟦U+202E⟧')
})

test('show names the copy that is used, the files and the problems', async () => {
  const world = testWorld()
  world.write(
    'home/.satchel/skills/mine/SKILL.md',
    '---\nname: mine\ndescription: Sorts files: use when somebody asks for order.\n---\nDo it.\n',
  )
  world.write('home/.satchel/skills/mine/references/a.md', 'A')
  const { exit, out } = await world.run('skills', 'show', 'MINE')
  expect(exit).toBe(0)
  for (const part of [
    'Scope',
    'Personal',
    'effective',
    '~/.satchel/skills/mine',
    'references/a.md',
    'yaml-repaired',
  ]) {
    expect(out).toContain(part)
  }
  expect(out).toMatch(/Digest +sha256:[0-9a-f]{64}/)
  expect((await world.run('skills', 'show', 'mine', '--body')).out).toBe('Do it.\n')
})

test('a copy is named by its scope, and a folder by its path', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/json-tidy')
  world.skill('cwd/loose')
  const pathOf = async (asked: string) => ((await world.json('skills', 'show', asked)).result as Row).path
  expect(await pathOf('json-tidy')).toBe(join(world.home, '.satchel/skills/json-tidy'))
  expect(await pathOf('json-tidy@bundled')).toBe(join(world.world.root, 'resources/skills/json-tidy'))
  expect(await pathOf('./loose')).toBe(join(world.cwd, 'loose'))
  expect(await pathOf('loose/SKILL.md')).toBe(join(world.cwd, 'loose'))
  expect((await world.run('skills', 'show', './loose')).out).toContain('no scope reaches this folder')
})

test('a broken and a not trusted skill can be looked at', async () => {
  const world = testWorld()
  mkdirSync(join(world.cwd, '.git'))
  world.skill('cwd/.satchel/skills/theirs')
  world.write('home/.satchel/skills/bad/SKILL.md', '')
  expect(await world.run('skills', 'show', 'theirs')).toMatchObject({ exit: 0 })
  const { exit, out } = await world.run('skills', 'show', 'bad')
  expect(exit).toBe(0)
  expect(out).toContain("won't load")
})

test('a skill that leads nowhere is shown and diagnosed, not thrown over', async () => {
  const world = testWorld()
  mkdirSync(join(world.home, '.satchel/skills'), { recursive: true })
  symlinkSync('/nowhere', join(world.home, '.satchel/skills/gone'))
  expect((await world.run('skills', 'show', 'gone')).out).toContain("won't load")
  const doctor = await world.run('skills', 'doctor')
  expect(doctor.exit).toBe(1)
  expect(doctor.out).toContain('link-broken')
})

test('an unknown name is a failure with the nearest ones', async () => {
  const world = testWorld()
  world.skill('cwd/loose')
  const { exit, err } = await world.run('skills', 'show', 'jsn-tidy')
  expect(exit).toBe(1)
  expect(err).toContain('json-tidy')
  expect((await world.run('skills', 'digest', 'loose')).err).toContain('./loose')
  expect((await world.json('skills', 'show', 'zzzzzz')).envelope).toMatchObject({
    success: false,
    error_code: 'not_found',
  })
})

test('search finds words in files and says where', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/scan')
  world.write('home/.satchel/skills/scan/references/ocr.md', 'How to deskew a page before reading it.\n')
  const { exit, out } = await world.run('skills', 'search', 'deskew')
  expect(exit).toBe(0)
  expect(out).toContain('scan  Personal\n  references/ocr.md:')
  expect(out).toContain('deskew a page')
  expect(out).toContain('1 skill found.')
  const { result } = await world.json('skills', 'search', 'deskew')
  expect(result).toMatchObject({
    total: 1,
    skills: [{ name: 'scan', where: 'file', file: 'references/ocr.md' }],
  })
})

test('search goes by operators too, forgives typos in names and marks what it found', async () => {
  const world = testWorld({ columns: 100, env: { FORCE_COLOR: '1' } })
  world.skill('home/.satchel/skills/invoice-reader', { body: 'Reads json too.\n' })
  const found = async (...words: string[]) =>
    ((await world.json('skills', 'search', ...words)).result as { skills: Row[] }).skills.map(
      ({ name }) => name,
    )
  expect(await found('invioce')).toEqual(['invoice-reader'])
  expect(await found('json', 'from:personal')).toEqual(['invoice-reader'])
  expect(await found('from:personal')).toEqual(['invoice-reader'])
  expect((await world.run('skills', 'search', 'json')).out.toLowerCase()).toContain(
    '\u001b[33mjson\u001b[39m',
  )
  expect((await world.run('skills', 'search', 'qqqqzzzz')).out).toBe('No skill was found.\n')
  expect(await found('--limit', '1', 'json')).toHaveLength(1)
})

test('conflicts names every copy of a name, which one is used and why', async () => {
  const world = testWorld()
  expect((await world.run('skills', 'conflicts')).out).toBe('No name has more than one copy.\n')
  world.skill('home/.satchel/skills/json-tidy')
  const { out } = await world.run('skills', 'conflicts')
  expect(out).toMatch(
    /^json-tidy\n {2}Personal +effective .*\n {2}Bundled +shadowed .*\n {4}Bundled, \S*json-tidy: The Personal copy is used/,
  )
  const { result } = await world.json('skills', 'conflicts')
  expect(result).toMatchObject({
    conflicts: [
      {
        name: 'json-tidy',
        used: `personal:${world.home}/.satchel/skills/json-tidy`,
        copies: [{ status: 'effective' }, { status: 'shadowed', shadowedBy: 'personal' }],
      },
    ],
  })
})

test('doctor ends with 1 only where there is an error, and its counts are of everything', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/fine')
  const before = await world.run('skills', 'doctor')
  expect(before.exit).toBe(0)
  world.write('home/.satchel/skills/bad/SKILL.md', '')
  world.write(
    'home/.satchel/skills/odd/SKILL.md',
    '---\nname: odd\ndescription: Sorts files: use when somebody asks for order.\n---\nDo it.\n',
  )
  const { exit, out } = await world.run('skills', 'doctor', '--severity', 'error')
  expect(exit).toBe(1)
  expect(out).toContain("bad  Personal, won't load\n~/.satchel/skills/bad/SKILL.md:1 error empty\n")
  expect(out).not.toContain('yaml-repaired')
  expect(out).toMatch(/: 1 error, \d+ warnings?/)
  expect((await world.run('skills', 'doctor')).out).toContain('yaml-repaired')
})

test('doctor tells of skills that are odd beside each other, and of more than the catalogue holds', async () => {
  const world = testWorld()
  for (let at = 0; at < 60; at += 1) {
    world.skill(`home/.satchel/skills/skill-${at}`, {
      description: `Makes thing ${at}. Use for ${'abcdefghij'[at % 10]!.repeat(9)} number ${at * 7}.`,
    })
  }
  world.write(
    'home/.satchel/skills/needs/SKILL.md',
    '---\nname: needs\ndescription: Needs one. Use it when another is there.\nrequires: [nobody]\n---\nDo it.\n',
  )
  const { out } = await world.run('skills', 'doctor')
  expect(out).toContain('requires-missing')
  expect(out.match(/catalogue-full/g)).toHaveLength(1)
})

test('doctor tells of a sources file that can not be read', async () => {
  const world = testWorld()
  world.write('home/.satchel/sources.json', '{')
  const { out } = await world.run('skills', 'doctor')
  expect(out).toContain('~/.satchel/sources.json')
})

test.each([
  ['the folder above it', '~/mine', true],
  ['nothing else', null, false],
])('doctor tells of another name that has no effect: it is reached through %s', async (_what, dir, told) => {
  const world = testWorld()
  world.skill('home/mine/pdf')
  const named = { kind: 'folder', dir: '~/mine/pdf', as: 'other' }
  const sources = dir === null ? [named] : [{ kind: 'folder', dir }, named]
  world.write('home/.satchel/sources.json', JSON.stringify({ version: 1, sources }))
  const { out } = await world.run('skills', 'doctor')
  expect(out.replace(/\s+/g, ' ').includes('Its skill is not called "other"')).toBe(told)
})

test('a file where a folder of skills belongs is told', async () => {
  const world = testWorld()
  world.write('home/.satchel/skills', 'not a folder')
  const { out } = await world.run('skills', 'doctor')
  expect(out).toContain("Personal: ~/.satchel/skills\n  This folder can't be read.")
})

test('digest is that of the design, whatever names the skill', async () => {
  const world = testWorld()
  world.write('cwd/known/SKILL.md', 'a')
  const line = `- SKILL.md\0ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\n`
  const digest = createHash('sha256').update(line).digest('hex')
  const { exit, out } = await world.run('skills', 'digest', './known')
  expect(exit).toBe(0)
  expect(out).toBe(`sha256:${digest}  known\n`)
  expect((await world.run('skills', 'digest', 'known/SKILL.md', '--files')).out).toBe(
    `sha256:${digest}  known\n- ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  SKILL.md\n`,
  )
  const bundled = (await world.json('skills', 'digest', 'json-tidy')).result as { digest: string }
  const shown = (await world.json('skills', 'show', 'json-tidy')).result as { digest: string }
  expect(bundled.digest).toBe(shown.digest)
})

test('a link out of a skill is said with its digest', async () => {
  const world = testWorld()
  world.skill('cwd/linked')
  symlinkSync('/etc/hostname', join(world.cwd, 'linked/host'))
  const { exit, err } = await world.run('skills', 'digest', './linked')
  expect(exit).toBe(0)
  expect(err).toContain('None of its scripts can run: "host" is a link that leaves the skill.')
})

test('archives are unpacked into a folder of the run where there is no data folder', async () => {
  const world = testWorld()
  world.write('home/.satchel/sources.json', '{"version": 1, "sources": []}')
  await listed(world)
  expect(readdirSync(join(world.home, '.satchel'))).toEqual(['sources.json'])
  expect(existsSync(join(world.home, '.config'))).toBe(false)
})
