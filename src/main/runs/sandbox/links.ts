import { readdirSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { NOT_TEXT, refuseName } from './byte-names'
import { HOOKS } from './git-named'
import { lookAt, stepsTo } from './steps'

/*
 * A link in a trusted place leads the person's git, editor or agent to a file that may lie elsewhere in the project:
 * `.git/hooks/pre-commit` to `scripts/pre-commit`, `.vscode` to `shared/vscode`. Who writes there writes what they
 * start, so it is closed as the place is (SB-5, ADR 0061).
 */

/** Entries of trusted places that are looked at; with more nothing runs. */
const MAX_ENTRIES = 20_000

/**
 * What git keeps in great number and only reads as data, what nothing starts by a link, and checkouts that agents keep
 * among their settings (`.claude/worktrees`): they are as large as the project, and read-only with what they lie in.
 */
export const DATA =
  /\.git\/(?:.*\/)?(?:objects|refs|logs|lfs)$|\/(?:node_modules|site-packages)$|(?<!\.git)\/worktrees$/

/** Of packages: git, editors and agents trust no settings there (ADR 0026). */
export const OF_PACKAGES = /(?:^|\/)(?:node_modules|site-packages)\//

/** Paths of the project, relative to it, that links in these places lead to, and links on the way; there or not. */
export function linkedPlaces(workspace: string, trusted: readonly string[]): string[] {
  const places = new Set<string>()
  const left = [...trusted]
  const done = new Set<string>()
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (path === '' || done.has(path)) continue
    done.add(path)
    if (done.size > MAX_ENTRIES) refuseMany(workspace)
    if (lookAt(join(workspace, path))?.isSymbolicLink()) {
      for (const step of ledBy(workspace, path)) places.add(step)
      left.push(stepsTo(workspace, join(workspace, path)).at(-1) ?? '')
    } else if (!DATA.test(path)) left.push(...below(workspace, path))
  }
  return [...places]
}

/** Where a link leads, and links on the way. The project as the folder of hooks can't be closed as a whole. */
function ledBy(workspace: string, path: string): string[] {
  const steps = stepsTo(workspace, join(workspace, path))
  const hooks = steps.at(-1) === '' && /(?:^|\/)hooks$/.test(path) ? HOOKS : []
  return [...steps.filter((step) => step !== ''), ...hooks]
}

/** Folders and links in a folder. */
function below(workspace: string, folder: string): string[] {
  return entriesOf(join(workspace, folder))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => {
      const path = `${folder}/${name}`
      if (name.includes(NOT_TEXT)) refuseName(path)
      return path
    })
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // No folder, or closed to the person and so to their programs.
    return []
  }
}

function refuseMany(path: string): never {
  throw new AppError(
    'sandbox_failed',
    'What git, editors or agents trust in this project holds, or leads to, more than can be looked through. Nothing ' +
      'ran. Open a folder inside it as the project, or set the sandbox to reading under Settings.',
    { path },
  )
}
