import type { ToolCall } from '@shared/domain/session'

/**
 * The loads before a page that its steps are described with: of each skill that a step names the last one, and the last
 * one of all. A step that names none belongs to the skill that was loaded last.
 */
export function leadsOf(page: readonly ToolCall[], all: readonly ToolCall[]): ToolCall[] {
  const first = Math.min(...page.map(({ step }) => step))
  const wanted = new Set(page.map(({ input }) => bareName(input['skill'])))
  const leads: ToolCall[] = []
  for (const call of all.toReversed()) {
    if (wanted.size === 0) break
    if (call.step >= first || call.name !== 'skills_load' || !call.envelope?.success) continue
    const met = [...namesIn(call), ''].filter((name) => wanted.delete(name))
    if (met.length > 0) leads.push(call)
  }
  return leads.toReversed()
}

function namesIn({ input }: ToolCall): string[] {
  const names = input['names'] ?? input['name']
  return (Array.isArray(names) ? names : [names]).map(bareName)
}

/** Without `@scope` or `@package`; empty where there is none. */
function bareName(name: unknown): string {
  return typeof name === 'string' ? (name.split('@')[0] ?? '') : ''
}
