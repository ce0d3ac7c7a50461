/** The codes a caller may act on. Every other failure becomes `internal` at the border (`toWire`). */
export type ErrorCode =
  | 'bad_input'
  | 'not_found'
  | 'already_decided'
  | 'stale'
  | 'not_ready'
  | 'not_trusted'
  | 'blocked_by_policy'
  | 'path_escape'
  | 'too_large'
  | 'limit'
  | 'no_interpreter'
  | 'sandbox_failed'
  | 'provider'
  | 'no_secure_storage'
  | 'disk_full'
  | 'newer_data'
  | 'busy'
  | 'cancelled'
  | 'internal'

/** An error as it crosses a port: plain data, safe to show. */
export interface WireError {
  code: ErrorCode
  message: string
  details?: Record<string, unknown>
}

/** A failure that a person can understand: what happened and what to do. The message is shown as it is. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Turns anything thrown into plain data. Text of unknown errors stays behind: it may hold paths or secrets. */
export function toWire(error: unknown): WireError {
  if (error instanceof AppError) {
    return error.details
      ? { code: error.code, message: error.message, details: error.details }
      : { code: error.code, message: error.message }
  }
  if (isNoSpace(error)) {
    return {
      code: 'disk_full',
      message: 'The disk is full. Free some space, then try again. Nothing was lost.',
    }
  }
  return { code: 'internal', message: 'Satchel hit an error of its own. The log file has the details.' }
}

/** Rebuilds the error on the other side of a port. */
export function fromWire(error: WireError): AppError {
  return new AppError(error.code, error.message, error.details)
}

/** True for ENOSPC, EDQUOT and SQLITE_FULL, the ways a full disk shows itself. */
export function isNoSpace(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL'
}
