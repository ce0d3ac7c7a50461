import type { AgentMode, AgentSummary } from '@shared/domain/agent'
import { visibleLine } from '@shared/visible-text'
import { agents as words } from './strings'

/** What the page says of an agent, by name; what its file says nothing of is left out. */
export function agentFacts(agent: AgentSummary): [string, string][] {
  const { model, fallback, thinking, style, usesSkills, subagents, tokens } = agent
  const facts: [string, string][] = [
    [words.model, model ?? words.defaultModel],
    [words.fallback, fallback ?? ''],
    [words.thinking, thinking ?? ''],
    [words.style, style ?? ''],
    [words.mode, MODES[agent.mode]],
    [words.tools, toolsText(agent)],
    [words.usesSkills, usesSkills.join(', ')],
    [words.sees, seesText(agent)],
    [words.limits, limitsText(agent)],
    [words.subagents, subagents.join(', ')],
    [words.cost, words.agentFacts.tokensInEveryCall(tokens)],
  ]
  return facts.filter(([, text]) => text !== '').map(([name, text]) => [name, visibleLine(text, 2000)])
}

const MODES: Record<AgentMode, string> = {
  ask: words.agentFacts.asksBeforeAScript,
  'every-time': words.agentFacts.asksEveryTimeWhatever,
  never: words.agentFacts.neverRunsScriptsOr,
}

const SETTINGS = words.agentFacts.settings

/** The stricter ones first. */
export function toolsText({ tools }: Pick<AgentSummary, 'tools'>): string {
  const of = (wanted: keyof typeof SETTINGS) =>
    Object.keys(tools)
      .filter((tool) => tools[tool] === wanted)
      .map((tool) => (tool === '*' ? words.agentFacts.allOthers : tool))
  const parts = (['never', 'ask', 'allow'] as const).flatMap((setting) => {
    const names = of(setting)
    return names.length === 0 ? [] : [`${names.join(', ')} ${SETTINGS[setting]}`]
  })
  return parts.length === 0 ? words.agentFacts.asUsual : parts.join('; ')
}

export function seesText({ skills: { only, tags, except } }: Pick<AgentSummary, 'skills'>): string {
  const those =
    only === null
      ? words.agentFacts.allSkills
      : only.length === 0
        ? words.agentFacts.noSkills
        : words.agentFacts.only(only.join(', '))
  const tagged = tags === null ? '' : words.agentFacts.tagged(tags)
  return words.agentFacts.of(those, tagged, except.join(', '))
}

export function limitsText({ limits }: Pick<AgentSummary, 'limits'>): string {
  const { steps, minutes, tokens, activeSkills } = limits
  return [
    steps === null ? '' : words.agentFacts.step(steps),
    minutes === null ? '' : words.agentFacts.minute(minutes),
    tokens === null ? '' : words.agentFacts.tokens(tokens),
    activeSkills === null ? '' : words.agentFacts.activeSkill(activeSkills),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Those that a chat can be with first, then by name. */
export function inOrder(list: readonly AgentSummary[]): AgentSummary[] {
  const rank = ({ status }: AgentSummary) => (status === 'effective' ? 0 : 1)
  return list.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label))
}
