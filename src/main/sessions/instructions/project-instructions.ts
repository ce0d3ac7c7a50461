import { constants, lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTRUCTION_FILES, instructionsFile } from '../../lib/instructions-file'

const LIMIT = 32_000

/**
 * `AGENTS.md`, else `CLAUDE.md`, of a trusted project, at most 32 kB; empty when there is none. What is left out is said
 * at its end. Links are not followed.
 */
export async function projectInstructions(projectDir: string): Promise<string> {
  const found = await firstOf(projectDir)
  if (found === null) return ''
  const { name, text, bytes } = found
  return bytes > LIMIT
    ? `${text}\n[${name} is cut here: ${numbers(bytes)}. Read the file for the rest.]`
    : text
}

/** For the person: that an agent gets the start of it only; null where it gets all. */
export function cutInstructions(projectDir: string): string | null {
  const name = instructionsFile(projectDir)
  const bytes = name === null ? 0 : sizeOf(join(projectDir, name))
  if (name === null || bytes <= LIMIT) return null
  return `${name} of this project is too long: ${numbers(bytes)}. Shorten it, or put what is needed at times into skills.`
}

function numbers(bytes: number): string {
  const [all, part] = [bytes, LIMIT].map((size) => size.toLocaleString('en-US'))
  return `it has ${all} bytes, and only its first ${part} are in the instructions`
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The name of that file, trusted or not; null when there is none. */
export async function instructionsName(projectDir: string): Promise<string | null> {
  return (await firstOf(projectDir))?.name ?? null
}

interface Start {
  text: string
  /** Of the whole file. */
  bytes: number
}

async function firstOf(projectDir: string): Promise<(Start & { name: string }) | null> {
  for (const name of INSTRUCTION_FILES) {
    const start = await readStart(join(projectDir, name))
    if (start !== null) return { name, ...start }
  }
  return null
}

async function readStart(path: string): Promise<Start | null> {
  let file
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null // not there, a link, or unreadable: then the project has no instructions
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) return null
    const buffer = Buffer.alloc(LIMIT)
    const { bytesRead } = await file.read(buffer, 0, LIMIT, 0)
    // A character that the limit cuts in two is left out whole.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer.subarray(0, bytesRead), {
      stream: true,
    })
    return { text, bytes: stat.size }
  } finally {
    await file.close()
  }
}
