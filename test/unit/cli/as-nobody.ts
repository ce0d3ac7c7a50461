import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import type { TestWorld } from './cli-world'

const NOBODY = 65_534

/** Does something without the rights of root, who may read everything; the files of the world are its own. */
export async function asNobody<T>({ home }: TestWorld, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, dirname(home)])
  process.setegid?.(NOBODY)
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
