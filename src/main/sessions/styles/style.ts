import { z } from 'zod'
import type { Envelope } from '@shared/domain/session'
import type { DisclosureStyle } from '@shared/domain/settings'
import type { Scope } from '@shared/domain/skill'
import type { ToolSpec } from '../../llm/types'
import type { CatalogueFormat } from '../instructions/catalogue'

export interface Style {
  id: DisclosureStyle
  /** The list of skills: in the instructions, or in the description of the first of `tools`. */
  listIn: 'instructions' | 'tool'
  /** How the list is written, or one text that stands there whatever skills there are. */
  list: CatalogueFormat | string
  /** How skills are found, loaded, read and run in this style, for the instructions. */
  rules: string
  /** Its own names for what the core tools do. */
  tools: readonly StyleTool[]
  /** Core tools that are not offered, each with the one to call instead, of the style or of the core. */
  replaces: Readonly<Record<string, string>>
  /** Its tools are offered without any skill too: the document has a text for that. */
  offeredEmpty?: true
}

/** A call of one of the core tools (`runtime.md` 2). */
export interface CoreCall {
  tool: string
  input: Record<string, unknown>
}

/** A tool of a style: a name, a description and result shapes over a core tool. */
export interface StyleTool {
  name: string
  /** The core tools that its calls become: without any of them it is not offered. */
  over: readonly string[]
  /** `list` is the catalogue of a style that keeps it here; else empty. */
  spec(list: string): ToolSpec
  /** The core call that is meant. Throws ZodError for a wrong input. */
  toCore(input: unknown, skills: SkillFinder): CoreCall
  /** The result that is kept of a core call that succeeded. */
  shape(facts: CallFacts): unknown
  /** The error that is kept of one that failed; by default the core's, with this style's names of tools. */
  shapeError?(facts: FailureFacts): string
  /** What the model sees of the kept envelope; by default the envelope itself. */
  seen?(envelope: Envelope): unknown
  /** What a person sees while it works; by default what the core tool says. */
  stepText?(input: unknown): string
  /** The result holds the text of a skill: kept word for word while that skill is active. */
  holdsBody?: true
}

/** How a style's ids become names of skills. */
export interface SkillFinder {
  /** Name of the skill that an id means; the id itself when none is meant. */
  nameOf(id: string): string
}

/** What a result may be shaped of. */
export interface CallFacts {
  /** As the model gave it. */
  input: unknown
  call: CoreCall
  result: Record<string, unknown>
  /** The skill that a load was about. */
  skill: SkillFacts | null
}

export interface FailureFacts {
  input: unknown
  call: CoreCall
  envelope: Envelope
  /** There is no copy of any skill with the name that was asked for. */
  unknown: boolean
}

/** A skill that is active now. */
export interface SkillFacts {
  name: string
  description: string
  scope: Scope
  /** It comes with the project: from its folders, or a plugin that was installed for it. */
  inProject: boolean
  /** Name of its folder. */
  folder: string
  /** Where its files are in the sandbox. */
  dir: string
  body: string
  frontmatter: Record<string, unknown>
  /** Tokens of the body, estimated. */
  tokens: number
  requires: readonly string[]
}

interface Definition<S extends z.ZodType> {
  name: string
  over: readonly string[]
  describe: string | ((list: string) => string)
  input: S
  toCore(input: z.output<S>, skills: SkillFinder): CoreCall
  shape(facts: CallFacts): unknown
  shapeError?: StyleTool['shapeError']
  seen?: StyleTool['seen']
  stepText?(input: z.output<S>): string
  holdsBody?: true
}

/** A tool of a style whose input is checked by its schema. */
export function defineStyleTool<S extends z.ZodType>(definition: Definition<S>): StyleTool {
  const { name, over, describe, input, shape, shapeError, seen, stepText, holdsBody } = definition
  const parameters = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    over,
    spec: (list) => ({
      name,
      description: typeof describe === 'string' ? describe : describe(list),
      parameters,
    }),
    toCore: (raw, skills) => definition.toCore(input.parse(raw), skills),
    shape,
    ...(shapeError ? { shapeError } : {}),
    ...(seen ? { seen } : {}),
    ...(stepText ? { stepText: (raw: unknown) => stepText(input.parse(raw)) } : {}),
    ...(holdsBody ? { holdsBody } : {}),
  }
}

/** One skill more, whatever is active: in these styles nothing is unloaded by loading another. */
export function loadCall(name: string, args?: string): CoreCall {
  return {
    tool: 'skills_load',
    input: { names: [name], mode: 'add', ...(args === undefined ? {} : { args }) },
  }
}

/** `seen` of the styles whose results are what the document shows, with failures as `{ error }`. */
export function resultOrError(envelope: Envelope): unknown {
  return envelope.success ? envelope.result : { error: envelope.error ?? '' }
}
