import { z } from 'zod'
import { call } from '../ipc/define'
import { DisclosureStyle } from './settings'

const SkillRef = z.object({ projectDir: z.string().min(1).max(4096).nullable(), key: z.string().max(5000) })

/** What a model gets of a skill in one disclosure style (`runtime.md` 4), to the letter. Tokens are estimated. */
export const StyledView = z.object({
  style: DisclosureStyle,
  /** The list of skills if it held this one alone. */
  list: z.string(),
  /** What this skill adds to the list. */
  entryTokens: z.number().int().nonnegative(),
  /** The tool in whose description the list stands; null: in the instructions. */
  listIn: z.string().nullable(),
  /** Its text once it is loaded: the result of a tool, or (null) a block of the instructions. */
  loaded: z.object({ tool: z.string().nullable(), text: z.string(), tokens: z.number().int().nonnegative() }),
})
export type StyledView = z.infer<typeof StyledView>

/** What a file costs when an agent opens it; null: it is no text, or too large to be counted. Scripts are run, not read. */
export const FileCost = z.object({
  path: z.string(),
  tokens: z.number().int().nonnegative().nullable(),
  isScript: z.boolean(),
})
export type FileCost = z.infer<typeof FileCost>

/** What was done with one copy on this computer (G5). Times in milliseconds since 1970. */
export const SkillUsage = z.object({
  loads: z.number(),
  runs: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  denied: z.number(),
  chats: z.number(),
  lastUsedAt: z.number().nullable(),
  /** Of the loads of which it was noted. */
  medianTokens: z.number().nullable(),
  /** Not used for more days than this; null: it was, or nobody knows for so long. */
  unusedFor: z.number().nullable(),
  /** The newest first. */
  last: z.array(
    z.object({
      kind: z.enum(['load', 'run']),
      at: z.number(),
      sessionId: z.string().nullable(),
      /** Null: the chat is gone. */
      title: z.string().nullable(),
      step: z.number().nullable(),
      script: z.string().nullable(),
      status: z.string().nullable(),
      exitCode: z.number().nullable(),
    }),
  ),
  activeIn: z.array(z.object({ id: z.string(), title: z.string() })),
})
export type SkillUsage = z.infer<typeof SkillUsage>

/** What the parts of a skill's page ask for beyond `skills.get`; each throws `not_found` for a skill that is gone. */
export const SKILL_PAGE_CALLS = {
  /** A picture of the skill as a data address; null for what is none, or is larger than 2 MB. Never SVG (MD-2). */
  'skillPage.image': call(
    SkillRef.extend({ path: z.string().max(4096) }),
    z.object({ dataUrl: z.string().nullable() }),
  ),
  /** Without a style: that of agents without an opinion of their own. */
  'skillPage.asSeen': call(
    SkillRef.extend({ style: DisclosureStyle.optional() }),
    StyledView.extend({ isDefault: z.boolean() }),
  ),
  /** Every file but SKILL.md, at most 200. */
  'skillPage.fileCosts': call(SkillRef, z.array(FileCost)),
  'skillPage.usage': call(SkillRef, SkillUsage),
}
