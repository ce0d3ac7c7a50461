import type { ArgScope } from '@shared/domain/arg-scope'
import { runPlanOf, type RequestPlan, type RunPlan } from '@shared/domain/approval'
import { REQUEST_KINDS } from '@shared/request-kinds'
import { foldName } from '@shared/skill-md/skill-name'
import { whyNoCommandRule } from './command-words'
import type { Facts, PolicyGrounds } from './decide'
import { argumentsOf, isOpenArgument } from './fingerprint'
import { isTool } from './match'

/** Why this request can't be remembered, in a sentence; null when it can (the list of `ux.md` 3.2). */
export function whyNotRemembered(
  facts: Pick<Facts, 'plan' | 'findings' | 'tool'>,
  policy: PolicyGrounds | null,
): string | null {
  const { plan, findings, tool } = facts
  if (findings.some(({ level }) => level === 'serious')) return 'A serious finding is never remembered.'
  if (plan.kind === 'file_edit')
    return 'Every change of a file is another one, so there is nothing to remember.'
  const byPolicy = whyAskedByPolicy(plan, tool, policy)
  if (byPolicy) return byPolicy
  const run = runPlanOf(plan)
  if (!run) return null
  if (run.fullScreen) return 'A full-screen program is never remembered.'
  const hasSecrets = (run.secrets ?? []).length > 0
  if (hasSecrets || findings.some(({ id }) => id === 'environment-secrets'))
    return 'A run with secrets is never remembered.'
  return whyNotByReach(run) ?? (run.kind === 'shell' ? whyNoCommandRule(run.argv.at(-1) ?? '') : null)
}

/**
 * Why the organisation wants this to be asked for every time; null: it does not. Its lists name kinds of requests
 * (`scripts`, `hooks`, `shell`, `file-write`, `mcp`, `network`, `network-tools`, `everything`), `tool:NAME`,
 * `scope:SCOPE` and `skill:NAME`.
 */
export function whyAskedByPolicy(
  plan: RequestPlan,
  tool: string,
  policy: PolicyGrounds | null,
): string | null {
  if (!policy) return null
  const run = runPlanOf(plan)
  const own = [
    'everything',
    ...REQUEST_KINDS[plan.kind],
    ...(run?.skill ? [`scope:${run.skill.scope}`, `skill:${foldName(run.skill.name)}`] : []),
    ...(run && run.sandbox.network !== 'off' ? ['network', 'network-tools'] : []),
  ]
  const isMeant = (entry: string) =>
    entry.startsWith('tool:') ? isTool(entry.slice('tool:'.length), tool, plan) : own.includes(entry)
  const isListed = [...policy.neverRemember, ...policy.requireApprovalFor].some(isMeant)
  return isListed ? 'Your organisation wants this to be asked for every time.' : null
}

/** How wide a rule for this request may be, the narrowest first. */
export function argScopesOf(plan: RequestPlan): ArgScope[] {
  const run = runPlanOf(plan)
  if (!run?.script) return ['exact']
  const args = argumentsOf(run)
  const hasValue = args.some((arg) => !arg.startsWith('-') && isOpenArgument(arg))
  const isOpen = args.every(isOpenArgument)
  return [
    'exact',
    ...(hasValue && isOpen ? (['flags'] as const) : []),
    ...(isOpen ? (['anyArgs'] as const) : []),
  ]
}

function whyNotByReach({ environment, kind, sandbox, workspace }: RunPlan): string | null {
  // A rule names the contents of a skill, not those of packages.
  if (environment) return 'A run with prepared packages is never remembered.'
  if (kind === 'prepare') return 'Fetching packages is asked for every time.'
  if (sandbox.backend === 'none') return 'A run without a sandbox is never remembered.'
  if (sandbox.network !== 'off') return 'A run with network is never remembered.'
  const isInside = (path: string) => path === workspace || path.startsWith(`${workspace}/`)
  return sandbox.writable.every(isInside)
    ? null
    : 'A run that writes outside the project is never remembered.'
}
