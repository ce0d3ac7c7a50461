import { appendFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where what a run may not make is kept, and what may be seen of its names. */
export interface QuarantinePlace {
  /** Of this run alone. */
  dir: string
  /** Takes secrets out of a name: a script can make one of a secret's value. */
  clean(path: string): string
}

/** Gives a path to move something to; what it was called stands in the index from then on. */
export type Quarantine = (path: string) => string

/** One line of it: `["3","a/b/.git"]`. */
const INDEX = 'index.jsonl'

/** What is moved there is called by a number. A quarantine that a crash left is gone on with. */
export function createQuarantine({ dir, clean }: QuarantinePlace): Quarantine {
  return (path) => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const numbers = readdirSync(dir).map(Number).filter(Number.isInteger)
    const name = String(Math.max(0, ...numbers) + 1)
    appendFileSync(join(dir, INDEX), `${JSON.stringify([name, clean(path)])}\n`, { mode: 0o600 })
    return join(dir, name)
  }
}
