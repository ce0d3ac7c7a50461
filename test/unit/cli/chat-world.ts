import { spawn as spawnProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawn as spawnTerminal } from 'node-pty'
import { onTestFinished } from 'vitest'
import { root } from './cli-world'

const node = join(root, 'node_modules', 'node', 'bin', 'node')
const bin = join(root, 'bin', 'satchel.mjs')

export interface Ended {
  exit: number
  out: string
  err: string
}

/** A terminal in which `satchel chat` runs. */
export interface Terminal {
  /** Resolves once the text stands on the screen after everything that was waited for before. */
  shows(text: string): Promise<void>
  type(text: string): void
  /** Ends it as a crash would; everything that was shown. */
  kill(): Promise<string>
  /** Exit code, and everything that was shown. */
  ended: Promise<{ exit: number; all: string }>
}

/** A home, a data folder and a project of their own, and `satchel chat` in processes of its own. */
export interface ChatWorld {
  home: string
  dataDir: string
  write(path: string, text: string): string
  chat(...args: string[]): Promise<Ended>
  /** The events, and the envelope of the last line. */
  json(...args: string[]): Promise<{ exit: number; events: Event[]; envelope: Envelope; err: string }>
  terminal(...args: string[]): Terminal
  /** Any other command, without a terminal and in one. */
  command(...args: string[]): Promise<Ended>
  commandTerminal(...args: string[]): Terminal
}

type Event = Record<string, unknown> & { t: string }
type Envelope = Record<string, unknown> & { result: Record<string, unknown> }

export function chatWorld(extra: Record<string, string> = {}): ChatWorld {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-chat-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const dataDir = join(home, 'data')
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_HOME: dataDir, TERM: 'xterm', ...extra }
  const cwd = join(home, 'work')
  mkdirSync(cwd)
  const chat = (...args: string[]) => run(['chat', ...args], { cwd, env })
  return {
    home,
    dataDir,
    write(path, text) {
      const file = join(home, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    chat,
    async json(...args) {
      const { exit, out, err } = await chat(...args, '--json')
      const lines = out.trimEnd().split('\n')
      const objects = lines.map((line) => JSON.parse(line) as Event)
      return { exit, err, events: objects.slice(0, -1), envelope: objects.at(-1) as unknown as Envelope }
    },
    terminal: (...args) => openTerminal(['chat', ...args], { cwd, env }),
    command: (...args) => run(args, { cwd, env }),
    commandTerminal: (...args) => openTerminal(args, { cwd, env }),
  }
}

interface Place {
  cwd: string
  env: Record<string, string>
}

function run(args: string[], place: Place): Promise<Ended> {
  const child = spawnProcess(node, [bin, ...args], { ...place, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (printed.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (printed.err += text))
  return new Promise((done) => {
    child.once('close', (exit) => done({ exit: exit ?? -1, ...printed }))
  })
}

function openTerminal(args: string[], place: Place): Terminal {
  const child = spawnTerminal(node, [bin, ...args], { ...place, cols: 120, rows: 40, encoding: null })
  const screen = { all: '', seen: 0, waiting: (): void => undefined }
  const decoder = new TextDecoder()
  child.onData((bytes) => {
    screen.all += decoder.decode(bytes, { stream: true })
    screen.waiting()
  })
  let isOver = false
  const ended = new Promise<{ exit: number; all: string }>((done) => {
    child.onExit(({ exitCode }) => {
      isOver = true
      screen.waiting()
      done({ exit: exitCode, all: screen.all })
    })
  })
  onTestFinished(() => {
    if (!isOver) child.kill('SIGKILL')
  })
  return {
    ended,
    type: (text) => child.write(text),
    async kill() {
      child.kill('SIGKILL')
      return (await ended).all
    },
    shows: (text) =>
      new Promise((resolve, reject) => {
        screen.waiting = () => {
          const at = screen.all.indexOf(text, screen.seen)
          if (at !== -1) {
            screen.seen = at + text.length
            resolve()
          } else if (isOver) reject(new Error(`It ended without "${text}":\n${screen.all}`))
        }
        screen.waiting()
      }),
  }
}
