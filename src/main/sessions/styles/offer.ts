import type { ToolSpec } from '../../llm/types'
import type { Style, StyleTool } from './style'

/** What decides which tools a model is offered. */
export interface Offer {
  style: Style
  /** All core tools, in their order. */
  core: readonly ToolSpec[]
  /** The catalogue, where the style keeps it in a tool; else empty. */
  list: string
  /** Skills that the catalogue leaves out. */
  omitted: number
  /** A skill can be used here, or one is active. */
  hasSkills: boolean
}

/**
 * The tools of one model call: the style's own, then those of the core that it does not replace. `skills_list` stands
 * beside a style's own list only when that leaves something out. Without skills there is none but those for which a
 * document has a text (S0).
 */
export function offeredTools({ style, core, list, omitted, hasSkills }: Offer): ToolSpec[] {
  const there = new Set(core.map(({ name }) => name))
  // Without skills only the tool that says so stays, and what does not need one.
  const works = ({ over }: StyleTool, at: number) =>
    over.some((name) => there.has(name) && (hasSkills || at === 0 || !name.startsWith('skills_')))
  const own = hasSkills || style.offeredEmpty ? style.tools.filter(works).map((tool) => tool.spec(list)) : []
  const hidden = hiddenTools(style, core)
  const others = core.filter(({ name }) => {
    if (hidden.has(name) || (!hasSkills && name.startsWith('skills_'))) return false
    return name !== 'skills_list' || style.tools.length === 0 || omitted > 0
  })
  return [...own, ...others]
}

/** A text of a core tool with the names that tools have in this style. */
export function renameTools(style: Style, core: readonly Pick<ToolSpec, 'name'>[], text: string): string {
  const hidden = hiddenTools(style, core)
  const nameOf = (name: string): string => {
    const other = style.replaces[name]
    return other === undefined || !hidden.has(name) ? name : nameOf(other)
  }
  return text.replace(/\b(?:skills_[a-z_]+|Bash)\b/g, nameOf)
}

/** Only what can be reached in another way is hidden. */
function hiddenTools(style: Style, core: readonly Pick<ToolSpec, 'name'>[]): Set<string> {
  const there = new Set([...style.tools.map(({ name }) => name), ...core.map(({ name }) => name)])
  const replaced = Object.entries(style.replaces).filter(([, by]) => there.has(by))
  return new Set(replaced.map(([name]) => name))
}
