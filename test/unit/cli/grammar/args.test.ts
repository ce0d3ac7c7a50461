import { expect, test } from 'vitest'
import { readCall, wantsJson } from '../../../../src/cli/grammar/args'
import { GROUPS } from '../../../../src/cli/grammar/commands'
import { testWorld } from '../cli-world'

test('the first two words name the command and the rest belongs to it', () => {
  const { group, command, given } = readCall(['skills', 'new', 'x', '--in', 'skills', '--json'])
  expect([group?.name, command?.name]).toEqual(['skills', 'new'])
  expect(given.words).toEqual(['x'])
  expect(given.values.get('in')).toBe('skills')
  expect([...given.flags]).toEqual(['json'])
})

test('an option may come before the command, and its value after an equals sign', () => {
  const { command, given } = readCall(['--json', 'skills', '--no-color', 'list', '--project=a=b'])
  expect(command?.name).toBe('list')
  expect([...given.flags]).toEqual(['json', 'no-color'])
  expect(given.values.get('project')).toBe('a=b')
})

test('parts of a query may start with a minus', () => {
  const { given } = readCall(['skills', 'list', '-from:bundled', '--all', '-pdf'])
  expect(given.words).toEqual(['-from:bundled', '-pdf'])
  expect([...given.flags]).toEqual(['all'])
})

test('everything after two dashes is a word', () => {
  const { given } = readCall(['skills', 'search', '--', '--json', '-x'])
  expect(given.words).toEqual(['--json', '-x'])
  expect(given.flags.size).toBe(0)
  expect(wantsJson(['skills', 'search', '--', '--json'])).toBe(false)
})

test('help in front is help behind', () => {
  const { command, given } = readCall(['help', 'skills', 'list'])
  expect(command?.name).toBe('list')
  expect(given.flags.has('help')).toBe(true)
})

test.each<[string[], string, string]>([
  [['list'], 'Do you mean "skills list"', 'satchel skills list'],
  [['skils'], 'Do you mean "skills"', 'satchel skills'],
  [['frobnicate'], 'is no command of satchel.', 'satchel --help'],
  [['skills', 'lits'], 'Do you mean "list"', 'satchel skills list'],
  [['skills', 'VALIDATE'], 'Do you mean "validate"', 'satchel skills validate'],
  [['skills', 'qqqqqqqq'], 'is no command of satchel skills.', 'satchel skills --help'],
  [['skills', 'show'], 'This needs a skill.', 'satchel skills show <name | name@scope | path>'],
  [['skills', 'show', 'a', 'b'], '"b" is too much.', 'satchel skills show'],
  [['skills', 'conflicts', 'x'], '"x" is too much.', 'satchel skills conflicts'],
  [['skills', 'list', '--al'], 'Do you mean --all?', 'satchel skills list --all'],
  [['skills', 'list', '--zzzzzzzzzz'], 'There is no option --zzzzzzzzzz.', 'satchel skills list --help'],
  [['skills', 'list', '--nope'], 'There is no option --nope.', 'satchel skills list --help'],
  [['skills', 'list', '--jsno'], 'Do you mean --json?', 'satchel skills list --json'],
  [['chat', '-p', '   '], 'The message is empty.', 'satchel chat -p "..."'],
  [['skills', 'show', '-x', 'a'], 'There is no option -x', 'satchel skills show --help'],
  [['skills', 'new', 'a', '--in'], '--in needs a value', 'satchel skills new <name>'],
  [['skills', 'new', 'a', '--in='], '--in needs a value', 'satchel skills new <name>'],
  [['skills', 'list', '--all=yes'], '--all takes no value', 'satchel skills list'],
  [['skills', 'list', '--scope', 'mine'], 'enterprise, personal, project', 'satchel skills list'],
  [['skills', 'search', '--limit', 'many', 'x'], '--limit can\'t be "many"', 'satchel skills search'],
  [['skills', 'validate', '--strict', '--fail-on', 'info'], 'does not go with', 'satchel skills validate'],
  [['context', 'x'], '"x" is too much.', 'satchel context'],
  [['context', '--cal', '1'], 'Do you mean --call?', 'satchel context --call'],
  [['contxt'], 'Do you mean "context"', 'satchel context'],
  [['--verbose'], 'There is no option --verbose.', 'satchel --'],
])('%j is wrong use: one line says what, one what to type', async (args, message, type) => {
  const { exit, out, err } = await testWorld().run(...args)
  expect(exit).toBe(2)
  expect(out).toBe('')
  const lines = err.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain(message)
  expect(lines[1]).toContain(`Type: ${type}`)
})

test('every command has a help with usage, options, exit codes and examples', async () => {
  for (const group of GROUPS) {
    for (const { name } of group.commands) {
      const words = [group.name, name].filter(Boolean)
      const { exit, out } = await testWorld().run(...words, '--help')
      expect(exit).toBe(0)
      const called = ['satchel', ...words].join(' ')
      for (const part of ['Usage', 'Options', '--json', 'Exit codes', 'Examples', called]) {
        expect(out, name).toContain(part)
      }
    }
  }
})

test('every example of the help is a call that is understood', () => {
  for (const { command, line } of GROUPS.flatMap((group) =>
    group.commands.flatMap((each) => each.examples.map(([line]) => ({ command: each.name, line }))),
  )) {
    const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|([^\s"']+(?:"[^"]*")?)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? '',
    )
    expect(words.shift()).toBe('satchel')
    expect(readCall(words).command?.name, line).toBe(command)
  }
})

test('without a command the help of all is printed', async () => {
  const { exit, out } = await testWorld().run()
  expect(exit).toBe(0)
  expect(out).toContain('satchel <group> <command>')
  expect((await testWorld().run('skills')).out).toContain('satchel skills <command>')
})

test('help stays within the width of a terminal', async () => {
  for (const args of [['--help'], ['skills', '--help'], ['skills', 'validate', '--help']]) {
    const { out } = await testWorld({ columns: 80, env: { NO_COLOR: '1' } }).run(...args)
    const tooLong = out.split('\n').filter((line) => line.length > 80)
    expect(tooLong.filter((line) => !line.includes('satchel skills'))).toEqual([])
  }
})

test('--version prints the version of the app', async () => {
  const { out } = await testWorld().run('--version')
  expect(out).toMatch(/^satchel \d+\.\d+\.\d+\n$/)
})

test('with --json wrong use is an envelope too, and nothing goes to stderr', async () => {
  const world = testWorld()
  const { exit, envelope } = await world.json('skills', 'lits')
  expect(exit).toBe(2)
  expect(envelope).toMatchObject({ success: false, error_code: 'bad_input' })
  expect(envelope).not.toHaveProperty('result')
  expect((await world.run('skills', 'lits', '--json')).err).toBe('')
})
