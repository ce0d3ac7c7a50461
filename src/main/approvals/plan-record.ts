import type { RequestPlan } from '@shared/domain/approval'

/** What the audit calls that which a request is about. */
export function targetOf(plan: RequestPlan): string {
  if (plan.kind === 'file_edit') return plan.path
  if (plan.kind === 'mcp') return `${plan.server.name}/${plan.tool.name}`
  if (plan.kind === 'prepare') return `${plan.skill?.name ?? ''} (packages)`
  return plan.skill && plan.script ? `${plan.skill.name}/${plan.script.path}` : 'Bash'
}

/** What the audit keeps of a plan beside its hash, so that an entry says by itself which bytes were meant. */
export function identityOf(plan: RequestPlan): Record<string, unknown> {
  if (plan.kind === 'file_edit') {
    const { workspace, mode, before, after } = plan
    return { kind: plan.kind, workspace, mode, before: before?.sha256 ?? null, after: after.sha256 }
  }
  if (plan.kind === 'mcp') return { kind: plan.kind, server: plan.server, toolDigest: plan.tool.digest }
  return {
    kind: plan.kind,
    treeDigest: plan.skill?.treeDigest ?? null,
    scriptSha256: plan.script?.sha256 ?? null,
    argv: plan.argv,
    backend: plan.sandbox.backend,
    ...(plan.environment ? { environment: plan.environment.digest } : {}),
    ...(plan.prepares ? { prepares: plan.prepares.key, packages: plan.prepares.packages } : {}),
  }
}
