import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { isAbsolute } from 'node:path'
import { endGroup, startProcess } from '../lib/process'

type Env = Readonly<Record<string, string | undefined>>

const LOGIN_MS = 4000
const MOST_BYTES = 256_000

/** Shells that take `-ilc TEXT` and understand the text below; others keep PATH as a list, or have no such options. */
const SHELLS = /\/(?:bash|zsh|ksh|mksh|fish)$/

/** What runs need to know of the environment that the login shell makes. */
export interface Login {
  path: string
  /** Variables that git reads, by name. */
  git: Readonly<Record<string, string>>
}

/**
 * PATH as the person's login shell makes it (pyenv, nvm and their like add to it in its start files), and the variables
 * that their git gets, asked for once. Null when there is no such shell, or when it takes too long, prints too much or
 * fails: then the app's own environment counts. It runs in a session of its own, so that it can't take a terminal from
 * anybody.
 */
export function createLogin(env: Env, timeoutMs = LOGIN_MS): () => Promise<Login | null> {
  let asked: Promise<Login | null> | null = null
  return () => (asked ??= ask(env, timeoutMs))
}

const ASK_PATH = `command env sh -c 'printf %s "$PATH"'`
const ASK_GIT = `command env sh -c 'env | grep -aE "^(GIT_[A-Z0-9_]+|XDG_CONFIG_HOME)="'`

function ask(env: Env, timeoutMs: number): Promise<Login | null> {
  const shell = env['SHELL'] ?? ''
  if (process.platform === 'win32' || !SHELLS.test(shell) || !canRun(shell)) return Promise.resolve(null)
  // Start files print what they like; what stands between the marks is ours.
  const mark = randomBytes(12).toString('hex')
  const text = `command env printf '%s%s%s%s%s' ${mark} "$(${ASK_PATH})" ${mark} "$(${ASK_GIT})" ${mark}`
  return new Promise((resolve) => {
    const child = startProcess(shell, ['-ilc', text], { env: shellEnv(env), cwd: env['HOME'] ?? '/' })
    let printed = ''
    let over = false
    const finish = () => {
      if (over) return
      over = true
      clearTimeout(timer)
      endGroup(child)
      resolve(between(printed, mark))
    }
    const timer = setTimeout(finish, timeoutMs)
    child.on('error', finish)
    child.on('close', finish)
    child.stdin.on('error', () => undefined)
    child.stdin.end()
    child.stderr.resume()
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8')
      if (printed.length > MOST_BYTES || between(printed, mark) !== null) finish()
    })
  })
}

function between(printed: string, mark: string): Login | null {
  const [, path, git, after] = printed.split(mark)
  if (path === undefined || git === undefined || after === undefined) return null
  return path.split(':').some(isAbsolute) ? { path, git: variables(git) } : null
}

/** Of the lines `NAME=value`; more lines of a value are not known. */
function variables(text: string): Record<string, string> {
  const found = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=')
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : []
  })
  return Object.fromEntries(found)
}

function canRun(shell: string): boolean {
  try {
    accessSync(shell, constants.X_OK)
    return isAbsolute(shell)
  } catch {
    // It was uninstalled.
    return false
  }
}

/** What a fresh login has; DISABLE_AUTO_UPDATE keeps a common set of start files from asking a question. */
function shellEnv(env: Env): Record<string, string> {
  const kept = [
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'PATH',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'ZDOTDIR',
  ]
  const own = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { ...Object.fromEntries(own), TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true' }
}
