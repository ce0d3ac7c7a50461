/** What a skill's body asks for: a file to read and a script to run, as paths inside the skill. */
export interface BodyPlan {
  file: string | null
  script: string | null
  /** The body shows the script with a file as an argument, or says so. */
  scriptTakesFiles: boolean
}

/** Extensions that an interpreter is known for (`runtime.md` 2). */
const SCRIPT = /\.(py|sh|bash|js|mjs|cjs|ts|rb|pl|ps1|php|R|lua)$/

/** Endings of what lies beside scripts and is read, not run. */
const DATA =
  /\.(md|markdown|txt|rst|html?|css|xml|svg|png|jpe?g|gif|webp|pdf|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|sql|tmpl|tpl|template|docx?|xlsx?|pptx?|zip|log)$/i

/** What stands further down in a body is not looked at, nor are words far behind a script. */
const MAX_BODY = 200_000
const MAX_ARGUMENTS = 12

/** Reads links, code spans and code blocks of a body; prose names nothing. */
export function planFromBody(body: string): BodyPlan {
  const mentions = mentionsOf(body)
  const script = scriptToRun(mentions)
  return {
    file: fileToRead(mentions),
    script,
    scriptTakesFiles: script !== null && takesFiles(body, mentions, script),
  }
}

/** Names in a message that look like files or folders, in order, each once. */
export function filesNamed(message: string): string[] {
  const found: string[] = []
  const tokens = message.matchAll(/"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|(\S+)/g)
  for (const [, double, code, curly, bare] of tokens) {
    const quoted = double ?? code ?? curly
    const name = (quoted ?? trimPunctuation(bare ?? '')).trim()
    if (looksLikeFile(name, quoted !== undefined) && !found.includes(name)) found.push(name)
  }
  return found.slice(0, 10)
}

interface Mention {
  path: string
  source: 'link' | 'code' | 'block'
  /** The words that follow on the same command line. */
  after: string[]
}

function mentionsOf(body: string): Mention[] {
  const mentions: Mention[] = []
  let fence: string | null = null
  for (const line of body.slice(0, MAX_BODY).split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
      else mentions.push(...fromCommand(line, 'block'))
    } else if (mark === undefined) mentions.push(...fromProse(line))
    else fence = mark
  }
  return mentions
}

/** Links and code spans of one line, in the order in which they stand there. */
function fromProse(line: string): Mention[] {
  const links = line.matchAll(/\]\(\s{0,9}(?:<([^<>]{1,500})>|([^()<>\s]{1,500}))[^()]{0,200}\)/g)
  const spans = line.matchAll(/(?<!`)(`{1,2})([^`]{1,500})\1(?!`)/g)
  return [
    ...Array.from(links, ({ 1: bracketed, 2: plain, index }) => ({
      index,
      found: fromLink(bracketed ?? plain ?? ''),
    })),
    ...Array.from(spans, ({ 2: code = '', index }) => ({ index, found: fromCommand(code, 'code') })),
  ]
    .sort((a, b) => a.index - b.index)
    .flatMap(({ found }) => found)
}

function fromLink(target: string): Mention[] {
  const plain = target.replace(/[#?].*$/, '')
  let decoded = plain
  try {
    decoded = decodeURIComponent(plain)
  } catch {
    // Not percent-encoded: the text is the path.
  }
  const path = cleanPath(decoded)
  return path === null ? [] : [{ path, source: 'link', after: [] }]
}

function fromCommand(line: string, source: 'code' | 'block'): Mention[] {
  const words = source === 'code' ? joinedPath(wordsOf(line)) : wordsOf(line)
  return words.flatMap((word, index) => {
    const path = cleanPath(word)
    return path === null ? [] : [{ path, source, after: words.slice(index + 1, index + 1 + MAX_ARGUMENTS) }]
  })
}

/** Words as a shell takes them, as far as paths go: one in quotes may hold spaces when it begins with a folder. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:(?<![^\s=])(?:"[^"]*"|'[^']*')|\S)+/g) ?? []
  return words.flatMap((word) =>
    /\s/.test(word) && !/^["']?[^\s/]*\//.test(word)
      ? word.split(/\s+/).filter((piece) => piece !== '')
      : [word],
  )
}

const INTERPRETER = /^(?:ba|z)?sh$|^(?:python3?|node|ruby|perl|php|pwsh|Rscript|lua)$/

/** People write a path with spaces between backticks without quotes: a folder, and on to the first extension. */
function joinedPath(words: readonly string[]): string[] {
  const start = INTERPRETER.test(words[0] ?? '') ? 1 : 0
  const end = words.findIndex((word, index) => index >= start && /[^/]\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(word))
  const pieces = words.slice(start, end + 1)
  const path = pieces.join(' ')
  const isPath =
    pieces.length > 1 &&
    pieces[0]?.includes('/') === true &&
    !pieces.some((piece) => piece.startsWith('-')) &&
    cleanPath(path) !== null &&
    (SCRIPT.test(path) || path.startsWith('references/'))
  return isPath ? [...words.slice(0, start), path, ...words.slice(end + 1)] : [...words]
}

/** A path inside the skill, or null for whatever else a word can be: an address, an option, a pattern. */
function cleanPath(word: string): string | null {
  const path = word
    .replaceAll(/["']/g, '')
    .replace(/^(\$\{?[A-Z_]*SKILL_DIR\}?|\{baseDir\})\//, '')
    .replace(/^(\.\/)+/, '')
    .replace(/[,;:)]+$/, '')
  const odd = /^[-~/.]|^[a-z][a-z0-9+.-]*:|[\\<>{}*|$`=()]|(^|\/)\.\.(\/|$)|\p{Cc}/iu
  if (odd.test(path) || path.toUpperCase() === 'SKILL.MD') return null
  return /[^/]\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path) ? path : null
}

/** One with a known interpreter; else one that lies where scripts lie: asking for it says what is wrong with it. */
function scriptToRun(mentions: readonly Mention[]): string | null {
  const paths = mentions.map(({ path }) => path)
  return paths.find((path) => SCRIPT.test(path)) ?? paths.find(isUnknownScript) ?? null
}

function isUnknownScript(path: string): boolean {
  return path.startsWith('scripts/') && !SCRIPT.test(path) && !DATA.test(path)
}

/** References first; then links; then files of a folder in code, where a bare name is most likely an example. */
function fileToRead(mentions: readonly Mention[]): string | null {
  const files = mentions.filter(({ path }) => !SCRIPT.test(path) && !isUnknownScript(path))
  const found =
    files.find(({ path, source }) => path.startsWith('references/') && source !== 'block') ??
    files.find(({ source }) => source === 'link') ??
    files.find(({ path, source }) => source === 'code' && (path.includes('/') || path.endsWith('.md')))
  return found?.path ?? null
}

function takesFiles(body: string, mentions: readonly Mention[], script: string): boolean {
  const shown = mentions.some(
    ({ path, after }) => path === script && argumentsOf(after).some(looksLikeArgument),
  )
  return shown || body.split('\n').some((line) => line.includes(script) && saysFileArgument(line))
}

/** The words of one command: up to a pipe, a redirection, another command or a comment. */
function argumentsOf(words: readonly string[]): string[] {
  const end = words.findIndex((word) => /^(\||\|\||&&?|;|#|\d?>{1,2}|<)/.test(word) && !/^<[^>]+>/.test(word))
  return words.slice(0, end === -1 ? words.length : end)
}

function looksLikeArgument(word: string): boolean {
  if (word.startsWith('-')) return false
  return (
    /^[<[{$(]|^"?\$|^[A-Z_]{2,}(\.\.\.|…)?$/.test(word) ||
    /\.[A-Za-z][A-Za-z0-9]{0,7}["']?$|\//.test(word) ||
    /file|path|input|folder|document/i.test(word)
  )
}

function saysFileArgument(line: string): boolean {
  return (
    /\b(files?|paths?|folders?)\b/i.test(line) && /\b(arguments?|parameters?|pass(es|ing)?)\b/i.test(line)
  )
}

function trimPunctuation(word: string): string {
  return word.replace(/^[([{'‘“”"`<]+/, '').replace(/[)\]}'’“”"`>,;:!?.…]+$/, '')
}

function looksLikeFile(name: string, quoted: boolean): boolean {
  if (name === '' || name.startsWith('-') || /:\/\/|@|[\n\r\0]/.test(name)) return false
  if (!quoted && /^(e\.g|i\.e|a\.k\.a|etc)$/i.test(name)) return false
  if (/[^/\s]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(name)) return true
  return /^(\.{1,2}|~)?\/\S/.test(name) || /^[^\s/]\S*\/$/.test(name)
}
