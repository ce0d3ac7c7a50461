import { AppError, toWire } from '@shared/errors'
import { wrongUseFix } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import type { ExitCode } from '../grammar/exit-codes'

/** What is told of an error. */
export interface Failure {
  code: string
  message: string
  /** What to type instead, after wrong use. */
  type: string | null
  exit: ExitCode
  /** That models were sent and answered before it. */
  tokens: number
  /** US dollars for these. */
  cost: number
}

const EXITS: Readonly<Record<string, ExitCode>> = {
  not_trusted: EXIT.denied,
  denied: EXIT.denied,
  blocked_by_policy: EXIT.blockedByPolicy,
}

/** Sentences for anything thrown; `root` is the folder of package.json. */
export function failureOf(error: unknown, root: string): Failure {
  const { code, message, details } = toWire(error)
  const used = { tokens: numberIn(details, 'tokens'), cost: numberIn(details, 'cost') }
  const type = wrongUseFix(error)
  if (type !== null) return { code, message, type, exit: EXIT.wrongUse, ...used }
  const isOurs = code === 'internal' && !(error instanceof AppError)
  return {
    code,
    message: isOurs ? ownMessage(error, root) : message,
    type: null,
    exit: EXITS[code] ?? EXIT.failed,
    ...used,
  }
}

function numberIn(details: Record<string, unknown> | undefined, key: string): number {
  const value = details?.[key]
  return typeof value === 'number' ? value : 0
}

/** There is no log file here: an error of our own is said as it is. */
function ownMessage(error: unknown, root: string): string {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') {
    return `A package in node_modules is missing or damaged. Run "npm ci" in ${root}, then try again.`
  }
  return `Satchel hit an error of its own: ${error instanceof Error ? error.message : String(error)}`
}
