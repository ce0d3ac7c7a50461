import type { RequestSummary } from '@shared/domain/approval'

/** The request that the dock of a chat shows: the one that was walked to, otherwise the oldest of the chat. */
export function shownInDock(
  pending: readonly RequestSummary[],
  sessionId: string,
  docked: string | null,
): RequestSummary | undefined {
  const own = pending.filter((request) => request.sessionId === sessionId)
  return own.find((request) => request.id === docked) ?? own[0]
}

/** The request after this one, of whatever chat, the first after the last; none if it waits alone. */
export function nextInQueue(pending: readonly RequestSummary[], id: string): RequestSummary | undefined {
  const at = pending.findIndex((request) => request.id === id)
  const next = pending[(at + 1) % pending.length]
  return next?.id === id ? undefined : next
}

/** How many that wait are the same to the last byte and argument, this one counted. */
export function identicalTo(request: RequestSummary, pending: readonly RequestSummary[]): number {
  return pending.filter(({ planHash }) => planHash === request.planHash).length
}
