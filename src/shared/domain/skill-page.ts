import { z } from 'zod'
import { call } from '../ipc/define'
import { Finding } from './approval'
import { RuleEffect } from './rule'
import { SecretName, SecretWish } from './secret'
import { DisclosureStyle } from './settings'
import { ComparedFile } from './skill'

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

/** A script of a copy with what is known of it before anybody asks to run it. Times in milliseconds since 1970. */
export const ScriptView = z.object({
  path: z.string(),
  size: z.number(),
  /** "Python 3 (python3)" */
  language: z.string(),
  /** Real path of the program that would run it; null: there is none here. */
  interpreter: z.string().nullable(),
  /** Why there is none, and what to do. */
  interpreterProblem: z.string().nullable(),
  version: z.string(),
  /** Null: it is no text. */
  lines: z.number().nullable(),
  /** By the fixed rules, without arguments; none doesn't mean that it is harmless. */
  findings: z.array(Finding),
  runs: z.object({
    total: z.number(),
    succeeded: z.number(),
    /** The newest first. */
    last: z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        exitCode: z.number().nullable(),
        startedAt: z.number(),
        endedAt: z.number().nullable(),
        sessionId: z.string(),
        /** Null: the chat is gone. */
        title: z.string().nullable(),
        step: z.number().nullable(),
      }),
    ),
  }),
  /** The first and the last time that it was allowed; empty: never. */
  allowed: z.array(
    z.object({
      at: z.number(),
      byRule: z.boolean(),
      treeDigest: z.string().nullable(),
      /** For just the bytes that the skill has now. */
      isNow: z.boolean(),
    }),
  ),
  /** Rules about this script or this skill. */
  rules: z.array(z.object({ id: z.string(), effect: RuleEffect, on: z.boolean(), sentence: z.string() })),
})
export type ScriptView = z.infer<typeof ScriptView>

export const SkillScripts = z.object({
  scripts: z.array(ScriptView),
  /** There are more than 100. */
  cut: z.boolean(),
  /** Of the files that were looked at; empty where there is none. */
  treeDigest: z.string(),
})
export type SkillScripts = z.infer<typeof SkillScripts>

/** A secret that a skill asks for, and when it was given to this copy. */
export const SkillSecret = SecretWish.extend({ givenAt: z.number().nullable() })
export type SkillSecret = z.infer<typeof SkillSecret>

/** How long and how much of earlier contents is kept for history alone; what was loaded or run stays beyond that. */
export const KEPT_DAYS = 90
export const KEPT_MB = 200

const TreeDigest = z.string().regex(/^[0-9a-f]{64}$/)

/** Contents that a copy was seen with. */
export const SkillVersion = z.object({
  digest: TreeDigest,
  /** Milliseconds since 1970. */
  seenAt: z.number(),
  how: z.enum(['page', 'disk', 'kept', 'saved', 'loaded', 'ran', 'restored']),
  /** The skill has them now. */
  isNow: z.boolean(),
  /** Null: only the digest is known. */
  kept: z.object({ files: z.number(), bytes: z.number() }).nullable(),
})
export type SkillVersion = z.infer<typeof SkillVersion>

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
  /** What it is now is kept first, and leads. */
  'skillPage.versions': call(SkillRef, z.array(SkillVersion)),
  /** The files that differ; both must be versions of this copy. */
  'skillPage.compare': call(
    SkillRef.extend({ before: TreeDigest, after: TreeDigest }),
    z.array(ComparedFile),
  ),
  /** Null: there is no such file, or it is no text. */
  'skillPage.versionText': call(
    SkillRef.extend({ digest: TreeDigest, path: z.string().max(4096) }),
    z.object({ text: z.string().nullable() }),
  ),
  /** Makes the files those of a version; `expected` is what was seen to be there now. Throws `stale`, `bad_input`. */
  'skillPage.restore': call(
    SkillRef.extend({ digest: TreeDigest, expected: TreeDigest }),
    z.object({ kept: z.string() }),
  ),
  'skillPage.scripts': call(SkillRef, SkillScripts),
  'skillPage.secrets': call(SkillRef, z.array(SkillSecret)),
  /** Gives a secret to the contents that were seen; it allows no run. Throws `stale`, `bad_input`, `not_found`. */
  'skillPage.grantSecret': call(
    SkillRef.extend({ name: SecretName, treeDigest: z.string().max(100) }),
    z.object({}),
  ),
}
