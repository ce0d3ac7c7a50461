import type { RequestPlan, RequestSummary } from '@shared/domain/approval'
import type { AppEvent } from '@shared/events'
import { visibleLine } from '@shared/visible-text'

export interface WaitingDeps {
  events: AsyncIterable<AppEvent>
  waiting(): readonly RequestSummary[] | Promise<readonly RequestSummary[]>
  isFocused(): boolean
  setBadge(count: number): void
  /** Shows it without any button: nothing is allowed from there. */
  notify(note: WaitingNote): void
}

export interface WaitingNote {
  title: string
  body: string
  /** What a click on it leads to. */
  requestId: string
}

/**
 * The badge counts what waits; who looks elsewhere is told once for each chat, without arguments or contents
 * (`ux.md` 2.9). Ends with its events.
 */
export async function tellWaiting(deps: WaitingDeps): Promise<void> {
  const told = new Set<string>()
  await look(deps, told)
  for await (const event of deps.events) if (event.t === 'approvals.changed') await look(deps, told)
}

async function look(deps: WaitingDeps, told: Set<string>): Promise<void> {
  const waiting = await deps.waiting()
  deps.setBadge(waiting.length)
  const chats = new Set(waiting.map(({ sessionId }) => sessionId))
  for (const chat of told) if (!chats.has(chat)) told.delete(chat)
  for (const request of waiting) {
    if (told.has(request.sessionId)) continue
    told.add(request.sessionId)
    if (!deps.isFocused()) deps.notify(noteOf(request))
  }
}

function noteOf({ id, agentName, plan }: RequestSummary): WaitingNote {
  return { title: `${visibleLine(agentName)} is waiting`, body: questionOf(plan), requestId: id }
}

function questionOf(plan: RequestPlan): string {
  if (plan.kind === 'file_edit') return `${plan.mode === 'create' ? 'Create' : 'Change'} a file?`
  if (plan.kind === 'mcp') return `Call ${visibleLine(plan.tool.name)} from ${visibleLine(plan.server.name)}?`
  if (!plan.skill || !plan.script) return 'Run a command?'
  const name = plan.script.path.slice(plan.script.path.lastIndexOf('/') + 1)
  return `Run ${visibleLine(name)} from ${visibleLine(plan.skill.name)}?`
}
