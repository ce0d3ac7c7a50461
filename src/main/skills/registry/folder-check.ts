import type { Diagnostic } from '@shared/domain/skill'
import { scriptKind } from '@shared/script-kind'
import { checkFolder } from '@shared/skill-check/folder'
import type { CheckedFile, CheckEnvironment } from '@shared/skill-check/folder-input'
import type { ParsedSkill } from '@shared/skill-md'
import { readStart } from '../store/safe-read'
import type { Tree, TreeFile } from '../store/tree'

/** What was read of one file for counting and checking it. */
export interface ReadFile extends CheckedFile {
  script: boolean
}

const HEAD = 256
/** Whole texts are read up to this many bytes each, and this many in all: checks of a skill stay bounded. */
const MAX_TEXT = 256 * 1024
const MAX_ALL = 2 * 1024 * 1024
const MARKDOWN = /\.(?:md|mdx|markdown)$/i

/** First bytes of all files, and the text of Markdown and scripts. Never throws. */
export function readFiles({ files }: Tree): ReadFile[] {
  let left = MAX_ALL
  return files.map((file) => {
    const read = readFile(file, left)
    left -= read.text?.length ?? 0
    return read
  })
}

/** What there is to say of a skill's folder beyond what its SKILL.md told. A broken one is not looked into. */
export function checkedFolder(
  skill: ParsedSkill,
  { files, tree, folderName }: { files: readonly ReadFile[]; tree: Tree; folderName: string },
  environment: CheckEnvironment,
): Diagnostic[] {
  if (skill.broken) return []
  return checkFolder({ skill, folderName, files, filesCut: tree.cut, links: tree.links, environment })
}

function readFile(file: TreeFile, left: number): ReadFile {
  const { path, size, executable } = file
  const found = { path, size, executable, head: null, script: false }
  try {
    const wanted = MARKDOWN.test(path) && size <= Math.min(MAX_TEXT, left) ? size : HEAD
    const bytes = readStart(file.real, wanted)
    const start = bytes.subarray(0, HEAD)
    if (start.includes(0)) return found
    const head = start.toString('utf8')
    const script = scriptKind(path, head.split('\n', 1)[0]!) !== null
    if (!script && wanted === HEAD && !MARKDOWN.test(path)) return { ...found, head }
    if (size > Math.min(MAX_TEXT, left)) return { ...found, head, script }
    const text = bytes.length >= size ? bytes : readStart(file.real, size)
    return { ...found, head, script, text: text.toString('utf8') }
  } catch {
    return found // gone since it was listed: the next look will see that
  }
}
