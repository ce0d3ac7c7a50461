import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitNamed, outerSettings } from '../../../../src/main/runs/sandbox/git-named'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
  execFileSync('git', ['init', '-q', bench.workspace])
})
afterEach(() => bench.close())

const at = (path: string) => join(bench.workspace, path)
const read = (path: string) => readFileSync(at(path), 'utf8')
const put = (path: string, text = '') => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const config = (...values: string[]) => execFileSync('git', ['-C', bench.workspace, 'config', ...values])
const NONE = { files: [], settings: [] }
const named = (found: string[] = []) => gitNamed(bench.workspace, found, NONE).sort()

test('hooks in a folder of the project can be neither changed nor added', async () => {
  put('githooks/pre-commit', 'mine')
  config('core.hooksPath', 'githooks')
  await bench.run(
    'hooks.sh',
    'echo evil > githooks/pre-commit; echo evil > githooks/post-checkout; mv githooks old; echo ok > own; true',
  )
  expect([read('githooks/pre-commit'), existsSync(at('githooks/post-checkout'))]).toEqual(['mine', false])
  expect(read('own')).toBe('ok\n')
})

test('a folder of hooks that is not there yet is moved away when a script makes it', async () => {
  config('core.hooksPath', 'tools/hooks')
  const { stderr } = await bench.run('make.sh', 'mkdir -p tools/hooks; echo evil > tools/hooks/pre-commit')
  expect(existsSync(at('tools/hooks'))).toBe(false)
  expect(stderr).toContain('moved away what a script may not make in a project: tools/hooks]')
})

test('an included file is read-only, and what it leads to', async () => {
  put('conf/shared', '[core]\n\tfsmonitor = "sh tools/watch.sh"\n')
  put('tools/watch.sh', 'mine')
  config('include.path', '../conf/shared')
  await bench.run('inc.sh', 'echo evil >> conf/shared; echo evil > tools/watch.sh; echo ok > tools/own; true')
  expect([read('conf/shared').includes('evil'), read('tools/watch.sh')]).toEqual([false, 'mine'])
  expect(read('tools/own')).toBe('ok\n')
})

test('what is put in its place by moving the folder around it, or by a link there, is moved away', async () => {
  put('conf/shared', '# mine')
  put('tools/x.sh', 'mine')
  config('include.path', '../conf/shared')
  config('filter.x.clean', './tools/x.sh %f')
  const { stderr } = await bench.run(
    'swap.sh',
    'mv conf c2; mkdir conf; echo evil > conf/shared; mv tools t2; mkdir evil; echo evil > evil/x.sh; ln -s evil tools',
  )
  expect([existsSync(at('conf/shared')), existsSync(at('tools'))]).toEqual([false, false])
  expect([read('c2/shared'), read('t2/x.sh')]).toEqual(['# mine', 'mine'])
  expect(stderr).toContain('conf/shared')
})

test('what only carries a name that stands in the settings stays as open as it was', async () => {
  put('docs/a')
  put('sub/b')
  config('user.name', 'docs')
  config('submodule.sub.url', './sub')
  await bench.run('docs.sh', 'echo ok > docs/a; echo ok > sub/b')
  expect([read('docs/a'), read('sub/b')]).toEqual(['ok\n', 'ok\n'])
})

test.each([
  ['core.sshCommand', 'ssh -F conf/ssh', ['conf/ssh']],
  ['diff.x.textconv', '"$(git rev-parse --show-toplevel)/tools/conv"', ['tools/conv']],
  ['merge.x.driver', 'cd tools && ./merge %A', ['merge', 'tools/merge']],
  ['gpg.program', './gpg.sh', ['gpg.sh']],
  ['tar.tgz.command', './pack.sh -c', ['pack.sh']],
  ['guitool.deploy.cmd', 'sh tools/deploy.sh', ['tools/deploy.sh']],
  ['lfs.customtransfer.x.args', 'tools/transfer.py --fast', ['tools/transfer.py']],
  ['alias.up', '!sh ./up.sh', ['up.sh']],
  ['alias.lg', 'log ../a', []],
  ['core.attributesFile', 'conf/attributes', ['conf/attributes']],
  ['init.templateDir', 'template', ['template']],
  ['core.hooksPath', '/elsewhere', []],
  ['core.hooksPath', 'lead/hooks', ['lead', 'tools/hooks']],
])('%s = %s leads to %j', (key, value, places) => {
  put('tools/merge')
  symlinkSync('tools', at('lead'))
  config(key, value)
  const found = named()
  expect(places.filter((place) => !found.includes(place))).toEqual([])
  if (places.length === 0) expect(found).toEqual([])
})

test('a repository below and its folder elsewhere count, and files that include each other end', () => {
  execFileSync('git', ['init', '-q', '--separate-git-dir', join(bench.dir, 'store'), at('sub')])
  execFileSync('git', ['-C', at('sub'), 'config', 'core.hooksPath', 'hooks'])
  put('one', '[include]\npath = two\n')
  put('two', '[include]\npath = one\n')
  config('include.path', '../one')
  expect(named(['sub/.git'])).toEqual(expect.arrayContaining(['one', 'sub/hooks', 'two']))
})

test('where the project is the folder of hooks, their names are closed', () => {
  config('core.hooksPath', '.')
  expect(named()).toContain('pre-commit')
})

test('settings of the person that count in every repository are read too', () => {
  const outer = join(bench.dir, 'gitconfig')
  writeFileSync(outer, '[core]\n\thooksPath = .githooks\n')
  expect(gitNamed(bench.workspace, [], { files: [outer], settings: [] })).toContain('.githooks')
})

test('files of settings that variables name count, and the one beside each git', () => {
  const bin = join(bench.dir, 'opt/bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'git'), '')
  const { files } = outerSettings([
    { PATH: `relative:${bin}`, XDG_CONFIG_HOME: '/x', GIT_CONFIG_GLOBAL: '/g' },
    { GIT_CONFIG_SYSTEM: '/s' },
  ])
  expect(files).toEqual(
    expect.arrayContaining([
      '/x/git/config',
      '/g',
      '/s',
      join(bench.dir, 'opt/etc/gitconfig'),
      '/etc/gitconfig',
    ]),
  )
  expect(outerSettings([{}, {}]).files).toHaveLength(3)
})

test('settings that variables hold count as those of files do', () => {
  const { settings } = outerSettings([
    { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'diff.My.Driver.textconv', GIT_CONFIG_VALUE_0: './conv.sh' },
    { GIT_SSH_COMMAND: './ssh.sh -v', GIT_CONFIG_COUNT: 'x' },
  ])
  expect(gitNamed(bench.workspace, [], { files: [], settings }).sort()).toEqual(['conv.sh', 'ssh.sh'])
})

test("a relative setting of the person's leads to a place in each repository below", async () => {
  const outer = join(bench.dir, 'gitconfig')
  writeFileSync(outer, '[core]\n\thooksPath = .githooks\n\tfsmonitor = ./watch.sh\n')
  put('sub/.git/HEAD')
  put('sub/.githooks/pre-commit', 'mine')
  for (const name of ['HEAD', 'objects/x', 'refs/x']) put(`bare/${name}`)
  const found = gitNamed(bench.workspace, ['sub/.git', 'bare/HEAD'], { files: [outer], settings: [] })
  expect(found).toEqual(
    expect.arrayContaining(['.githooks', 'sub/.githooks', 'sub/watch.sh', 'bare/.githooks']),
  )
})

test('of the settings that only the login shell sets a run keeps off too', async () => {
  const global = join(bench.dir, 'global')
  writeFileSync(global, '[core]\n\thooksPath = .githooks\n')
  const login = createBench({ gitEnv: async () => ({ GIT_CONFIG_GLOBAL: global }) })
  mkdirSync(join(login.workspace, 'sub/.git'), { recursive: true })
  mkdirSync(join(login.workspace, 'sub/.githooks'))
  writeFileSync(join(login.workspace, 'sub/.githooks/pre-commit'), 'mine')
  const { run } = await login.run('a.sh', 'echo evil > sub/.githooks/pre-commit; mkdir .githooks; true')
  const hook = readFileSync(join(login.workspace, 'sub/.githooks/pre-commit'), 'utf8')
  const isMade = existsSync(join(login.workspace, '.githooks'))
  await login.close()
  expect([run.status, hook, isMade]).toEqual(['succeeded', 'mine', false])
})

test('where settings name more places than can be closed nothing runs', () => {
  const lines = Array.from({ length: 4001 }, (_, index) => `\ttextconv = ./t${index}.sh\n`)
  const files = [1, 2, 3, 4, 5].map((number) => {
    const file = join(bench.dir, `gitconfig${number}`)
    writeFileSync(file, `[diff "x"]\n${lines.join('').replaceAll('./t', `./t${number}-`)}`)
    return file
  })
  expect(() => gitNamed(bench.workspace, [], { files, settings: [] })).toThrow(/^Git's settings name more/)
})
