import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** Files in which a project tells agents how to work in it; the first that is there counts. */
export const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md'] as const

/** The name of the one that a project has, trusted or not; null when there is none. Links are not followed. */
export function instructionsFile(dir: string): string | null {
  return (
    INSTRUCTION_FILES.find((name) => lstatSync(join(dir, name), { throwIfNoEntry: false })?.isFile()) ?? null
  )
}
