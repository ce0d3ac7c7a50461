import { AppError } from '@shared/errors'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'

/** A page may still ask while the app goes away: it gets a plain answer, not a failure. */
export function refuseWhenClosing(
  handlers: Handlers<AppContract>,
  closing: { yes: boolean },
): Handlers<AppContract> {
  const guarded = Object.entries(handlers).map(([name, handler]) => [
    name,
    (...args: unknown[]) => {
      if (closing.yes) throw new AppError('cancelled', 'Satchel is closing.')
      return (handler as (...given: unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(guarded) as Handlers<AppContract>
}
