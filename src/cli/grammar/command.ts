import { AppError } from '@shared/errors'
import type { Style } from '../terminal/output'
import type { World } from '../world'

/** An option of a command: a flag, or with `value` (how the value is called in the help) one that takes a value. */
export interface OptionSpec {
  name: string
  /** One letter for it: `-p`. */
  short?: string
  value?: string
  /** The only values allowed. */
  choices?: readonly string[]
  help: string
}

/** What was given to a command. */
export interface Given {
  flags: ReadonlySet<string>
  values: ReadonlyMap<string, string>
  words: readonly string[]
}

/** What a command gives back. */
export interface Outcome {
  /** For `--json`. */
  result: unknown
  /** Of `ExitCode`, or of the script that it ran. */
  exit?: number
  /** That models were sent and answered for it; left out: none. */
  tokens?: number
  /** US dollars for these, as far as their price is known. */
  cost?: number
  /** For people, without a line end at the end; `err` goes to stderr. */
  text(out: Style, err: Style): { out: string; err?: string }
}

export type Run = (given: Given, world: World) => Promise<Outcome> | Outcome

/** One command as the table has it; its code is loaded when it runs. */
export interface CommandSpec {
  /** Empty for the one command of a group that is called by the group's name alone. */
  name: string
  summary: string
  /** What follows the name: `<name>`. */
  usage: string
  /** How many words it takes, and what the first missing one is called. */
  words: { min: number; max: number; what: string }
  /** Words may start with a minus, as parts of a query do. */
  takesQuery?: boolean
  options: readonly OptionSpec[]
  examples: readonly (readonly [string, string])[]
  notes?: readonly string[]
  load(): Promise<Run>
}

/** Commands that belong together: `satchel skills …`; or one alone: `satchel context`. */
export interface CommandGroup {
  name: string
  summary: string
  commands: readonly CommandSpec[]
}

/** The command was called wrongly; `type` is what to type instead. Ends with exit code 2. */
export function wrongUse(message: string, type: string): AppError {
  return new AppError('bad_input', message, { type })
}

/** What to type instead; null for every error but those of `wrongUse`. */
export function wrongUseFix(error: unknown): string | null {
  if (!(error instanceof AppError)) return null
  const type = error.details?.['type']
  return typeof type === 'string' ? type : null
}
