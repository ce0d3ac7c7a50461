import type { AgentStatus } from '@shared/domain/agent'
import { defineStrings } from '@shared/catalogue'
import { formatEstimate, formatTokens, formFor, plural } from '../ui/format'

export const agents = defineStrings('agents', {
  title: 'Agents',
  lead: 'Who a chat can be with. Each agent is one Markdown file; a saved file is here at once.',
  list: 'Agents',
  newChat: 'New chat',
  makeDefault: 'Use as default',
  isDefault: 'Default',
  reveal: 'Open folder',
  model: 'Model',
  defaultModel: 'Your default model',
  fallback: 'Fallback',
  thinking: 'Thinking',
  style: 'Told of skills by',
  mode: 'Mode',
  tools: 'Tools',
  usesSkills: 'Always uses',
  sees: 'Sees',
  limits: 'Limits of a turn',
  subagents: 'Hands work to',
  cost: 'Cost',
  ofProject: 'An agent of a project can’t be the default: other folders don’t have it.',
  with: (name: string) => ` with ${name}`,
  of: (name: string) => ` of ${name}`,
  status: {
    effective: 'In use',
    shadowed: 'Shadowed',
    broken: 'Won’t load',
    'not-trusted': 'Not trusted',
  } satisfies Record<AgentStatus, string>,
  agentFacts: {
    tokensInEveryCall: (tokens: number) =>
      `${formatEstimate(tokens)} ${formFor(tokens, { one: 'token', other: 'tokens' })} in every call`,
    asksBeforeAScript: 'Asks before a script or command runs',
    asksEveryTimeWhatever: 'Asks every time, whatever a rule says',
    neverRunsScriptsOr: 'Never runs scripts or commands',
    settings: { allow: 'without asking', ask: 'asks', never: 'never' },
    allOthers: 'all others',
    asUsual: 'As usual',
    allSkills: 'All skills',
    noSkills: 'No skills',
    only: (only: string) => `Only ${only}`,
    tagged: (tags: readonly string[]) => ` tagged ${tags.join(' or ')}`,
    of: (those: string, tagged: string, except: string) =>
      `${those}${tagged}${except === '' ? '' : ` except ${except}`}`,
    step: (steps: number) => plural(steps, { one: 'step', other: 'steps' }),
    minute: (minutes: number) => plural(minutes, { one: 'minute', other: 'minutes' }),
    tokens: (tokens: number) => formatTokens(tokens),
    activeSkill: (activeSkills: number) =>
      plural(activeSkills, { one: 'active skill', other: 'active skills' }),
  },
  agentsView: {
    line: (line: number) => `Line ${line}: `,
  },
})
