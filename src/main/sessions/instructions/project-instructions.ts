import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTRUCTION_FILES } from '../../lib/instructions-file'

const LIMIT = 32_000

/** `AGENTS.md`, else `CLAUDE.md`, of a trusted project, at most 32 kB; empty when there is none. Links are not followed. */
export async function projectInstructions(projectDir: string): Promise<string> {
  return (await firstOf(projectDir))?.text ?? ''
}

/** The name of that file, trusted or not; null when there is none. */
export async function instructionsName(projectDir: string): Promise<string | null> {
  return (await firstOf(projectDir))?.name ?? null
}

async function firstOf(projectDir: string): Promise<{ name: string; text: string } | null> {
  for (const name of INSTRUCTION_FILES) {
    const text = await readStart(join(projectDir, name))
    if (text !== null) return { name, text }
  }
  return null
}

async function readStart(path: string): Promise<string | null> {
  let file
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null // not there, a link, or unreadable: then the project has no instructions
  }
  try {
    if (!(await file.stat()).isFile()) return null
    const buffer = Buffer.alloc(LIMIT)
    const { bytesRead } = await file.read(buffer, 0, LIMIT, 0)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}
