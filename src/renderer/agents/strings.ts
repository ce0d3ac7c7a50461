import type { AgentStatus } from '@shared/domain/agent'
import { defineStrings } from '@shared/catalogue'

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
})
