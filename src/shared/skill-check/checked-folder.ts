import { anchorsIn, markdownLines } from './markdown'
import type { MarkdownLine } from './markdown'
import type { CheckedFile, FolderInput } from './folder-input'
import { nearestText } from '../near-text'
import { MAX_PER_CODE } from './report'

/** A skill's folder prepared for the rules: looked up by path, its Markdown cut into lines. */
export interface CheckedFolder extends FolderInput {
  /** The body of SKILL.md with the lines of the file. */
  bodyLines: MarkdownLine[]
  /** Markdown files other than SKILL.md. */
  documents: { path: string; lines: MarkdownLine[] }[]
  /** The file at this path. */
  file(path: string): CheckedFile | undefined
  /** True for a file, a folder or a link there; true for all when not every file was listed. */
  exists(path: string): boolean
  /** The file that a path is a slip of: of its name in another folder or another case, or with few letters changed. */
  alike(path: string): string | undefined
  /** Anchors of SKILL.md or another Markdown file. Null for files whose text isn't known. */
  anchors(path: string): ReadonlySet<string> | null
  /** Line of a top-level field of the frontmatter. */
  fieldLine(key: string): number | undefined
}

/** The main file under any spelling of its name. */
export function isSkillMd(path: string): boolean {
  return /^skill\.md$/i.test(path)
}

/** The form in which systems that ignore case and Unicode composition compare paths. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

export function prepareFolder(input: FolderInput): CheckedFolder {
  const { skill, files } = input
  const bodyLines = markdownLines(skill.body, skill.bodyLine)
  const documents = documentsOf(files)
  const byPath = new Map(files.map((file) => [file.path, file]))
  const paths = allPaths(input)
  const alike = new Map([...paths].map((path) => [foldPath(path), path]))
  const nearest = createNearest(files)
  const linesOf = new Map(documents.map(({ path, lines }) => [path, lines]))
  const anchors = new Map<string, ReadonlySet<string> | null>()
  return {
    ...input,
    bodyLines,
    documents,
    file: (path) => byPath.get(path),
    exists: (path) => input.filesCut === true || paths.has(path),
    alike: (path) => alike.get(foldPath(path)) ?? nearest(path),
    anchors(path) {
      const lines = isSkillMd(path) ? bodyLines : linesOf.get(path)
      if (!anchors.has(path)) anchors.set(path, lines ? anchorsIn(lines) : null)
      return anchors.get(path) ?? null
    },
    fieldLine: fieldLines(input),
  }
}

/** Files and questions that are looked at: of more of them a slip is told without what was meant. */
const MAX_NEAR_FILES = 500
const MAX_NEAR_ASKED = 2 * MAX_PER_CODE

function createNearest(files: readonly CheckedFile[]): (path: string) => string | undefined {
  const paths = files.flatMap(({ path }) => (isSkillMd(path) ? [] : [path])).slice(0, MAX_NEAR_FILES)
  const nameOf = (path: string) => foldPath(path.slice(path.lastIndexOf('/') + 1))
  let asked = 0
  return (path) => {
    asked += 1
    if (asked > MAX_NEAR_ASKED) return undefined
    const named = paths.filter((one) => nameOf(one) === nameOf(path))
    return named.length > 0
      ? named.length === 1
        ? named[0]
        : undefined
      : nearestText(path, paths, nameOf(path).length)
  }
}

/** Not those of nested skills, which are checked as skills themselves, nor histories, which speak of what was. */
function documentsOf(files: readonly CheckedFile[]): CheckedFolder['documents'] {
  const nested = files.filter(({ path }) => /\/skill\.md$/i.test(path)).map(({ path }) => path.slice(0, -8))
  return files.flatMap(({ path, text }) => {
    const read =
      /\.(?:md|markdown)$/i.test(path) &&
      !isSkillMd(path) &&
      !/(?:^|\/)(?:changelog|history)\.\w+$/i.test(path)
    if (text === undefined || !read || nested.some((folder) => path.startsWith(folder))) return []
    return [{ path, lines: markdownLines(text) }]
  })
}

/** Files, links and every folder above one of them; the empty path is the skill itself. */
function allPaths({ files, links }: FolderInput): Set<string> {
  const paths = new Set<string>([''])
  for (const { path } of [...files, ...links]) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const part = path.slice(0, end)
      if (paths.has(part)) break
      paths.add(part)
    }
  }
  return paths
}

function fieldLines({ skill, files }: FolderInput): CheckedFolder['fieldLine'] {
  const text = files.find(({ path }) => isSkillMd(path))?.text ?? ''
  const lines = text.split(/\r\n|\r|\n/, Math.max(0, skill.bodyLine - 1))
  return (key) => {
    const at = lines.findIndex((line) => line.startsWith(key) && /^[ \t]*:/.test(line.slice(key.length)))
    return at === -1 ? undefined : at + 1
  }
}
