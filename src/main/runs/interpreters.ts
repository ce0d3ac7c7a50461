import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { AppError } from '@shared/errors'
import { INTERPRETER_NAMES } from '@shared/script-kind'
import type { ScriptKind } from '@shared/script-kind'
import { runProcess } from '../lib/process'
import { isInside } from '../lib/contain'
import { installationPrefix } from './workdir'

export interface Interpreter {
  name: ScriptKind
  /** Real path of the program itself, never of a version manager's shim. */
  path: string
  /** "3.11.7"; empty where the program doesn't tell (dash). */
  version: string
  /** What must be mounted read-only for it to work when it lies outside /usr: its installation, or itself alone. */
  prefixes: string[]
}

export interface Interpreters {
  /**
   * The first on the PATH that could run in a sandbox and doesn't lie in `workspace`, where a script could change it
   * (A53). Throws `no_interpreter` when there is none.
   */
  find(kind: ScriptKind, workspace: string): Promise<Interpreter>
}

/** How a shim is asked for the program behind it. */
const ASK: Partial<Record<ScriptKind, string[]>> = {
  python3: ['-c', 'import sys; print(getattr(sys, "_base_executable", "") or sys.executable)'],
  node: ['-p', 'process.execPath'],
  ruby: ['-e', 'puts RbConfig.ruby'],
  perl: ['-e', 'print $^X'],
  php: ['-r', 'echo PHP_BINARY;'],
}

const ASK_MS = 5000

/** Looks on the PATH of the app. What was found is kept until the program's file changes. */
export function createInterpreters(env: Readonly<Record<string, string | undefined>>): Interpreters {
  const programs = new Map<string, Promise<string | null>>()
  const versions = new Map<string, Promise<string>>()
  return {
    async find(kind, workspace) {
      for (const candidate of candidates(kind, env['PATH'] ?? '')) {
        const path = await kept(programs, `${kind} ${stamp(candidate)}`, () =>
          realProgram(kind, candidate, env),
        )
        if (path === null || !isProgram(path) || isInside(workspace, path)) continue
        const version = await kept(versions, stamp(path), () => askVersion(kind, path))
        return { name: kind, path, version, prefixes: prefixesOf(path, env['HOME']) }
      }
      throw new AppError(
        'no_interpreter',
        `${INTERPRETER_NAMES[kind]} isn't installed, or isn't on the PATH of Satchel. Install it, then start Satchel again.`,
        { interpreter: kind },
      )
    },
  }
}

/** True when `path` still is that program: a file that can be executed, reached without a link. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() && realpathSync(path) === path
  } catch {
    // Missing or not executable: the answer.
    return false
  }
}

/** Absolute folders only: "." on the PATH would let a project bring its own python3. */
function candidates(kind: ScriptKind, path: string): string[] {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => {
      try {
        const real = realpathSync(join(folder, kind))
        accessSync(real, constants.X_OK)
        return statSync(real).isFile() ? [join(folder, kind)] : []
      } catch {
        // Not in this folder.
        return []
      }
    })
}

/** The program itself; null for a shim that doesn't tell what it stands for. */
async function realProgram(
  kind: ScriptKind,
  candidate: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const real = realpathSync(candidate)
  if (isSystem(real) && !isTextScript(real)) return real
  const question = ASK[kind]
  if (!question) return isTextScript(real) ? null : real
  const answer = await runProcess(candidate, question, { env: askEnv(env), timeoutMs: ASK_MS })
  const told = answer.stdout.trim()
  if (answer.code !== 0 || !isAbsolute(told)) return null
  try {
    const program = realpathSync(told)
    return isProgram(program) && !isTextScript(program) ? program : null
  } catch {
    // It named something that isn't there.
    return null
  }
}

function prefixesOf(path: string, home: string | undefined): string[] {
  if (isSystem(path)) return []
  return [installationPrefix(path, home) ?? path]
}

function kept<T>(cache: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = cache.get(key)
  if (known) return known
  const asked = ask()
  cache.set(key, asked)
  return asked
}

function stamp(path: string): string {
  const { mtimeMs, size, ino } = statSync(path)
  return `${path} ${mtimeMs} ${size} ${ino}`
}

async function askVersion(kind: ScriptKind, path: string): Promise<string> {
  const flag = kind === 'lua' ? '-v' : '--version'
  const answer = await runProcess(path, [flag], {
    env: { PATH: '/usr/bin:/bin', LANG: 'C' },
    timeoutMs: ASK_MS,
  })
  if (answer.code !== 0) return ''
  return /\d+\.\d+(\.\d+)*/.exec(`${answer.stdout}\n${answer.stderr}`)?.[0] ?? ''
}

/** In every sandbox without further mounts. */
function isSystem(path: string): boolean {
  return /^\/(usr|bin|sbin|lib|lib64)\//.test(path)
}

function isTextScript(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(2)
    readSync(file, start, 0, 2, 0)
    return start.toString('latin1') === '#!'
  } finally {
    closeSync(file)
  }
}

/** A version manager needs the home folder and its own settings to answer, nothing else. */
function askEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) =>
      name === 'PATH' || name === 'HOME' || /^(PYENV|NVM|VOLTA|ASDF|MISE|RBENV|FNM|NODENV)_/.test(name),
  )
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
