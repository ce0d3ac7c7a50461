/** What a script's own words say that it needs beside its interpreter; nothing is installed by it. */
export interface DeclaredNeeds {
  /** Where it stands: "the script", "requirements.txt", "package.json". */
  source: string
  /** Names of packages, as their registry writes them, without versions. */
  packages: string[]
}

export interface NeedsInput {
  scriptPath: string
  scriptText: string | null
  /** Files of the skill by their paths, as far as they are text. */
  files: readonly { path: string; text: string | null }[]
}

const PYTHON = /\.py$/i
const NODE = /\.[cm]?[jt]s$/i
const MOST = 200

/**
 * Packages that a script of this kind declares: the block of PEP 723 in it, else `requirements.txt`, or `package.json`,
 * beside it or above it in its skill. What other kinds need nobody can read off.
 */
export function declaredNeeds(input: NeedsInput): DeclaredNeeds | null {
  if (isPython(input))
    return ofScript(input.scriptText ?? '') ?? fromFile(input, 'requirements.txt', ofRequirements)
  if (NODE.test(input.scriptPath)) return fromFile(input, 'package.json', ofPackageJson)
  return null
}

function isPython({ scriptPath, scriptText }: NeedsInput): boolean {
  return PYTHON.test(scriptPath) || /^#!.*\bpython/.test(scriptText ?? '')
}

/** `# /// script` to `# ///`: TOML behind comment signs. */
function ofScript(text: string): DeclaredNeeds | null {
  const block = /^# \/\/\/ script[ \t]*\r?\n((?:#(?: .*)?\r?\n)*?)# \/\/\/[ \t]*$/m.exec(text)?.[1]
  if (block === undefined) return null
  const toml = block.replace(/^# ?/gm, '')
  const list = /^dependencies\s*=\s*\[((?:[^\]"'#]|"[^"\n]*"|'[^'\n]*'|#[^\n]*)*)\]/m.exec(toml)?.[1] ?? ''
  const items = [...list.replace(/#[^\n]*/g, '').matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    ([, a, b]) => a ?? b ?? '',
  )
  return { source: 'the script', packages: namesIn(items) }
}

function ofRequirements(text: string): string[] {
  return namesIn(text.split('\n').filter((line) => !/^\s*(?:#|-|$)/.test(line)))
}

function ofPackageJson(text: string): string[] {
  try {
    const { dependencies } = JSON.parse(text) as { dependencies?: unknown }
    return typeof dependencies === 'object' && dependencies !== null
      ? Object.keys(dependencies).filter(isNodeName).slice(0, MOST)
      : []
  } catch {
    return [] // not JSON: the program that reads it will say so
  }
}

function isNodeName(name: string): boolean {
  return /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,200}$/.test(name)
}

/** "requests>=2 ; python_version < '4'" is requests; an address names nothing. */
function namesIn(items: readonly string[]): string[] {
  const names = items.flatMap((item) => /^\s*([A-Za-z0-9][\w.-]*)\s*(?:$|[[<>=!~;@ (])/.exec(item)?.[1] ?? [])
  return [...new Set(names)].slice(0, MOST)
}

function fromFile(
  { scriptPath, files }: NeedsInput,
  name: string,
  read: (text: string) => string[],
): DeclaredNeeds | null {
  const found = foldersAbove(scriptPath)
    .map((folder) => files.find(({ path }) => path === `${folder}${name}`))
    .find((file) => file?.text)
  return found?.text ? { source: found.path, packages: read(found.text) } : null
}

/** "scripts/deep/x.py": "scripts/deep/", "scripts/", "". */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, n) => `${parts.slice(0, parts.length - n).join('/')}/`).concat('')
}
