import type { AgentMode, AgentSummary } from '@shared/domain/agent'
import { visibleLine } from '@shared/visible-text'
import { formatEstimate, formatNumber, plural } from '../ui/format'
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
    [words.cost, `${formatEstimate(tokens)} tokens in every call`],
  ]
  return facts.filter(([, text]) => text !== '').map(([name, text]) => [name, visibleLine(text, 2000)])
}

const MODES: Record<AgentMode, string> = {
  ask: 'Asks before a script or command runs',
  'every-time': 'Asks every time, whatever a rule says',
  never: 'Never runs scripts or commands',
}

const SETTINGS = { allow: 'without asking', ask: 'asks', never: 'never' } as const

/** The stricter ones first. */
export function toolsText({ tools }: Pick<AgentSummary, 'tools'>): string {
  const of = (wanted: keyof typeof SETTINGS) =>
    Object.keys(tools)
      .filter((tool) => tools[tool] === wanted)
      .map((tool) => (tool === '*' ? 'all others' : tool))
  const parts = (['never', 'ask', 'allow'] as const).flatMap((setting) => {
    const names = of(setting)
    return names.length === 0 ? [] : [`${names.join(', ')} ${SETTINGS[setting]}`]
  })
  return parts.length === 0 ? 'As usual' : parts.join('; ')
}

export function seesText({ skills: { only, tags, except } }: Pick<AgentSummary, 'skills'>): string {
  const those = only === null ? 'All skills' : only.length === 0 ? 'No skills' : `Only ${only.join(', ')}`
  const tagged = tags === null ? '' : ` tagged ${tags.join(' or ')}`
  return `${those}${tagged}${except.length === 0 ? '' : ` except ${except.join(', ')}`}`
}

export function limitsText({ limits }: Pick<AgentSummary, 'limits'>): string {
  const { steps, minutes, tokens, activeSkills } = limits
  return [
    steps === null ? '' : plural(steps, { one: 'step', other: 'steps' }),
    minutes === null ? '' : plural(minutes, { one: 'minute', other: 'minutes' }),
    tokens === null ? '' : `${formatNumber(tokens)} tokens`,
    activeSkills === null ? '' : plural(activeSkills, { one: 'active skill', other: 'active skills' }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Those that a chat can be with first, then by name. */
export function inOrder(list: readonly AgentSummary[]): AgentSummary[] {
  const rank = ({ status }: AgentSummary) => (status === 'effective' ? 0 : 1)
  return list.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label))
}
