import { AppError } from '@shared/errors'
import { globMatcher } from '../../workspace/glob'
import { skillDir } from '../instructions/prompt'

/** What a call of a file tool is about: relative to the project, or below the folder of a skill; no link is part of it. */
export interface GatedFile {
  path: string
  /** Everything below it is meant. */
  isFolder: boolean
}

/**
 * True where `src/**` or `docs/*.md` of a token such as `Read(src/**)` covers the file: relative to the project, or with
 * `${CLAUDE_SKILL_DIR}` or `{baseDir}` to the skill that wrote it. A folder needs a pattern that ends with `**` or `/`.
 * What is written in another way, absolute paths and `~` among them, covers nothing (R10).
 */
export function coversFile(pattern: string, skill: string, { path, isFolder }: GatedFile): boolean {
  const wanted = pattern
    .replace(/^(?:\{baseDir\}|\$\{(?:CLAUDE_)?SKILL_DIR\})(?=\/|$)/, () => skillDir(skill))
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '/**')
  if (isFolder && !/(?:^|\/)\*\*$/.test(wanted)) return false
  try {
    return globMatcher(marked(wanted))(marked(path === '.' ? '' : path))
  } catch (error) {
    if (error instanceof AppError) return false // too long, or too many braces: it can't be looked at
    throw error
  }
}

/** So that a folder of the project can't pass for the place of skills. */
function marked(path: string): string {
  return path.startsWith('/') ? `\0${path}` : path
}
