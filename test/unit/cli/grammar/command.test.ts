import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { commandEntry } from '../../../../scripts/lib/cli.mjs'
import { root } from '../cli-world'

const bin = join(root, 'bin', 'satchel.mjs')
const projectNode = join(root, 'node_modules', 'node', 'bin', 'node')

/** Every Node on the PATH that the native modules do not support; the project's own is always tried. */
function olderNodes(): string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, 'node'))
  const real = [...new Set(found.filter((file) => existsSync(file)).map((file) => realpathSync(file)))]
  return real.filter((file) => {
    const { stdout } = spawnSync(file, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })
    return Number(stdout) >= 18 && Number(stdout) < 22
  })
}

const NODES = [projectNode, ...olderNodes()]

interface Place {
  home: string
  env: Record<string, string>
}

function place(env: Record<string, string> = {}): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-bin-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return { home, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env } }
}

function satchel({ home, env }: Place, args: string[], node = projectNode) {
  const { status, stdout, stderr } = spawnSync(node, [bin, ...args], { cwd: home, env, encoding: 'utf8' })
  return { exit: status, out: stdout, err: stderr }
}

function writeSkill(home: string, name: string, description = `Does ${name}. Use for ${name}.`): void {
  const dir = join(home, '.satchel', 'skills', name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`)
}

// Built once, so that no test measures or prints it.
beforeAll(() => commandEntry(root))

test.each(NODES)('under %s every command works and gives its exit code', (node) => {
  const at = place()
  writeSkill(at.home, 'mine')
  const ended = (...args: string[]) => satchel(at, args, node).exit
  expect(ended('--version')).toBe(0)
  expect(ended('skills', 'list')).toBe(0)
  expect(ended('skills', 'search', 'mine')).toBe(0)
  expect(ended('skills', 'show', 'mine')).toBe(0)
  expect(ended('skills', 'digest', 'mine')).toBe(0)
  expect(ended('skills', 'conflicts')).toBe(0)
  expect(ended('skills', 'doctor')).toBe(0)
  expect(ended('skills', 'validate')).toBe(0)
  expect(ended('skills', 'new', 'other')).toBe(0)
  expect(ended('skills', 'new', 'other')).toBe(1)
  expect(ended('skills', 'validate', '--exact', 'nowhere')).toBe(1)
  expect(ended('skills', 'nothing')).toBe(2)
})

test.each(NODES)('under %s --json is exactly one line, and stderr stays empty', (node) => {
  const at = place()
  for (const args of [
    ['skills', 'list'],
    ['skills', 'doctor'],
    ['skills', 'show', 'nobody'],
    ['skills', 'lits'],
  ]) {
    const { out, err } = satchel(at, [...args, '--json'], node)
    expect(err).toBe('')
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(out)).toHaveProperty('success')
  }
})

test('without a terminal there are no colours and nothing is cut', () => {
  const at = place()
  writeSkill(at.home, 'mine', `Long. ${'word '.repeat(60)}end. Use it.`)
  const { out } = satchel(at, ['skills', 'list'])
  expect(out).not.toContain('\u001b')
  expect(out).toContain('word end. Use it.')
  expect(satchel(place({ FORCE_COLOR: '1' }), ['skills', 'list']).out).toContain('\u001b[')
})

test.each(NODES)('under %s a reader that goes away ends it quietly', async (node) => {
  const at = place()
  for (let index = 0; index < 400; index += 1) writeSkill(at.home, `skill-${index}`, 'x'.repeat(900))
  const child = spawn(node, [bin, 'skills', 'list'], { cwd: at.home, env: at.env })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()))
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((done) => child.once('close', done))
  expect(err).toBe('')
  expect(code).toBe(0)
})

test('an older Node hands on what it is told: arguments, input, signals', async () => {
  // A checkout of its own, whose command tells what it got and waits for a signal.
  const at = place()
  const checkout = fakeCheckout(
    at.home,
    `
    export async function main(args) {
      process.stdout.write(JSON.stringify(args) + '\\n')
      await new Promise(() => setInterval(() => {}, 1000))
    }`,
  )
  for (const node of NODES) {
    const child = spawn(node, [join(checkout, 'bin/satchel.mjs'), 'a b', '', '--x="'], { env: at.env })
    const said = await new Promise<string>((done) =>
      child.stdout.once('data', (data: Buffer) => done(data.toString())),
    )
    expect(JSON.parse(said)).toEqual(['a b', '', '--x="'])
    const ended = new Promise<unknown>((done) => child.once('exit', (code, signal) => done(signal ?? code)))
    child.kill('SIGINT')
    expect(await ended).toBe('SIGINT')
  }
})

test('a Node that is not the wanted one and no other at hand: one sentence, no crash', () => {
  const at = place()
  const checkout = fakeCheckout(at.home, 'export const main = () => 0', '999.0.0')
  const run = (...args: string[]) =>
    spawnSync(projectNode, [join(checkout, 'bin/satchel.mjs'), ...args], { env: at.env, encoding: 'utf8' })
  const plain = run('skills', 'list')
  expect(plain.status).toBe(1)
  expect(plain.stdout).toBe('')
  expect(plain.stderr).toContain("Satchel's command needs Node 999")
  expect(plain.stderr).toContain('Run "npm start" or "npm ci" once')
  expect(JSON.parse(run('skills', 'list', '--json').stdout)).toMatchObject({ success: false })
})

test('a command that can not be built says so in one sentence', () => {
  const at = place()
  const checkout = fakeCheckout(at.home, 'export const main = (')
  const { status, stdout, stderr } = spawnSync(projectNode, [join(checkout, 'bin/satchel.mjs')], {
    env: at.env,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain('The command could not be built or loaded')
  expect(stderr).not.toContain('    at ')
  expect(stderr).not.toContain('\u001b')
})

test('it needs no display, no data folder and leaves nothing behind', () => {
  const at = place()
  for (const args of [
    ['skills', 'list'],
    ['skills', 'search', 'json'],
    ['skills', 'doctor'],
  ])
    satchel(at, args)
  expect(readdirSync(at.home)).toEqual([])
})

test.each<[string[], RegExp]>([
  [['--help'], /better-sqlite3|node-pty|\/vite\/|parts\/(?!visible-text)/],
  [['skills', '--help'], /better-sqlite3|node-pty|\/vite\/|parts\/(?!visible-text)/],
  [
    ['skills', 'validate', '--strict', join(root, 'resources/skills/json-tidy')],
    /better-sqlite3|node-pty|skills-here|\/vite\//,
  ],
  [
    ['skills', 'validate', join(root, 'resources/skills/json-tidy')],
    /better-sqlite3|node-pty|skills-here|\/vite\//,
  ],
  [['skills', 'new', 'x'], /node-pty|skills-here|\/vite\//],
  [
    ['skills', 'digest', join(root, 'resources/skills/json-tidy')],
    /better-sqlite3|node-pty|skills-here|\/vite\//,
  ],
  [['skills', 'list'], /node-pty|state-in-data|\/vite\/|node_modules\/(?!better-sqlite3)/],
])('%j loads nothing of %s', (args, unwanted) => {
  const at = place()
  const trace = join(at.home, 'trace.mjs')
  writeFileSync(
    trace,
    `import { registerHooks } from 'node:module'
const seen = []
registerHooks({ load(url, context, next) { seen.push(url); return next(url, context) } })
process.on('exit', () => console.error(seen.join('\\n')))`,
  )
  const { status, stderr } = spawnSync(projectNode, ['--import', trace, bin, ...args], {
    cwd: at.home,
    env: at.env,
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  const loaded = stderr.split('\n').map((url) => url.replace(root, ''))
  expect(loaded.some((url) => /out\/cli\/[0-9a-f]+\/satchel\.mjs$/.test(url))).toBe(true)
  expect(loaded.filter((url) => unwanted.test(url))).toEqual([])
})

/** A checkout with a command of one file, and the packages of this one. */
function fakeCheckout(dir: string, source: string, node = process.versions.node): string {
  const checkout = join(dir, 'checkout')
  for (const name of ['bin', 'scripts/lib', 'src/cli', 'src/main']) {
    mkdirSync(join(checkout, name), { recursive: true })
  }
  copyFileSync(bin, join(checkout, 'bin/satchel.mjs'))
  for (const name of ['cli.mjs', 'without-fault-points.mjs']) {
    copyFileSync(join(root, 'scripts/lib', name), join(checkout, 'scripts/lib', name))
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ devDependencies: { node } }))
  writeFileSync(join(checkout, 'src/cli/main.ts'), source)
  writeFileSync(join(checkout, 'src/main/worker.ts'), 'export {}\n')
  return checkout
}
