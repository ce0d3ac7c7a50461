import type { Decision, RequestDetail, RequestPlan } from '@shared/domain/approval'
import type { ArgScope, RuleDays } from '@shared/domain/arg-scope'
import type { RuleDraft } from '@shared/domain/rule'
import { words } from '../words'

/** What a person lets be remembered; `once`: nothing. */
export interface Remembering {
  lifetime: 'once' | 'chat' | 'always'
  args: ArgScope
  days: RuleDays
}

/** Nothing is remembered unless it is chosen, and then as little as can be. */
export const ONCE: Remembering = { lifetime: 'once', args: 'exact', days: 30 }

const DAY_MS = 24 * 60 * 60 * 1000

/** The rule that Allow would save, for its sentence; null: none. What is saved is made from the request itself. */
export function ruleOf(
  { plan, remember, sessionId }: Pick<RequestDetail, 'plan' | 'remember' | 'sessionId'>,
  { lifetime, args, days }: Remembering,
  now: number,
): RuleDraft | null {
  if (lifetime === 'once') return null
  return {
    effect: 'allow',
    match: { shape: args, fingerprint: '' },
    agent: { key: '', label: remember.agentLabel },
    project: { dir: remember.projectDir },
    lifetime,
    chatId: lifetime === 'chat' ? sessionId : null,
    expiresAt: lifetime === 'chat' || days === null ? null : now + days * DAY_MS,
    example: plan,
  }
}

/** What the button that allows sends. */
export function rememberedChoice({
  lifetime,
  args,
  days,
}: Remembering): Pick<Decision, 'choice' | 'remember'> {
  return lifetime === 'once' ? { choice: 'once' } : { choice: lifetime, remember: { args, days } }
}

/** Words of the choices, and of the button that follows them (`ux.md` 3.2). */
export function choiceWords(lifetime: Remembering['lifetime'], plan: RequestPlan): string {
  if (lifetime === 'once') return words.remembering.allowOnce
  return lifetime === 'chat'
    ? words.remembering.allowForThisChat
    : words.remembering.alwaysForThisExact(nounOf(plan))
}

export function nounOf({ kind }: RequestPlan): string {
  if (kind === 'shell') return 'command'
  return { script: 'script', prepare: 'preparation', hook: 'hook', file_edit: 'change', mcp: 'call' }[kind]
}
