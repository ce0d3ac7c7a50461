import type { ActiveSkill } from '@shared/domain/session'
import type { SkillRecord } from '../../skills/record'
import { cutText } from '../../lib/well-formed'
import type { Agent } from '../agent/agent'
import { plainLine } from '../instructions/escape'

/** What the model is told of a load, one sentence each. */

export function hintsFor(record: SkillRecord): string[] {
  return record.requires.map((name) => `This skill requires: ${name}. Load it first if you haven't already.`)
}

/** Of a skill above 5,000 or 8,000 tokens (`runtime.md` 1). */
export function sizeWords(active: ActiveSkill): string[] {
  const limit = [8000, 5000].find((tokens) => active.tokens > tokens)
  return limit === undefined
    ? []
    : [`"${active.name}" has about ${active.tokens} tokens, more than ${limit}.`]
}

/** Of a fork whose agent is not there: who did the work (`runtime.md` 6, "else the same"). */
export function missingAgentWords(named: { skill: string; agent: string }, worker: string): string {
  const [skill, agent] = [named.skill, cutText(named.agent, 80)].map(plainLine)
  return `The skill "${skill}" names the agent "${agent}", which is not there: ${worker} worked in its place, with the tools of this chat and no more.`
}

export function anotherWords({ name }: ActiveSkill): string {
  return `"${name}" is the version on disk from now on: its folder had changed since it was loaded before.`
}

export function newerWords(name: string): string {
  return `A newer version of "${name}" is on disk. This chat keeps the one it loaded: unload the skill and load it again to take the newer one.`
}

export function notSeenWords({ label }: Agent, { name }: SkillRecord): string {
  return `The agent ${label} does not see the skill "${name}". Use one of the list of skills, or ask the person to add it.`
}

/** Names those that can be unloaded. */
export function overLimitWords(total: number, cap: number, active: readonly ActiveSkill[]): string {
  const names = active
    .filter(({ alwaysOn }) => !alwaysOn)
    .map(({ name }) => name)
    .join(', ')
  return `That would be ${total} active skills; at most ${cap} can be. Unload some first: ${names}.`
}
