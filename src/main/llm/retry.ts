const RETRIES = 2
const CAP_MS = 60_000
const BASE_MS = 500

/** One try that did not bring an answer: a status with its headers, or no connection at all. */
export type FailedTry = FailedStatus | { status: 'no-connection' }

interface FailedStatus {
  status: number
  retryAfter: string | null
  retryAfterMs: string | null
}

/**
 * How long to wait before the next try, in milliseconds, or null when another try would not help, or the server asks
 * for more than a minute: nobody should sit before a wait that they can't see the end of.
 */
export function retryDelay(
  failed: FailedTry,
  attempt: number,
  clock: { now(): number; random(): number },
): number | null {
  if (attempt >= RETRIES || !worthRetrying(failed.status)) return null
  const asked = failed.status === 'no-connection' ? null : askedFor(failed, clock.now())
  if (asked !== null && asked > CAP_MS) return null
  // Jitter only lengthens what a server asked for.
  if (asked !== null) return Math.min(CAP_MS, Math.round(asked * (1 + clock.random() * 0.1)))
  return Math.round(BASE_MS * 2 ** attempt * (0.5 + clock.random() * 0.5))
}

/** How long a server asks to wait, in words such as "60 minutes", when that is more than is waited for; else null. */
export function longWait(headers: Readonly<Record<string, string>>, now: number): string | null {
  const retryAfter = headers['retry-after'] ?? null
  const ms = askedFor({ retryAfter, retryAfterMs: headers['retry-after-ms'] ?? null }, now)
  if (ms === null || ms <= CAP_MS) return null
  const minutes = Math.ceil(ms / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`
}

/** Why another try is made, in words for people, without a full stop. */
export function retryReason(status: FailedTry['status'], callee: { label: string; host: string }): string {
  if (status === 'no-connection') return `${callee.host} can't be reached`
  const isBusy = status === 429 || status === 503 || status === 529
  return isBusy ? `${callee.label} is busy` : `${callee.label} has a problem of its own`
}

function worthRetrying(status: FailedTry['status']): boolean {
  return status === 'no-connection' || status === 429 || (status >= 500 && status !== 501)
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110, 10.2.3). */
function askedFor(failed: Pick<FailedStatus, 'retryAfter' | 'retryAfterMs'>, now: number): number | null {
  const ms = number(failed.retryAfterMs)
  if (ms !== null) return ms
  const seconds = number(failed.retryAfter)
  if (seconds !== null) return seconds * 1000
  const text = failed.retryAfter ?? ''
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function number(text: string | null): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null
}
