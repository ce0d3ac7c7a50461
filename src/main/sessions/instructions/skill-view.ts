import type { DisclosureStyle } from '@shared/domain/settings'
import type { Scope } from '@shared/domain/skill'
import type { StyledView } from '@shared/domain/skill-page'
import { estimateTokens } from '@shared/tokens'
import { fixedCatalogue, composeCatalogue, type CatalogueEntry } from './catalogue'
import { succeeded } from '../turn/envelope'
import { instructionParts, skillDir } from './prompt'
import { skillText } from './skill-text'
import { styleOf } from '../styles/all'
import { finderOf } from '../styles/ids'
import type { SkillFacts, Style, StyleTool } from '../styles/style'

/** A skill as it is on disk, or as it is being written. */
export interface ShownSkill {
  name: string
  description: string
  scope: Scope
  /** It comes with the project. */
  inProject: boolean
  /** Name of its folder. */
  folder: string
  /** Tree digest; empty where there is none. */
  digest: string
  body: string
  frontmatter: Record<string, unknown>
  requires: readonly string[]
}

const NO_LIMITS = { maxEntries: 1, maxTokens: Number.POSITIVE_INFINITY }

/** What a model gets of this skill in a style, made by the functions that make every call: in its list, and loaded. */
export function skillAsSeen(skill: ShownSkill, id: DisclosureStyle): StyledView {
  const style = styleOf(id)
  const tool = style.tools.find(({ holdsBody }) => holdsBody)
  const text = tool ? resultText(tool, skill) : instructionText(style, skill)
  return {
    style: id,
    ...listOf(style, skill),
    listIn: style.listIn === 'tool' ? (style.tools[0]?.name ?? null) : null,
    loaded: { tool: tool?.name ?? null, text, tokens: estimateTokens(text) },
  }
}

/** The list as it would be with this skill alone, and what its entry adds to it. */
function listOf({ list }: Style, { name, description, scope, inProject, folder }: ShownSkill) {
  const entry: CatalogueEntry = { name, description, id: folder, scope, inProject }
  if (typeof list === 'string') return { list: fixedCatalogue([entry], list).text, entryTokens: 0 }
  const written = composeCatalogue([entry], NO_LIMITS, { format: list })
  return { list: written.text, entryTokens: Math.max(0, written.tokens - estimateTokens(list([], 0))) }
}

/** The block of the instructions that holds an active skill. */
function instructionText(style: Style, { name, scope, digest, body }: ShownSkill): string {
  const active = [{ name, scope, digest, body: skillText(body, { dir: skillDir(name) }) }]
  const parts = instructionParts({ role: '', style, projectInstructions: '', catalogue: '', active })
  return parts.find(({ part }) => part === 'active')?.text ?? ''
}

/** The result of the call that loads the skill, as it is sent. */
function resultText(tool: StyleTool, skill: ShownSkill): string {
  const { parameters } = tool.spec('')
  const [first = ''] = Object.keys((parameters as { properties?: object }).properties ?? {})
  const input = { [first]: skill.name }
  const call = tool.toCore(input, finderOf([skill]))
  const envelope = succeeded(tool.shape({ input, call, result: {}, skill: factsOf(skill) }))
  return JSON.stringify(tool.seen ? tool.seen(envelope) : envelope)
}

function factsOf({ body, ...skill }: ShownSkill): SkillFacts {
  const dir = skillDir(skill.name)
  const text = skillText(body, { dir })
  return { ...skill, dir, body: text, tokens: estimateTokens(text) }
}
