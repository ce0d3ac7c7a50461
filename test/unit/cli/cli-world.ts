import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../../src/cli/run'
import type { World } from '../../../src/cli/world'

export const root = resolve(import.meta.dirname, '../../..')

/** What one command printed. */
export interface Printed {
  exit: number
  out: string
  err: string
}

/** A home folder and a current folder of their own, deleted after the test. */
export interface TestWorld {
  home: string
  cwd: string
  world: World
  /** Runs a command in this process. */
  run(...args: string[]): Promise<Printed>
  /** The object that `--json` printed, with the exit code. */
  json(...args: string[]): Promise<{ exit: number; envelope: Record<string, unknown>; result: never }>
  /** Writes a file below the temporary folder: `home/…` or `cwd/…`. */
  write(path: string, text: string | Uint8Array): string
  /** A skill in the folder, with what the frontmatter needs. */
  skill(folder: string, about?: { name?: string; description?: string; body?: string }): string
}

export interface WorldOptions {
  /** Columns of a terminal; without it the output goes to a file. */
  columns?: number
  env?: Record<string, string>
}

export function testWorld({ columns, env = {} }: WorldOptions = {}): TestWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-cli-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const home = join(base, 'home')
  const cwd = join(base, 'cwd')
  mkdirSync(home)
  mkdirSync(cwd)
  const printed = { out: '', err: '' }
  const isTTY = columns !== undefined
  const world: World = {
    root,
    cwd,
    homeDir: home,
    platform: 'linux',
    env: { PATH: process.env['PATH'], ...env },
    stdout: { write: (text) => void (printed.out += text), isTTY, columns },
    stderr: { write: (text) => void (printed.err += text), isTTY, columns },
    stdin: { isTTY: false, ask: async () => null, keys: () => () => undefined, close() {} },
    onInterrupt: () => () => undefined,
    workerFile: '',
    now: () => 0,
  }
  const write = (path: string, text: string | Uint8Array): string => {
    const file = join(base, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const run = async (...args: string[]): Promise<Printed> => {
    Object.assign(printed, { out: '', err: '' })
    const exit = await runCommand(args, world)
    return { exit, ...printed }
  }
  return {
    home,
    cwd,
    world,
    run,
    write,
    async json(...args) {
      const { exit, out } = await run(...args, '--json')
      const envelope = JSON.parse(out) as Record<string, unknown>
      return { exit, envelope, result: envelope['result'] as never }
    },
    skill(folder, about = {}) {
      const name = about.name ?? folder.split('/').at(-1)!
      const description = about.description ?? `Does what ${name} says. Use when somebody asks for ${name}.`
      const body = about.body ?? 'Do it.\n'
      write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`)
      return join(base, folder)
    },
  }
}
