import type { Diagnostic } from '../domain/skill'

/** Where a problem stands and what to do about it. */
export interface ProblemPlace {
  line?: number
  column?: number
  fix?: string
}

/** A diagnostic as a value; codes are stable names that tests and screens rely on. */
export function problem(
  severity: Diagnostic['severity'],
  code: string,
  message: string,
  place: ProblemPlace = {},
): Diagnostic {
  return { code, severity, message, ...place }
}
