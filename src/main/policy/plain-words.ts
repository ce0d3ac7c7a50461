import type { z } from 'zod'

/** What the kinds of values in a file are called. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'empty',
}

/** Why a value does not fit, in a sentence, where the schema has none of its own; undefined: as it comes. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return notOfKind(issue.expected, issue.input)
  if (issue.code === 'too_small')
    return isNumber(issue.input) ? `This must be at least ${issue.minimum}.` : 'This must not be empty.'
  if (issue.code === 'too_big')
    return isNumber(issue.input) ? `This must be at most ${issue.maximum}.` : tooLong(issue)
  if (issue.code === 'invalid_value') return `This must be one of these: ${issue.values.join(', ')}.`
  return undefined
}

function tooLong({ maximum, input }: { maximum: number | bigint; input?: unknown }): string {
  return `This must have at most ${maximum} ${Array.isArray(input) ? 'entries' : 'characters'}.`
}

function notOfKind(expected: string, input: unknown): string {
  const wanted = KINDS[expected] ?? expected
  if (input === undefined) return `This is missing. It must be ${wanted}.`
  const kind = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input
  // A number that is no whole one.
  return expected === 'int' && kind === 'number'
    ? `This must be ${wanted}.`
    : `This must be ${wanted}, not ${KINDS[kind] ?? kind}.`
}

function isNumber(input: unknown): boolean {
  return typeof input === 'number'
}
