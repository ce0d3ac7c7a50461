import { runPlanOf, type RequestPlan, type RequestStatus, type RunPlan } from '@shared/domain/approval'
import { visibleText } from '@shared/visible-text'
import { words } from './words'

/** What a request is about, in words for the dock, the review and the list. */
export interface Subject {
  /** "Run", "Change": the act that Allow means. */
  verb: string
  /** File, script or tool, shown in mono; null for a command of its own. */
  name: string | null
  /** "Run this script?" */
  question: string
  /** "Review script" */
  review: string
  /** The skill that it comes from. */
  skill: RunPlan['skill']
  /** The MCP server that it goes to. */
  server: string | null
}

/** A plan in words; names are as they are in the plan and must be made visible where they are drawn. */
export function subjectOf(plan: RequestPlan): Subject {
  const skill = runPlanOf(plan)?.skill ?? null
  if (plan.kind === 'file_edit') {
    const verb = plan.mode === 'create' ? words.subject.create : words.subject.change
    const about = {
      name: lastPart(plan.path),
      question: words.subject.thisFile(verb),
      review: words.subject.reviewChange,
    }
    return { ...about, verb, skill, server: null }
  }
  if (plan.kind === 'mcp') {
    const about = {
      name: plan.tool.name,
      question: words.subject.callThisMcpTool,
      review: words.subject.reviewCall,
    }
    return { ...about, verb: words.subject.call, skill, server: plan.server.name }
  }
  if (plan.kind === 'prepare') {
    const about = {
      name: null,
      question: words.subject.preparePackages,
      review: words.subject.reviewPackages,
    }
    return { ...about, verb: words.subject.prepare, skill, server: null }
  }
  const noun = plan.kind === 'shell' ? 'command' : plan.kind
  const name = plan.script && lastPart(plan.script.path)
  return {
    verb: words.subject.run,
    name,
    question: words.subject.runThis(noun),
    review: words.subject.review(noun),
    skill,
    server: null,
  }
}

/** Words for the live region: said once, when the request is first shown. */
export function announcement({ plan }: { plan: RequestPlan }, shortcut: string): string {
  const { verb, name, skill, server } = subjectOf(plan)
  const from = skill?.name ?? server
  const what = words.subject.what(
    verb,
    visibleText(name ?? unnamed(plan, 'a')),
    from ? visibleText(from) : null,
  )
  return words.subject.approvalNeededPressTo(what, shortcut)
}

/** True when both are about the same thing, whatever its contents are by now. */
export function isSameSubject(a: RequestPlan, b: RequestPlan): boolean {
  return subjectKey(a) === subjectKey(b)
}

/** The bytes that Allow is about, for tests and for those who compare. */
export function contentHash(plan: RequestPlan): string | undefined {
  return plan.kind === 'file_edit' ? plan.after.sha256 : runPlanOf(plan)?.script?.sha256
}

function subjectKey(plan: RequestPlan): string {
  if (plan.kind === 'file_edit') return JSON.stringify([plan.kind, plan.path])
  if (plan.kind === 'mcp') return JSON.stringify([plan.kind, plan.server.name, plan.tool.name])
  return JSON.stringify([plan.skill?.key, plan.script?.path, ...(plan.kind === 'prepare' ? [plan.kind] : [])])
}

/** What stands for a name where there is none. */
export function unnamed({ kind }: RequestPlan, article: 'a' | 'this'): string {
  if (kind === 'prepare') return words.subject.packages
  return article === 'a' ? words.subject.aCommand : words.subject.thisCommand
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The state as the page names it: what is pending in the data waits for the person (`approvals.md` 4). */
export function stateName(status: RequestStatus): string {
  return status === 'pending' ? 'waiting' : status
}
