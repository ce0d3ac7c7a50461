import type { RunLimits } from '@shared/domain/approval'
import { AppError } from '@shared/errors'

/** One argument may be this long: Linux itself takes 131,072 bytes with the closing NUL. */
const MAX_ARGUMENT_BYTES = 131_071
const MAX_ARGUMENTS = 5000
const MAX_ALL_BYTES = 1_000_000
const MAX_STDIN_BYTES = 64_000

/** Limits of SB-6 where a person set no others. */
export const DEFAULT_LIMITS: RunLimits = {
  processes: 256,
  memoryBytes: 2 * 1024 ** 3,
  fileBytes: 1024 ** 3,
}

/** Output limits of SB-6, AP-8 and `runtime.md`. */
export const OUTPUT_KEPT_BYTES = 10_000_000
export const OUTPUT_STOP_BYTES = 200_000_000

/** False for text with half of a surrogate pair: it would not reach the program as it was shown. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/** Throws `too_large` or `bad_input`, naming the limit, when a program can't get these arguments as they are. */
export function checkArguments(args: readonly string[]): void {
  if (args.length > MAX_ARGUMENTS) tooLarge(`${args.length} arguments`, `${MAX_ARGUMENTS} arguments`)
  let total = 0
  for (const [index, arg] of args.entries()) {
    const bytes = Buffer.byteLength(arg)
    total += bytes
    if (bytes > MAX_ARGUMENT_BYTES) {
      tooLarge(`Argument ${index + 1} with ${bytes} bytes`, `${MAX_ARGUMENT_BYTES} bytes an argument`)
    }
    if (arg.includes('\0')) badText(`Argument ${index + 1}`, 'a NUL character')
    if (!isWellFormed(arg)) badText(`Argument ${index + 1}`, 'half of a character (a lone surrogate)')
  }
  if (total > MAX_ALL_BYTES) tooLarge(`Arguments of ${total} bytes`, `${MAX_ALL_BYTES} bytes together`)
}

/** Throws `too_large` or `bad_input` for a text that can't be given on standard input. */
export function checkStdin(stdin: string | null): void {
  if (stdin === null) return
  const bytes = Buffer.byteLength(stdin)
  if (bytes > MAX_STDIN_BYTES) tooLarge(`Standard input of ${bytes} bytes`, `${MAX_STDIN_BYTES} bytes`)
  if (!isWellFormed(stdin)) badText('Standard input', 'half of a character (a lone surrogate)')
}

function tooLarge(what: string, limit: string): never {
  throw new AppError('too_large', `${what} can't be given to a run: the limit is ${limit}. Use a file.`)
}

function badText(what: string, holds: string): never {
  throw new AppError('bad_input', `${what} holds ${holds}. Leave it out.`)
}
