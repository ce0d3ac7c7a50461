import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SkillFix } from '@shared/skill-md/fix-edits'
import { root, testWorld } from './cli-world'

interface Case {
  id: string
  dir: string
  files: Record<string, string>
  encoding: 'utf-8' | 'latin1'
  errors: string[]
}

const CASES = JSON.parse(
  readFileSync(join(root, 'test/fixtures/conformance/skills-ref.json'), 'utf8'),
) as Case[]

const YAML = 'Invalid YAML in frontmatter:'
/** Only the prefix of a YAML library's message must agree; a crash of the reference is its Python message. */
const comparable = (message: string) =>
  (message.startsWith(YAML) ? YAML : message).replace(/^<<uncaught (.*)>>$/s, '$1')

const BROKEN = '---\nname: broken\ndescription: d\n'

test('the measured cases of the reference validator are all here', () => {
  expect(CASES).toHaveLength(50)
})

test.each(CASES)('--exact says of $id what the reference validator says', async (each) => {
  const { json, write, home } = testWorld()
  for (const [name, text] of Object.entries(each.files)) {
    write(`home/cases/${each.dir}/${name}`, Buffer.from(text, each.encoding))
  }
  const path = join(home, 'cases', each.dir)
  const { exit, result } = await json('skills', 'validate', '--exact', path)
  const [verdict] = (result as { skills: { path: string; errors: string[] }[] }).skills
  expect(verdict?.path).toBe(path)
  expect(verdict?.errors.map(comparable)).toEqual(each.errors.map(comparable))
  expect(exit).toBe(each.errors.length > 0 ? 1 : 0)
})

test('--strict prints the lines of the reference validator, and nothing else', async () => {
  const { run, skill, write } = testWorld()
  skill('cwd/good')
  write('cwd/bad/SKILL.md', '---\nname: Bad\nversion: 1\n---\nBody\n')
  const { exit, out, err } = await run('skills', 'validate', '--strict', 'good', './bad/')
  expect(exit).toBe(1)
  expect(out).toBe('Valid skill: good\n')
  expect(err).toBe(
    [
      'Validation failed for bad:',
      "  - Unexpected fields in frontmatter: version. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.",
      "  - Skill name 'Bad' must be lowercase",
      "  - Directory name 'bad' must match skill name 'Bad'",
      '  - Missing required field in frontmatter: description',
      '',
    ].join('\n'),
  )
})

test('a valid skill ends with 0, and its SKILL.md stands for it', async () => {
  const { run, skill, home } = testWorld()
  skill('cwd/good')
  expect(await run('skills', 'validate', '--exact', 'good/SKILL.md')).toEqual({
    exit: 0,
    out: 'Valid skill: good\n',
    err: '',
  })
  expect((await run('skills', 'validate', '--exact', join(home, 'none'))).err).toContain(
    `Validation failed for ${home}/none:\n  - Path does not exist: ${home}/none`,
  )
})

test('--exact takes every path as a skill, --strict looks below those that are none', async () => {
  const { run, skill } = testWorld()
  skill('cwd/skills/one')
  skill('cwd/skills/group/two')
  const exact = await run('skills', 'validate', '--exact', 'skills')
  expect(exact.exit).toBe(1)
  expect(exact.err).toBe('Validation failed for skills:\n  - Missing required file: SKILL.md\n')
  const strict = await run('skills', 'validate', '--strict', 'skills')
  expect(strict.exit).toBe(0)
  expect(strict.out.trim().split('\n').toSorted()).toEqual([
    'Valid skill: skills/group/two',
    'Valid skill: skills/one',
  ])
})

test('the reference mistakes are only made with --exact', async () => {
  const { run, write } = testWorld()
  write('cwd/flow/SKILL.md', '---\nname: flow\ndescription: d\nmetadata: {a: b}\n---\nBody\n')
  expect((await run('skills', 'validate', '--strict', 'flow')).exit).toBe(0)
  const exact = await run('skills', 'validate', '--exact', 'flow')
  expect(exact.exit).toBe(1)
  expect(exact.err).toContain('  - Invalid YAML in frontmatter:')
})

test('the compatible view names file, line, severity, code, message and fix', async () => {
  const { run, write } = testWorld()
  write(
    'cwd/other/SKILL.md',
    '---\nname: other\ndescription: Sorts files: use when somebody asks for order.\n---\nBody\n',
  )
  const { exit, out } = await run('skills', 'validate', 'other')
  expect(exit).toBe(0)
  expect(out).toMatch(/^other\/SKILL\.md:3(?::\d+)? warning yaml-repaired\n {2}\S.*\n {2}Fix: \S/m)
  expect(out).toMatch(/1 skill checked: 1 warning/)
})

test('a skill that will not load fails, and --fail-on decides about the rest', async () => {
  const { run, write, skill } = testWorld()
  write('cwd/broken/SKILL.md', BROKEN)
  write(
    'cwd/warned/SKILL.md',
    '---\nname: warned\ndescription: Sorts files: use when somebody asks for order.\n---\nBody\n',
  )
  skill('cwd/fine')
  expect((await run('skills', 'validate', 'broken')).exit).toBe(1)
  expect((await run('skills', 'validate', 'warned', 'fine')).exit).toBe(0)
  expect((await run('skills', 'validate', '--fail-on', 'warning', 'warned')).exit).toBe(1)
})

test('without paths every skill below the current folder is checked, hidden folders too', async () => {
  const { json, skill } = testWorld()
  skill('cwd/.satchel/skills/one')
  skill('cwd/.agents/skills/two')
  skill('cwd/node_modules/x/three')
  const { exit, result } = await json('skills', 'validate')
  expect(exit).toBe(0)
  const { skills } = result as { skills: { path: string }[] }
  expect(skills.map(({ path }) => path).toSorted()).toEqual(['.agents/skills/two', '.satchel/skills/one'])
})

test('in a folder of a project without skills below it, those of the project are checked', async () => {
  const { world, run, skill, cwd } = testWorld()
  mkdirSync(join(cwd, '.git'))
  mkdirSync(join(cwd, 'src'))
  skill('cwd/.satchel/skills/one')
  Object.assign(world, { cwd: join(cwd, 'src') })
  const { exit, out } = await run('skills', 'validate', '--strict')
  expect(exit).toBe(0)
  expect(out).toContain('.satchel/skills/one')
})

test('nothing to check is a failure, not a success', async () => {
  const { exit, err } = await testWorld().run('skills', 'validate')
  expect(exit).toBe(1)
  expect(err).toContain('There is no SKILL.md in this folder or below it.')
})

test.each([
  ['nowhere', 'There is no folder nowhere.'],
  ['nowhere/SKILL.md', 'nowhere/SKILL.md error no-skill'],
  ['empty', 'There is no SKILL.md in empty.'],
  ['file.txt', 'file.txt is a file and no SKILL.md.'],
])('%s is no skill, which is an error with a sentence', async (path, message) => {
  const { run, cwd, write } = testWorld()
  mkdirSync(join(cwd, 'empty'))
  write('cwd/file.txt', 'x')
  const { exit, out } = await run('skills', 'validate', path)
  expect(exit).toBe(1)
  expect(out).toContain(message)
})

test('a loop of links ends, and each folder is checked once', async () => {
  const { json, skill, cwd } = testWorld()
  skill('cwd/skills/one')
  symlinkSync(cwd, join(cwd, 'skills', 'loop'))
  symlinkSync(join(cwd, 'skills', 'one'), join(cwd, 'skills', 'again'))
  const { result } = await json('skills', 'validate')
  expect((result as { checked: number }).checked).toBe(1)
})

test('an error of a hostile skill is shown, and acts on nothing', async () => {
  const { run, write } = testWorld({ columns: 80, env: { NO_COLOR: '1' } })
  write('cwd/evil/SKILL.md', '---\nname: "e\\e[31mvil\\u202e"\ndescription: "\\e]0;t\\a"\n---\nBody\n')
  for (const mode of [[], ['--strict'], ['--exact']]) {
    const { out, err } = await run('skills', 'validate', ...mode, 'evil')
    // oxlint-disable-next-line no-control-regex -- these characters are what must not be there
    expect(out + err).not.toMatch(/[\u0007\u001b\u202e]/)
    expect(out + err).toContain('␛[31mvil')
  }
})

test.each(['--strict', '--exact'])(
  '%s counts the lines of YAML errors from the top of the file',
  async (mode) => {
    const { run, write } = testWorld()
    write('cwd/bad/SKILL.md', '---\nname: bad\ndescription: "not\nclosed\n---\nBody\n')
    const { err } = await run('skills', 'validate', mode, 'bad')
    expect(err).toMatch(/Invalid YAML in frontmatter: .* at line [3-5], column/)
    write('cwd/twice/SKILL.md', '---\nname: twice\nname: twice\n---\nBody\n')
    expect((await run('skills', 'validate', mode, 'twice')).err).toContain('at line 3, column 1')
  },
)

test('--strict takes frontmatter of 1,000 lines', async () => {
  const { run, write } = testWorld()
  const lines = ['name: long', 'description: d', ...Array.from({ length: 998 }, () => '#')]
  write('cwd/long/SKILL.md', ['---', ...lines, '---', 'Body', ''].join('\n'))
  expect((await run('skills', 'validate', '--strict', 'long')).exit).toBe(0)
  write('cwd/long/SKILL.md', ['---', ...lines, '#', '---', 'Body', ''].join('\n'))
  expect((await run('skills', 'validate', '--strict', 'long')).err).toContain('1000 lines')
})

test('--json gives every verdict with its errors', async () => {
  const { json, write, skill } = testWorld()
  skill('cwd/good')
  write('cwd/bad/SKILL.md', 'no frontmatter')
  const { exit, result, envelope } = await json('skills', 'validate', '--exact', 'good', 'bad')
  expect(exit).toBe(1)
  expect(envelope['success']).toBe(true)
  expect(result).toEqual({
    mode: 'exact',
    skills: [
      { path: 'good', valid: true, errors: [] },
      { path: 'bad', valid: false, errors: ['SKILL.md must start with YAML frontmatter (---)'] },
    ],
    checked: 2,
    failed: 1,
    notices: [],
  })
})

test('skills below the home folder are found from anywhere, and told by paths that lead there', async () => {
  const { json, run, skill, home, world } = testWorld()
  const one = skill('home/mine/one')
  const whole = await json('skills', 'validate', join(home, 'mine'))
  expect(whole.exit).toBe(0)
  expect((whole.result as { skills: { path: string }[] }).skills.map(({ path }) => path)).toEqual([one])
  expect((await run('skills', 'validate', '--strict', join(home, 'mine'))).out).toBe(`Valid skill: ${one}\n`)
  mkdirSync(join(home, 'mine/.git'))
  mkdirSync(join(home, 'mine/src'))
  Object.assign(world, { cwd: join(home, 'mine/src') })
  expect((await run('skills', 'validate')).exit).toBe(0)
})

test('folders that lie too deep are not searched, which is said', async () => {
  const { run, skill } = testWorld()
  skill('cwd/skills/one')
  skill('cwd/skills/a/b/c/d/e/f/seven')
  const note = 'skills: Folders more than 6 levels down are not searched, as those in a/b/c/d/e/f.'
  const { exit, err } = await run('skills', 'validate', 'skills')
  expect(exit).toBe(0)
  expect(err.trim()).toBe(note)
  expect((await run('skills', 'validate', '--strict', 'skills')).err.trim()).toBe(note)
})

test('a SKILL.md that is a link to nowhere is told with what to do', async () => {
  const world = testWorld()
  mkdirSync(join(world.cwd, 'gone'), { recursive: true })
  symlinkSync('nowhere', join(world.cwd, 'gone/SKILL.md'))
  const { exit, out } = await world.run('skills', 'validate', 'gone')
  expect(exit).toBe(1)
  expect(out).toContain('link-broken')
  expect(out).toContain('Fix: Replace the link by the file itself.')
})

test('a line end in the name of a folder is seen', async () => {
  const world = testWorld()
  world.write('cwd/a\nb/SKILL.md', BROKEN)
  const { out } = await world.run('skills', 'validate', 'a\nb')
  expect(out).toContain('a␊b/SKILL.md')
})

test('--json gives the edits that cure a problem, in bytes of the file', async () => {
  const { json, write } = testWorld()
  const before = '\ufeff---\r\nname: pdf\r\ndescription: é: asked\r\n---\r\nBody.\r\n'
  write('cwd/pdf/SKILL.md', before)
  const { result } = await json('skills', 'validate', 'pdf')
  const { skills } = result as { skills: { diagnostics: { code: string; edit?: SkillFix }[] }[] }
  const { edit } = skills[0]!.diagnostics.find(({ code }) => code === 'yaml-repaired')!
  expect(edit?.title).toBe('Put "description" in quotes.')
  let bytes = Buffer.from(before)
  for (const { start, end, text } of edit!.edits.toReversed()) {
    bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)])
  }
  expect(bytes.toString()).toBe(before.replace('é: asked', '"é: asked"'))
  expect(skills[0]!.diagnostics.filter(({ code }) => code === 'description-no-when')[0]?.edit).toBeUndefined()
})
