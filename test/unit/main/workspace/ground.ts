import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import type { Workspace } from '../../../../src/main/workspace/place'
import { writeFiles } from '../../../helpers/app'

/** A workspace with files, a folder beside it, and the app's own data inside it. */
export interface Ground {
  workspace: Workspace
  root: string
  outside: string
  remove(): void
}

export function ground(files: Record<string, string> = {}): Ground {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-ws-')))
  const root = join(home, 'ws')
  const outside = join(home, 'ws-evil')
  mkdirSync(root)
  mkdirSync(outside)
  writeFiles(root, { 'app-data/satchel.db': 'secret', ...files })
  writeFiles(outside, { 'secret.txt': 'secret' })
  return {
    workspace: { root, hidden: [join(root, 'app-data')] },
    root,
    outside,
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** The code of the AppError that the work ends with; `none` when it ends well. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}
