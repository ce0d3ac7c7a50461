import { canonicalJson } from '@shared/canonical-json'
import { runPlanOf, type RequestPlan } from '@shared/domain/approval'

/** Where the requests for the script of a plan are found; null: it has none. */
export function scriptOf(plan: RequestPlan): { skillKey: string | null; scriptPath: string | null } {
  const run = runPlanOf(plan)
  return { skillKey: run?.skill?.key ?? null, scriptPath: run?.script?.path ?? null }
}

/** Whether two requests are for the same bytes: of a skill and its script, a command, or a tool of a server. */
export function isSameContents(one: RequestPlan, other: RequestPlan): boolean {
  return canonicalJson(contentsOf(one)) === canonicalJson(contentsOf(other))
}

function contentsOf(plan: RequestPlan) {
  if (plan.kind === 'mcp') return { kind: plan.kind, server: plan.server.digest, tool: plan.tool.digest }
  const run = runPlanOf(plan)
  if (!run) return plan
  const { kind, skill, script, argv } = run
  const what = script ? { path: script.path, sha256: script.sha256 } : argv
  return { kind, tree: skill?.treeDigest ?? null, what }
}
