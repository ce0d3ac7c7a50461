import type { AppEvent } from '@shared/events'
import type { AppDeps } from './deps'
import type { Rules } from '../approvals/rules/rules'
import { startedFresh } from './record'

/** What a person must know of this start: a damaged database, and rules that can't be relied on any more. */
export function noticesOfStart(
  deps: AppDeps,
  { movedTo, rules }: { movedTo: string | null; rules: Pick<Rules, 'test'> },
): AppEvent[] {
  const broken = rules.test().map((message): AppEvent => ({ t: 'notice', level: 'warning', message }))
  return [...(movedTo === null ? [] : [startedFresh(deps, movedTo)]), ...broken]
}
