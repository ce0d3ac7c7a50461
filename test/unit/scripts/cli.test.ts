import { spawn } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandDigest, commandEntry, linkCommand } from '../../../scripts/lib/cli.mjs'

const library = resolve(import.meta.dirname, '../../../scripts/lib/cli.mjs')

/** A project whose command is one file with a part of its own. */
function project(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-command-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const name of ['bin', 'src/cli', 'src/shared', 'src/main/electron'])
    mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, 'bin/satchel.mjs'), '')
  writeFileSync(join(root, 'src/cli/part.ts'), 'export const answer: number = 42\n')
  writeFileSync(join(root, 'src/main/worker.ts'), 'export {}\n')
  writeFileSync(
    join(root, 'src/cli/main.ts'),
    "export const main = async (): Promise<number> => (await import('./part')).answer\n",
  )
  return root
}

const answerOf = async (file: string) => ((await import(file)) as { main(): Promise<number> }).main()

test('the command is built once and then loaded as it is', async () => {
  const root = project()
  let builds = 0
  const file = await commandEntry(root, () => void (builds += 1))
  expect(await commandEntry(root, () => void (builds += 1))).toBe(file)
  expect(builds).toBe(1)
  expect(await answerOf(file)).toBe(42)
})

test('a changed source is another build, and the old one stays for who still uses it', async () => {
  const root = project()
  const old = await commandEntry(root)
  writeFileSync(join(root, 'src/cli/part.ts'), 'export const answer: number = 43 // changed\n')
  const fresh = await commandEntry(root)
  expect(fresh).not.toBe(old)
  expect([await answerOf(old), await answerOf(fresh)]).toEqual([42, 43])
})

test('what belongs to the window alone asks for no new build', () => {
  const root = project()
  const before = commandDigest(root)
  writeFileSync(join(root, 'src/main/electron/window.ts'), 'x')
  expect(commandDigest(root)).toBe(before)
  writeFileSync(join(root, 'src/main/app.ts'), 'x')
  expect(commandDigest(root)).not.toBe(before)
})

test('a file from elsewhere can not be built in, because its changes would not be noticed', async () => {
  const root = project()
  mkdirSync(join(root, 'resources'))
  writeFileSync(join(root, 'resources/list.json'), '[]')
  writeFileSync(
    join(root, 'src/cli/main.ts'),
    "export { default as main } from '../../resources/list.json'\n",
  )
  await expect(commandEntry(root)).rejects.toThrow('resources/list.json is built into the command')
})

test('several that start at once all load a whole build', async () => {
  const root = project()
  const script = `import { commandEntry } from ${JSON.stringify(library)}
const { main } = await import(await commandEntry(${JSON.stringify(root)}))
console.log(await main())`
  const runs = Array.from({ length: 3 }, () => run(script))
  expect(await Promise.all(runs)).toEqual(['42\n', '42\n', '42\n'])
  expect(readdirSync(join(root, 'out/cli'))).toEqual([commandDigest(root)])
})

test('a build that fails leaves nothing that looks like one', async () => {
  const root = project()
  writeFileSync(join(root, 'src/cli/main.ts'), 'export const main = (')
  await expect(commandEntry(root)).rejects.toThrow()
  expect(readdirSync(join(root, 'out/cli'))).toEqual([])
})

test('old builds are deleted, but for the newest and those of the last hour', async () => {
  const root = project()
  const builds = join(root, 'out/cli')
  for (let at = 0; at < 10; at += 1) {
    const dir = join(builds, `old-${at}`)
    mkdirSync(dir, { recursive: true })
    utimesSync(dir, 1000 + at, 1000 + at)
  }
  mkdirSync(join(builds, 'recent'))
  await commandEntry(root)
  const left = readdirSync(builds).filter((name) => name !== commandDigest(root))
  expect(left.toSorted()).toEqual(['old-6', 'old-7', 'old-8', 'old-9', 'recent'])
})

test('the link leads from node_modules/.bin to the command, which can be executed', () => {
  const root = project()
  linkCommand(root, 'linux')
  const link = join(root, 'node_modules/.bin/satchel')
  expect(realpathSync(link)).toBe(join(root, 'bin/satchel.mjs'))
  expect(statSync(link).mode & 0o111).toBe(0o111)
  const before = lstatSync(link).ino
  linkCommand(root, 'linux')
  expect(lstatSync(link).ino).toBe(before)
})

test('a link that leads elsewhere is replaced', () => {
  const root = project()
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules/.bin/satchel'), 'something else')
  linkCommand(root, 'linux')
  expect(readlinkSync(join(root, 'node_modules/.bin/satchel'))).toBe('../../bin/satchel.mjs')
})

test('on Windows there are shims in place of the link', () => {
  const root = project()
  linkCommand(root, 'win32')
  const shim = readFileSync(join(root, 'node_modules/.bin/satchel.cmd'), 'utf8')
  expect(shim).toContain(String.raw`"%~dp0\..\..\bin\satchel.mjs" %*`)
  expect(readdirSync(join(root, 'node_modules/.bin')).toSorted()).toEqual(['satchel.cmd', 'satchel.ps1'])
})

function run(script: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()))
  return new Promise((done) => child.once('close', () => done(out)))
}
