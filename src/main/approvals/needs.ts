/** What a script's own words say that it needs beside its interpreter; nothing is installed by it. */
export interface DeclaredNeeds {
  kind: 'python' | 'node'
  /** Where it stands: "the script", "requirements.txt", "package.json". */
  source: string
  /** The file inside the skill; null: the script itself. */
  file: string | null
  /** Names of packages, as their registry writes them, without versions. */
  packages: string[]
  /** The same with their versions, as they are written. */
  specs: string[]
  /** Why nobody but the person can install this, in a sentence: it names more than packages of a registry. */
  byHand: string | null
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
const LONGEST = 500

/** Of PEP 508 what a registry can answer: a name, extras, versions, and when it is meant. No address, no path, no option. */
const PYTHON_SPEC =
  /^[A-Za-z0-9][\w.-]*(?: ?\[[\w ,.-]*\])?(?: ?\(?(?:[<>=!~]=?|===)[\w .,*+!<>=~-]*\)?)?(?: ?;[\w .,'"<>=!~()-]*)?$/
/** A range of versions; no address, no folder, no other name. */
const NODE_RANGE = /^[\w .<>=~^|*+-]*$/

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

type Read = Omit<DeclaredNeeds, 'source' | 'file'>

/** `# /// script` to `# ///`: TOML behind comment signs. */
function ofScript(text: string): DeclaredNeeds | null {
  const block = /^# \/\/\/ script[ \t]*\r?\n((?:#(?: .*)?\r?\n)*?)# \/\/\/[ \t]*$/m.exec(text)?.[1]
  if (block === undefined) return null
  const toml = block.replace(/^# ?/gm, '')
  const list = /^dependencies\s*=\s*\[((?:[^\]"'#]|"[^"\n]*"|'[^'\n]*'|#[^\n]*)*)\]/m.exec(toml)?.[1] ?? ''
  const items = [...list.replace(/#[^\n]*/g, '').matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    ([, a, b]) => a ?? b ?? '',
  )
  return { source: 'the script', file: null, ...ofPython(items) }
}

function ofRequirements(text: string): Read {
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
  const items = lines.filter((line) => !line.startsWith('-'))
  const option = lines.find((line) => line.startsWith('-'))
  const read = ofPython(items.map((line) => line.replace(/(?: --hash[= ]sha\d+:[0-9a-f]+)+$/, '').trim()))
  return option === undefined ? read : { ...read, byHand: notPlain(option) }
}

function ofPython(items: readonly string[]): Read {
  const specs = items.map((item) => item.trim().replace(/\s+/g, ' ')).slice(0, MOST)
  const odd = items.length > MOST ? 'too many packages' : specs.find((spec) => !isPlain(spec))
  return {
    kind: 'python',
    packages: namesIn(items),
    specs,
    byHand: odd === undefined ? null : notPlain(odd),
  }
}

function isPlain(spec: string): boolean {
  return spec.length <= LONGEST && PYTHON_SPEC.test(spec)
}

function notPlain(what: string): string {
  return `It says more than names and versions of packages (${what.slice(0, 80)}).`
}

function ofPackageJson(text: string): Read {
  const none: Read = { kind: 'node', packages: [], specs: [], byHand: null }
  try {
    const { dependencies } = JSON.parse(text) as { dependencies?: unknown }
    if (typeof dependencies !== 'object' || dependencies === null) return none
    const all = Object.entries(dependencies)
    const packages = all.map(([name]) => name).filter(isNodeName)
    const odd = all.find(([name, range]) => !isNodeName(name) || !isRange(range))
    return {
      kind: 'node',
      packages: packages.slice(0, MOST),
      specs: all.map(([name, range]) => `${name}@${String(range)}`).slice(0, MOST),
      byHand: odd === undefined ? null : notPlain(`${odd[0]}: ${String(odd[1])}`),
    }
  } catch {
    return none // not JSON: the program that reads it will say so
  }
}

function isRange(range: unknown): boolean {
  return typeof range === 'string' && range.length <= LONGEST && NODE_RANGE.test(range)
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
  read: (text: string) => Read,
): DeclaredNeeds | null {
  const found = foldersAbove(scriptPath)
    .map((folder) => files.find(({ path }) => path === `${folder}${name}`))
    .find((file) => file?.text)
  return found?.text ? { source: found.path, file: found.path, ...read(found.text) } : null
}

/** "scripts/deep/x.py": "scripts/deep/", "scripts/", "". */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, n) => `${parts.slice(0, parts.length - n).join('/')}/`).concat('')
}
