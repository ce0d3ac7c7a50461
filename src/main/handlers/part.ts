import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'

/** The handlers of the calls whose names begin with a word and a dot. */
export type Part<Prefix extends string> = Pick<
  Handlers<AppContract>,
  Extract<keyof AppContract, `${Prefix}.${string}`>
>

/** The answer of calls that have nothing to say. */
export function done(_nothing: void): Record<string, never> {
  return {}
}
