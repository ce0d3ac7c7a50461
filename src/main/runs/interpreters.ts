import { createHash } from 'node:crypto'
import { accessSync, constants, createReadStream, realpathSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { InterpreterView } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { extensionsOf, INTERPRETER_NAMES } from '@shared/script-kind'
import type { ScriptKind } from '@shared/script-kind'
import { isInside } from '../lib/contain'
import { joinedPath } from '../lib/joined-path'
import { runProcess } from '../lib/process'
import { isProgram, isSystem, realProgram } from './real-program'
import { installationPrefix } from './workdir'

export interface Interpreter {
  name: ScriptKind
  /** Real path of the program itself, never of a version manager's shim. */
  path: string
  /** "3.11.7"; empty where the program doesn't tell (dash). */
  version: string
  /** Of the program's file. */
  sha256: string
  /** What must be mounted read-only for it to work when it lies outside /usr: its installation, or itself alone. */
  prefixes: string[]
}

export interface Interpreters {
  /**
   * The one chosen in Settings, else the first on the PATH that could run in a sandbox; never one in `workspace`, where
   * a script could change it (A53). Throws `no_interpreter` when there is none.
   */
  find(kind: ScriptKind, workspace: string): Promise<Interpreter>
  /** False when the file is not that program any more. */
  verify(path: string, sha256: string): Promise<boolean>
  /** The whole table, for Settings. */
  list(): Promise<InterpreterView[]>
}

export interface InterpreterDeps {
  env: Readonly<Record<string, string | undefined>>
  /** PATH of the person's login shell, which comes first; null: as `env` says. */
  loginPath?: (() => Promise<string | null>) | undefined
  /** Absolute paths that the person chose, by kind. */
  chosen?: (() => Readonly<Record<string, string>>) | undefined
}

interface Context {
  deps: InterpreterDeps
  programs: Map<string, Promise<string | null>>
  versions: Map<string, Promise<string>>
  digests: Map<string, Promise<string>>
}

const ASK_MS = 5000
const KINDS = Object.keys(INTERPRETER_NAMES) as ScriptKind[]

/** What was found is kept until the program's file changes. */
export function createInterpreters(deps: InterpreterDeps): Interpreters {
  const context: Context = { deps, programs: new Map(), versions: new Map(), digests: new Map() }
  return {
    find: (kind, workspace) => find(context, kind, workspace),
    async verify(path, sha256) {
      return isProgram(path) && (await digestOf(context, path)) === sha256
    },
    list: () => Promise.all(KINDS.filter((kind) => kind !== 'program').map((kind) => viewOf(context, kind))),
  }
}

async function find(context: Context, kind: ScriptKind, workspace: string): Promise<Interpreter> {
  const { env, chosen } = context.deps
  const wanted = chosen?.()[kind]
  const candidates =
    wanted === undefined ? onPath(kind, await searchPath(context)) : onPath(wanted, '').slice(0, 1)
  for (const candidate of candidates) {
    const path = await kept(context.programs, `${kind} ${stamp(candidate)}`, () =>
      realProgram(kind, candidate, env),
    )
    if (path === null || !isProgram(path) || isInside(workspace, path)) continue
    const version = await kept(context.versions, stamp(path), () => askVersion(kind, path))
    const sha256 = await digestOf(context, path)
    return { name: kind, path, version, sha256, prefixes: prefixesOf(path, env['HOME']) }
  }
  throw new AppError('no_interpreter', missing(kind, wanted), { interpreter: kind })
}

function missing(kind: ScriptKind, wanted: string | undefined): string {
  const name = INTERPRETER_NAMES[kind]
  return wanted === undefined
    ? `${name} isn't installed, or isn't on the PATH of Satchel. Install it, then start Satchel again.`
    : `${name} is set to "${wanted}" in Settings, and that is no program that can be used. Correct it under Settings, Sandbox and runs.`
}

async function viewOf(context: Context, kind: ScriptKind): Promise<InterpreterView> {
  const base = {
    kind,
    name: INTERPRETER_NAMES[kind],
    extensions: extensionsOf(kind),
    chosen: context.deps.chosen?.()[kind] ?? null,
  }
  try {
    const { path, version } = await find(context, kind, '/nonexistent')
    return { ...base, path, version, problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...base, path: null, version: '', problem: error.message }
  }
}

/** The login shell's folders first: an app started from a desktop has a poorer PATH than the person's terminal. */
async function searchPath({ deps }: Context): Promise<string> {
  return joinedPath(deps.env['PATH'] ?? '', (await deps.loginPath?.()) ?? null)
}

/** Absolute folders only: "." on the PATH would let a project bring its own python3. An absolute `name` is itself. */
function onPath(name: string, path: string): string[] {
  const files = isAbsolute(name) ? [name] : path.split(delimiter).filter((folder) => isAbsolute(folder))
  return files.flatMap((place) => {
    const file = isAbsolute(name) ? place : join(place, name)
    try {
      const real = realpathSync(file)
      accessSync(real, constants.X_OK)
      return statSync(real).isFile() ? [file] : []
    } catch {
      // Not in this folder.
      return []
    }
  })
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
  asked.catch(() => cache.delete(key))
  return asked
}

/** Who may write a file can set its times, but not that of its last change: what is kept by it is about these bytes. */
function stamp(path: string): string {
  const { mtimeMs, ctimeMs, size, ino, dev } = statSync(path)
  return `${path} ${mtimeMs} ${ctimeMs} ${size} ${ino} ${dev}`
}

function digestOf(context: Context, path: string): Promise<string> {
  return kept(context.digests, stamp(path), async () => {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  })
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
