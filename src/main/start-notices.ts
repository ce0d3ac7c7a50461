import type { AppEvent } from '@shared/events'
import type { AppDeps } from './app-deps'
import type { Rules } from './approvals/rules/rules'

/** What a person must know of this start: a damaged database, and rules that can't be relied on any more. */
export function noticesOfStart(
  deps: Pick<AppDeps, 'log'>,
  { movedTo, rules }: { movedTo: string | null; rules: Pick<Rules, 'test'> },
): AppEvent[] {
  const broken = rules.test().map((message): AppEvent => ({ t: 'notice', level: 'warning', message }))
  return [...(movedTo === null ? [] : [startedFresh(deps, movedTo)]), ...broken]
}

function startedFresh(deps: Pick<AppDeps, 'log'>, movedTo: string): AppEvent {
  deps.log.warn('The database was damaged; a new one was started', { movedTo })
  const message = `The database was damaged, so Satchel started with a new, empty one. The damaged one is kept unchanged in ${movedTo}: keep that folder if you need its chats. Your skills and projects on disk are not touched.`
  return { t: 'notice', level: 'error', message }
}
