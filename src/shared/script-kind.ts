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
  | 'deno'
  | 'bun'
  /** A compiled program: it runs itself. */
  | 'program'

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
  deno: 'Deno (deno)',
  bun: 'Bun (bun)',
  program: 'a compiled program',
}

const BY_EXTENSION: Readonly<Record<string, ScriptKind>> = {
  py: 'python3',
  sh: 'bash',
  bash: 'bash',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  mts: 'node',
  cts: 'node',
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
  [/^deno$/, 'deno'],
  [/^bun$/, 'bun'],
]

/** Endings that each interpreter is chosen for, for people: ".js .mjs". */
export function extensionsOf(kind: ScriptKind): string[] {
  return Object.entries(BY_EXTENSION).flatMap(([ending, other]) => (other === kind ? [`.${ending}`] : []))
}

/**
 * The interpreter of a file: named by its `#!` line, else by its extension; null when it is not a script that can be
 * run. `env` and `env -S` with one plain word are looked through, the latter also with options that change only how the interpreter behaves; with more, and a program outside the table, the file
 * is refused even where the extension would fit, because it asks for something else than it would get.
 */
export function scriptKind(path: string, firstLine: string): ScriptKind | null {
  const line = firstLine.replace(/^\uFEFF/, '')
  if (line.startsWith('#!')) return fromShebang(line.slice(2).trim())
  if (line.startsWith('\u007fELF')) return /\.(?:so(?:\.[\d.]+)?|node|o|a)$/.test(path) ? null : 'program'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.d\.[cm]?ts$/i.test(name)) return null
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : null
}

/** Options of a shell that its `#!` line gives and that change how the script runs: -e, -u, -x. */
export function shellOptions(firstLine: string): string[] {
  const [, options = ''] =
    /^\ufeff?#!\s*\S*\/(?:env\s+-S\s+)?(?:ba|da|a)?sh\s+(-[eux]+)\s*$/.exec(firstLine) ?? []
  return options === '' ? [] : [options]
}

function fromShebang(command: string): ScriptKind | null {
  const [program = '', ...args] = command.split(/\s+/)
  const name = baseName(program)
  if (name !== 'env') return fromProgram(name)
  const [word = '', ...rest] = args[0] === '-S' ? args.slice(1) : args
  if (!/^[\w.]+$/.test(word)) return null
  const kind = fromProgram(word)
  if (rest.length === 0 || (isSelfConfined(kind) && rest.every(isPermission))) return kind
  return args[0] === '-S' && rest.every((option) => PLAIN_OPTIONS[kind ?? '']?.test(option)) ? kind : null
}

/** Options after `env -S` that only say how the interpreter behaves, and make no other code run. */
const PLAIN_OPTIONS: Readonly<Record<string, RegExp>> = {
  python3: /^-[uBbEIOPsSv]+$/,
  bash: /^-[eux]+$/,
  sh: /^-[eux]+$/,
  node: /^--(?:no-warnings|enable-source-maps|experimental-strip-types)$/,
  ruby: /^-[wW]$/,
  perl: /^-[wtTW]+$/,
}

/** Options of Python that its `#!` line gives, after `env -S` or not. */
export function pythonOptions(firstLine: string): string[] {
  const [, options = ''] =
    /^\ufeff?#!\s*\S*\/(?:env\s+-S\s+)?python[\d.]*((?:\s+-[uBbEIOPsSv]+)+)\s*$/.exec(firstLine) ?? []
  return options.trim().split(/\s+/).filter(Boolean)
}

/** Their scripts customarily begin `env -S deno run --allow-read`; what they may do is for the sandbox to say. */
function isSelfConfined(kind: ScriptKind | null): boolean {
  return kind === 'deno' || kind === 'bun'
}

function isPermission(option: string): boolean {
  return /^(?:run|-A|--no-prompt|--allow-[a-z]+(?:=[\w./:,*-]*)?)$/.test(option)
}

function fromProgram(name: string): ScriptKind | null {
  return BY_PROGRAM.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
