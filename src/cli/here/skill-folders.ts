import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { skillMdIn } from '../../main/skills/scan/skill-folder'
import { isFile, isFolder, realOr } from './places'

const SKIPPED = new Set(['.git', 'node_modules', '.venv'])
const MAX_DEPTH = 6
/** Folders that are no skills. */
const MAX_FOLDERS = 2000

/** The folder of a SKILL.md, in any case; every other path as it is. */
export function folderOfSkillMd(path: string): string {
  return /^skill\.md$/i.test(basename(path)) && isFile(path) ? dirname(path) : path
}

/**
 * The skill folders below `dir`, in path order, without those inside a skill: at most 6 levels deep and 2,000 folders
 * that are no skills (`format.md` 5, rule 5). Links are followed, each folder counts once. `note` says what was left
 * out; else it is empty.
 */
export function skillFoldersBelow(dir: string): { found: string[]; note: string } {
  const found: string[] = []
  let note = ''
  const seen = new Set<string>()
  const stack = [{ dir, depth: 0 }]
  let folders = 0
  for (let at = stack.pop(); at; at = stack.pop()) {
    const real = realOr(at.dir)
    if (seen.has(real)) continue
    seen.add(real)
    if (skillMdIn(at.dir) !== null) {
      found.push(at.dir)
      continue
    }
    folders += 1
    if (folders > MAX_FOLDERS) {
      note = `Only the first ${MAX_FOLDERS} folders were searched.`
      continue
    }
    const inner = foldersIn(at.dir)
    if (at.depth < MAX_DEPTH) {
      stack.push(...inner.map((path) => ({ dir: path, depth: at.depth + 1 })))
    } else if (inner.length > 0 && note === '') {
      note = `Folders more than ${MAX_DEPTH} levels down are not searched, as those in ${relative(dir, at.dir)}.`
    }
  }
  return { found, note }
}

/** Last first, as a stack wants them. */
function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !SKIPPED.has(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => join(dir, entry.name))
      .filter(isFolder)
      .sort()
      .reverse()
  } catch {
    return [] // closed to us: nothing below it can be checked
  }
}
