import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { ScriptKind } from '@shared/script-kind'
import { runProcess } from '../lib/process'

type Env = Readonly<Record<string, string | undefined>>

/** How a shim is asked for the program behind it; it prints its path and nothing else. */
const ASK: Partial<Record<ScriptKind, string[]>> = {
  python3: ['-c', 'import sys; print(getattr(sys, "_base_executable", "") or sys.executable)'],
  node: ['-p', 'process.execPath'],
  ruby: ['-e', 'puts RbConfig.ruby'],
  perl: ['-e', 'print $^X'],
  php: ['-r', 'echo PHP_BINARY;'],
  Rscript: ['--vanilla', '-e', 'cat(file.path(R.home("bin"), "Rscript"))'],
  pwsh: ['-NoProfile', '-Command', '[Environment]::ProcessPath'],
  deno: ['eval', '--no-config', 'console.log(Deno.execPath())'],
  bun: ['-e', 'console.log(process.execPath)'],
}

/** Programs that stand for many others, by the name they are called with. */
const MANAGER = /^(?:mise|rtx|asdf|volta|volta-shim|proto|proto-shim|pyenv|rbenv|nodenv|fnm|aqua-proxy|shim)$/

const ASK_MS = 5000

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

/** In every sandbox without further mounts. */
export function isSystem(path: string): boolean {
  return /^\/(usr|bin|sbin|lib|lib64)\//.test(path)
}

/** The program behind `candidate`, by its real path; null for a shim that doesn't tell what it stands for. */
export async function realProgram(kind: ScriptKind, candidate: string, env: Env): Promise<string | null> {
  const real = realpathSync(candidate)
  const shim = isTextScript(real) || MANAGER.test(basename(real))
  if (isSystem(real) && !shim) return real
  const question = ASK[kind]
  if (!question) return shim ? null : real
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
function askEnv(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) =>
      name === 'PATH' || name === 'HOME' || /^(PYENV|NVM|VOLTA|ASDF|MISE|RBENV|FNM|NODENV|PROTO)_/.test(name),
  )
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
