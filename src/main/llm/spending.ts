import type { LlmError } from './types'

/** The most that may be spent, in US dollars; null for no limit. */
export interface SpendingLimits {
  chat: number | null
  day: number | null
}

export interface Spending {
  /** US dollars that the calls of this chat have cost, as far as their prices are known. */
  spentChat: number
  /** The same for all chats since midnight. */
  spentDay: number
  limits: SpendingLimits
}

/**
 * Null when another call may be made; else why not. It is asked before a call: the one that reaches a limit is still
 * answered, the next is not made.
 */
export function mayCall({ spentChat, spentDay, limits }: Spending): LlmError | null {
  if (limits.chat !== null && spentChat >= limits.chat) return reached('This chat', spentChat, limits.chat)
  if (limits.day !== null && spentDay >= limits.day) return reached('Today all chats', spentDay, limits.day)
  return null
}

/** Midnight before `now` where this computer is, in milliseconds since 1970. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0)
}

function reached(who: string, spent: number, limit: number): LlmError {
  const verb = who.startsWith('This') ? 'has' : 'have'
  return {
    code: 'spending_limit',
    message: `${who} ${verb} cost about ${dollars(spent)}, and the limit is ${dollars(limit)}. No call was made.`,
    action: 'Raise the limit in Settings, Models, or choose a model that runs on this computer.',
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}
