import { mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { rootIdOf, type SessionRow } from '../db/session-rows'

/** Where a chat's scripts work: its project, or a folder of its own under the app's data (decision 13). Real path. */
export function createWorkspaces(dataDir: string): (session: SessionRow) => Promise<string> {
  return async (session) => {
    if (session.projectDir !== null) return existing(session.projectDir)
    const own = join(dataDir, 'workspaces', rootIdOf(session))
    await mkdir(own, { recursive: true, mode: 0o700 })
    return realpath(own)
  }
}

async function existing(projectDir: string): Promise<string> {
  const found = await stat(projectDir).catch(() => null)
  if (!found?.isDirectory()) {
    throw new AppError(
      'not_found',
      'The project folder of this chat is gone. Put it back, or start a chat in another folder. Nothing of this chat is lost.',
    )
  }
  return realpath(projectDir)
}
