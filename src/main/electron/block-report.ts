import type { AppEvent } from '@shared/events'
import type { Log } from '../lib/log'
import type { SecurityDeps } from './security'

export interface BlockReportDeps {
  log: Log
  /** Tells the page. */
  emit(event: AppEvent): void
  /** Milliseconds since 1970. */
  now(): number
}

const QUIET_MS = 60_000
const MAX_REMEMBERED = 200

/**
 * Writes each thing that was stopped to the log, the same one at most once a minute. The person is told of
 * requests: nothing of ours makes any, so something in a text tried to reach out (EL-2).
 */
export function createBlockReport(deps: BlockReportDeps): SecurityDeps['onBlocked'] {
  const told = new Map<string, number>()
  return (what, target) => {
    const now = deps.now()
    const key = `${what} ${target}`
    if (now - (told.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    if (told.size >= MAX_REMEMBERED) told.clear()
    told.set(key, now)
    deps.log.warn('Blocked', { what, target })
    if (what === 'request') {
      deps.emit({ t: 'notice', level: 'warning', message: `Satchel blocked a hidden request to ${target}.` })
    }
  }
}
