import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/*
 * What a confined script prints as errors goes through a pipe to a reader outside of the sandbox, which alone has the
 * file: a script can't shorten what it printed, nor read it before the reader does (ADR 0045).
 */

/** Where a pipe of errors is, and where the reader puts what comes. */
export interface ErrorPipe {
  pipe: string
  file: string
}

/** The program that reads it; its name tells it from the sandbox beside it. */
export const ERROR_READER = 'tee'

/** What the wrapper notes in the status where the reader could not keep all. */
export const ERRORS_LOST = 'errors-lost'

/** What the reader keeps: somewhat more than the output that ends a run. The rest is taken and not kept. */
export const ERROR_FILE_KB = 262_144

/**
 * What the sandbox itself says goes into this pipe, which holds little and nobody reads before the sandbox is gone: a
 * script can write there (ADR 0062).
 */
export const SANDBOX_WORDS = 'sandbox-words'

/** Where the wrapper puts it then, beside the file of errors; read where no script ran. */
const SANDBOX_ERR = 'err.sandbox'

/** What the guard makes beside the file of errors when it has ended a run whose app is gone. */
export const KILLED = '.killed'

/** How much of it is read. */
export const SAID_BYTES = 65_536

/** Why the sandbox failed, by its own words; empty: it said nothing. */
export function sandboxSaid(dir: string): Uint8Array {
  let file: number
  try {
    file = openSync(join(dir, SANDBOX_ERR), 'r')
  } catch {
    // Nothing was started.
    return new Uint8Array()
  }
  try {
    const block = Buffer.alloc(SAID_BYTES)
    return block.subarray(0, readSync(file, block, 0, SAID_BYTES, 0))
  } finally {
    closeSync(file)
  }
}
