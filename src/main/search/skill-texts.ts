/** A file of a skill, without links. */
export interface FoundFile {
  /** Relative to the skill, with /. */
  path: string
  /** Where its bytes are. */
  real: string
  /** Bytes. */
  size: number
}

/** What search knows of a skill's files. */
export interface SkillTexts {
  /** All of them but SKILL.md. */
  paths: string[]
  /** Small text files: references first, then scripts, then the rest. */
  texts: { path: string; text: string }[]
}

/** Bytes of text that are indexed of one skill, SKILL.md not counted. */
const MAX_TOTAL = 64 * 1024
const MAX_TEXTS = 200
const MAX_PATHS = 1000
const TEXT =
  /\.(?:md|mdx|txt|rst|adoc|py|sh|bash|zsh|fish|ps1|js|mjs|cjs|ts|mts|cts|rb|pl|php|go|rs|java|kt|swift|lua|r|sql|ya?ml|toml|ini|cfg)$/i
const SKILL_MD = /(?:^|\/)skill\.md$/i
const NOT_ITS_OWN = /(?:^|\/)(?:node_modules|\.git|\.venv|venv|__pycache__)\//

/**
 * Names of all files and the text of the small ones, 64 kB in all; a file that would go over it is left out. Skills
 * inside the skill are left to themselves. `read` gives at most so many bytes of a file, and may throw.
 */
export function readTexts(
  files: readonly FoundFile[],
  read: (path: string, max: number) => Uint8Array,
): SkillTexts {
  const own = ownFiles(files)
  const texts: SkillTexts['texts'] = []
  let left = MAX_TOTAL
  for (const file of own.filter(isText).sort(byWorth)) {
    if (texts.length === MAX_TEXTS) break
    if (file.size === 0 || file.size > left) continue
    const text = textOf(file, read)
    if (text === null) continue
    texts.push({ path: file.path, text })
    left -= file.size
  }
  return { paths: own.slice(0, MAX_PATHS).map(({ path }) => path), texts }
}

function ownFiles(files: readonly FoundFile[]): FoundFile[] {
  const inner = files.flatMap(({ path }) => {
    const folder = SKILL_MD.test(path) ? path.slice(0, -'skill.md'.length) : ''
    return folder === '' ? [] : [folder]
  })
  return files.filter(
    ({ path }) =>
      !SKILL_MD.test(path) && !NOT_ITS_OWN.test(path) && !inner.some((folder) => path.startsWith(folder)),
  )
}

function isText({ path }: FoundFile): boolean {
  return TEXT.test(path)
}

function byWorth(a: FoundFile, b: FoundFile): number {
  return worth(a) - worth(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}

function worth({ path }: FoundFile): number {
  if (/^references?\//.test(path)) return 0
  return /^scripts?\//.test(path) ? 1 : 2
}

/** Null for what can't be read or is no text. */
function textOf({ real, size }: FoundFile, read: (path: string, max: number) => Uint8Array): string | null {
  try {
    const bytes = read(real, size)
    return bytes.includes(0) ? null : new TextDecoder().decode(bytes)
  } catch {
    return null // gone since it was listed, or not readable: only its name can be found
  }
}
