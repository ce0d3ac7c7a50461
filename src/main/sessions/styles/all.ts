import type { DisclosureStyle } from '@shared/domain/settings'
import { agentSkillReadStyle } from './agent-skill-read'
import { compactStyle } from './compact'
import { getSkillStyle } from './get-skill'
import { readSkillStyle } from './read-skill'
import { runtimeStyle } from './runtime'
import { skillToolStyle } from './skill-tool'
import type { Style, StyleTool } from './style'

const STYLES: Readonly<Record<DisclosureStyle, Style>> = {
  runtime: runtimeStyle,
  compact: compactStyle,
  'get-skill': getSkillStyle,
  'read-skill': readSkillStyle,
  'agent-skill-read': agentSkillReadStyle,
  'skill-tool': skillToolStyle,
}

/** The six styles of `runtime.md` 4. */
export function styleOf(id: DisclosureStyle): Style {
  return STYLES[id]
}

/** Names differ in all styles, so that a call of an earlier style keeps its meaning. */
export function findStyleTool(name: string): { style: Style; tool: StyleTool } | null {
  for (const style of Object.values(STYLES)) {
    const tool = style.tools.find((candidate) => candidate.name === name)
    if (tool) return { style, tool }
  }
  return null
}
