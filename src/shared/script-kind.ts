/** The interpreters that skills' scripts are run with (`runtime.md` 2, Interpreters). */
export type ScriptKind =
  | 'python3'
  | 'bash'
  | 'sh'
  | 'node'
  | 'ruby'
  | 'perl'
  | 'pwsh'
  | 'php'
  | 'Rscript'
  | 'lua'

/** The interpreters as people know them, with the program that must be on the PATH. */
export const INTERPRETER_NAMES: Readonly<Record<ScriptKind, string>> = {
  python3: 'Python 3 (python3)',
  bash: 'bash',
  sh: 'a shell (sh)',
  node: 'Node (node)',
  ruby: 'Ruby (ruby)',
  perl: 'Perl (perl)',
  pwsh: 'PowerShell (pwsh)',
  php: 'PHP (php)',
  Rscript: 'R (Rscript)',
  lua: 'Lua (lua)',
}

const BY_EXTENSION: Readonly<Record<string, ScriptKind>> = {
  py: 'python3',
  sh: 'bash',
  bash: 'bash',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  rb: 'ruby',
  pl: 'perl',
  ps1: 'pwsh',
  php: 'php',
  r: 'Rscript',
  lua: 'lua',
}

const BY_PROGRAM: readonly (readonly [RegExp, ScriptKind])[] = [
  [/^python(?:3(?:\.\d+)?)?$/, 'python3'],
  [/^bash$/, 'bash'],
  [/^(?:sh|dash|ash)$/, 'sh'],
  [/^(?:node|nodejs)$/, 'node'],
  [/^ruby(?:\d(?:\.\d+)?)?$/, 'ruby'],
  [/^perl$/, 'perl'],
  [/^(?:pwsh|powershell)$/, 'pwsh'],
  [/^php(?:\d(?:\.\d+)?)?$/, 'php'],
  [/^Rscript$/, 'Rscript'],
  [/^lua(?:\d(?:\.\d+)?)?$/, 'lua'],
]

/**
 * The interpreter of a file: named by its `#!` line, else by its extension; null when it is not a script that can be
 * run. `env` with one plain word is looked through; `env` with more, and a program outside the table, is refused
 * even where the extension would fit, because the file asks for something else than it would get.
 */
export function scriptKind(path: string, firstLine: string): ScriptKind | null {
  const line = firstLine.replace(/^\uFEFF/, '')
  if (line.startsWith('#!')) return fromShebang(line.slice(2).trim())
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.d\.[cm]?ts$/i.test(name)) return null
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : null
}

function fromShebang(command: string): ScriptKind | null {
  const [program = '', ...args] = command.split(/\s+/)
  const name = baseName(program)
  if (name !== 'env') return fromProgram(name)
  const [word = ''] = args
  return args.length === 1 && /^[\w.]+$/.test(word) ? fromProgram(word) : null
}

function fromProgram(name: string): ScriptKind | null {
  return BY_PROGRAM.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
