import { Scope } from '@shared/domain/skill'
import type { ToolCall } from '@shared/domain/session'
import { fields, list, number, text, texts } from './read-result'

/** What a load told about a skill. */
export interface SkillFact {
  name: string
  scope?: Scope
  digest: string
  tokens: number
  step: number
}

/** Name without `@scope` or `@package`. */
export function bareName(name: string): string {
  return name.split('@')[0] ?? name
}

/** The skills that one `skills_load` call put into the chat. */
export function loadedBy(call: ToolCall): SkillFact[] {
  const wanted = new Set(texts(call.input['names'] ?? call.input['name']).map(bareName))
  return list(fields(call.envelope?.result)['active_skills'])
    .map((entry) => toFact(fields(entry), call.step))
    .filter((fact) => wanted.has(fact.name))
}

/**
 * Which skill a read or a run belongs to: the one it names, otherwise the most recently loaded (`runtime.md` 2).
 * Only loads before the call count.
 */
export function skillOf(call: ToolCall, calls: Record<string, ToolCall>): SkillFact | undefined {
  const named = bareName(text(call.input['skill']))
  const facts = Object.values(calls)
    .filter((other) => other.name === 'skills_load' && other.step < call.step)
    .toSorted((a, b) => a.step - b.step)
    .flatMap(loadedBy)
  const found = named ? facts.findLast((fact) => fact.name === named) : facts.at(-1)
  return found ?? (named ? { name: named, digest: '', tokens: 0, step: 0 } : undefined)
}

function toFact(entry: ReturnType<typeof fields>, step: number): SkillFact {
  const scope = Scope.safeParse(entry['scope'])
  return {
    name: text(entry['name']),
    ...(scope.success ? { scope: scope.data } : {}),
    digest: text(entry['digest']).replace(/^sha256:/, ''),
    tokens: number(entry['tokens']) ?? 0,
    step,
  }
}
