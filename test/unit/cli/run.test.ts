import { beforeAll, expect, test } from 'vitest'
import { auditWords } from '@shared/audit-words'
import { commandEntry } from '../../../scripts/lib/cli.mjs'
import { chatWorld } from './chat-world'
import { root } from './cli-world'

// Built once, so that no test measures or prints it.
beforeAll(() => commandEntry(root))

const SKILL = '---\nname: tool\ndescription: A tool.\n---\nUse it.\n'

function worldWithTool(script: string) {
  const world = chatWorld()
  world.write('.satchel/skills/tool/SKILL.md', SKILL)
  world.write('.satchel/skills/tool/scripts/a.sh', script)
  return world
}

test('run asks with what would be done, and ends with the code of the script', async () => {
  const { commandTerminal } = worldWithTool('echo "got $1 and $2"; exit 7\n')
  const { shows, type, ended } = commandTerminal('run', 'tool', 'scripts/a.sh', '--', '--flag', 'a b')
  await shows('--flag')
  await shows('Sandbox: bubblewrap')
  await shows('show (the script):')
  type('show\r')
  await shows('got $1')
  await shows('show (the script):')
  type('allow\r')
  const { exit, all } = await ended
  expect(all).toContain('got --flag and a b')
  expect(exit).toBe(7)
})

test('run is on record as asked for by the person, and says so', async () => {
  const { command, commandTerminal } = worldWithTool('echo ran\n')
  const { shows, type, ended } = commandTerminal('run', 'tool', 'scripts/a.sh')
  await shows('You asked for this run.')
  await shows('show (the script):')
  type('deny no\r')
  await ended
  const { out } = await command('audit', 'list', '--event', 'request.created', '--json')
  const [entry] = JSON.parse(out).result.entries
  expect([entry.data.context.typed, auditWords(entry).by]).toEqual([true, 'You'])
})

test('run in a folder that is no project says so', async () => {
  const { command } = worldWithTool('echo ran\n')
  const { exit, err } = await command('run', 'tool', 'scripts/a.sh', '--project', '/usr')
  expect([exit, err]).toEqual([1, expect.stringContaining('There is no project in /usr.')])
})

test('run prints what the script prints as it comes, once, and nothing of it acts on the terminal', async () => {
  // It ends only when what it printed was seen.
  const { commandTerminal } = worldWithTool(
    'printf "one\\e[2J\\n"; while [ ! -e go ]; do sleep 0.1; done; echo two\n',
  )
  const { shows, type, ended } = commandTerminal('run', 'tool', 'scripts/a.sh')
  await shows('show (the script):')
  type('show\r')
  await shows('two')
  await shows('show (the script):')
  type('allow\r')
  await shows('one␛[2J')
  type('\x03')
  const { all } = await ended
  expect(all.split('one␛[2J')).toHaveLength(2)
  expect(all).not.toMatch(/^two/m)
})

test('run that is denied runs nothing and ends with 3', async () => {
  const { commandTerminal } = worldWithTool('echo ran\n')
  const { shows, type, ended } = commandTerminal('run', 'tool', 'scripts/a.sh')
  await shows('show (the script):')
  type('deny not now\r')
  const { exit, all } = await ended
  expect(all).not.toMatch(/^ran/m)
  expect(exit).toBe(3)
})

test('run without a terminal expires: one object with --json, exit code 3, and nothing ran', async () => {
  const { command } = worldWithTool('echo ran\n')
  const { exit, out, err } = await command('run', 'tool', 'scripts/a.sh', '--json')
  expect([exit, err, out.trim().split('\n').length]).toEqual([3, '', 1])
  expect(JSON.parse(out)).toMatchObject({ success: true, result: { error_code: 'expired', exit_code: null } })
})

test.each([
  [['run', 'nothing', 'scripts/a.sh'], 1, /There is no skill "nothing"/],
  [['run', 'tool', 'scripts/b.sh'], 1, /has no script "scripts\/b\.sh"/],
  [['run', 'tool'], 2, /a skill and a script/],
] as const)('%j ends with %i and says why', async (args, code, words) => {
  const { exit, err } = await worldWithTool('echo ran\n').command(...args)
  expect(exit).toBe(code)
  expect(err).toMatch(words)
})

test('doctor proves the sandbox and lists interpreters and the data folder, which it does not make', async () => {
  const { command, dataDir } = chatWorld()
  const { exit, out } = await command('doctor', '--json')
  expect(exit).toBe(0)
  const { result } = JSON.parse(out)
  expect(result.sandbox).toMatchObject({ backend: 'bwrap', works: true })
  expect(result.sandbox.meaning).toHaveLength(4)
  expect(result.interpreters.find(({ kind }: { kind: string }) => kind === 'bash').path).toMatch(/bash$/)
  expect(result.data).toEqual({ folder: dataDir, exists: false, free_bytes: null })
})

test('doctor without bubblewrap says what that means and ends with 1', async () => {
  const { command } = chatWorld({ PATH: '/nonexistent' })
  const { exit, out } = await command('doctor')
  expect(exit).toBe(1)
  expect(out).toContain('does not work')
  expect(out).toContain('bubblewrap (bwrap) is not installed')
})

test('run says what in the project keeps everything from running, and what to do', async () => {
  const world = worldWithTool('echo ran\n')
  world.write('work/AGENTS.md', '')
  world.write('work/HEAD', 'ref: refs/heads/main\n')
  world.write('work/objects/keep', '')
  world.write('work/refs/keep', '')
  const { shows, type, ended } = world.commandTerminal('run', 'tool', 'scripts/a.sh')
  await shows('show (the script):')
  type('show\r')
  await shows('echo ran')
  await shows('show (the script):')
  type('allow\r')
  const { exit, all } = await ended
  expect(all).toContain('This folder is a git repository without a folder of files')
  expect(all).not.toMatch(/Settings says why/)
  expect(exit).toBe(1)
})
