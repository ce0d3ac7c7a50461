import { z } from 'zod'
import { RequestPlan } from './approval'
import { ArgScope, RuleDays } from './arg-scope'
import { Sha256 } from './file-change'

/**
 * What a rule is about. An allowing one names the fingerprint of everything that is executed and nothing wider; those
 * that deny or ask name a script, a skill, the first words of a command, or a tool (`approvals.md` 8).
 */
export const RuleMatch = z.discriminatedUnion('shape', [
  z.object({ shape: z.literal('exact'), fingerprint: Sha256 }),
  z.object({ shape: z.literal('flags'), fingerprint: Sha256 }),
  z.object({ shape: z.literal('anyArgs'), fingerprint: Sha256 }),
  /** Whatever its contents; without a key every skill of that name. */
  z.object({
    shape: z.literal('script'),
    skill: z.string().min(1).max(200),
    key: z.string().max(5000).optional(),
    path: z.string().min(1).max(4096),
  }),
  z.object({
    shape: z.literal('skill'),
    skill: z.string().min(1).max(200),
    key: z.string().max(5000).optional(),
  }),
  /** Whole words that any part of a command begins with. */
  z.object({ shape: z.literal('command'), words: z.array(z.string().min(1).max(500)).min(1).max(20) }),
  /** `Bash`, `Write`, `skills_run_script`, `mcp__server__tool`, `mcp__server`; for files also where. */
  z.object({
    shape: z.literal('tool'),
    tool: z.string().min(1).max(200),
    path: z.string().min(1).max(4096).optional(),
  }),
  /** *I'm editing this skill*: scripts whose own bytes were saved in the editor since then, and no others. */
  z.object({
    shape: z.literal('author'),
    skill: z.string().min(1).max(200),
    key: z.string().max(5000),
    /** Tree digest when it began: not covered, and no change from outside either. */
    base: Sha256,
    /** Tree digests that the editor made: no change from outside. */
    digests: z.array(Sha256).max(1000),
    /** Digests of the files that were saved in the editor since it began: one of them is the script of a run. */
    saved: z.array(Sha256).max(1000).default([]),
    /** Those of `digests` in which the person saved, or allowed before, every file that a script could use. */
    covered: z.array(Sha256).max(1000).default([]),
  }),
])
export type RuleMatch = z.infer<typeof RuleMatch>

export const RuleEffect = z.enum(['allow', 'ask', 'deny'])
export type RuleEffect = z.infer<typeof RuleEffect>

/** For whom and how long; null: for every agent, or everywhere. A project of null is a chat without one. */
export const RuleScope = z.object({
  agent: z.object({ key: z.string(), label: z.string() }).nullable(),
  project: z.object({ dir: z.string().nullable() }).nullable(),
  lifetime: z.enum(['chat', 'always']),
  /** The chat that it belongs to; null with `always`. */
  chatId: z.string().nullable(),
  /** Milliseconds since 1970; null: never. */
  expiresAt: z.number().nullable(),
})
export type RuleScope = z.infer<typeof RuleScope>

/** A person's decision that is used again (`approvals.md` 8). */
export const Rule = RuleScope.extend({
  id: z.string(),
  effect: RuleEffect,
  match: RuleMatch,
  state: z.enum(['on', 'off', 'revoked']),
  /** A rule of a project's file or of the policy has no row of its own. */
  origin: z.enum(['own', 'project', 'policy']),
  createdAt: z.number(),
  /** The request in whose review it was made. */
  createdFrom: z.string().nullable(),
  lastUsedAt: z.number().nullable(),
  useCount: z.number().int().nonnegative(),
  justification: z.string().max(500).nullable(),
  /**
   * The request that it was made from: what an allowing rule says is read from here, and at every start the rule must
   * match it and none of its hostile variants.
   */
  example: RequestPlan.nullable(),
})
export type Rule = z.infer<typeof Rule>

/** What a rule says before it is saved. */
export type RuleDraft = Pick<Rule, keyof RuleScope | 'effect' | 'match' | 'example'>

/** A rule as Approvals shows it. */
export const RuleView = Rule.extend({
  /** Why it can't be relied on; it is turned off then. */
  problem: z.string().nullable(),
  /** Title of its chat, where it is for one. */
  chatTitle: z.string().nullable(),
  /** Which arguments its request may leave open; empty where none can be chosen. */
  argScopes: z.array(ArgScope),
})
export type RuleView = z.infer<typeof RuleView>

/** What Approvals, Rules shows. */
export const RuleList = z.object({
  rules: z.array(RuleView),
  /** Files of projects that could not be used, rules that can't be read: one sentence each. */
  notes: z.array(z.string()),
})
export type RuleList = z.infer<typeof RuleList>

/** A change of a rule by a person. Left out: as it is. */
export const RuleChange = z.object({
  id: z.string().max(100),
  state: z.enum(['on', 'off', 'revoked']).optional(),
  args: ArgScope.optional(),
  days: RuleDays.optional(),
})
export type RuleChange = z.infer<typeof RuleChange>

/** A rule that denies or asks, made by hand. */
export const NewRule = z.object({
  effect: z.enum(['ask', 'deny']),
  match: RuleMatch,
  /** Of this project; null: of all. */
  projectDir: z.string().max(4096).nullable(),
})
export type NewRule = z.infer<typeof NewRule>

/** A rule of a file that a person would import, before anything is saved. */
export const FileRule = z.object({
  /** What it says, as one sentence. */
  text: z.string(),
  effect: RuleEffect,
  /** Why it is not taken; null: it can be. */
  problem: z.string().nullable(),
  /** Of the last requests, how many it would have matched. */
  matched: z.number().int().nonnegative(),
  of: z.number().int().nonnegative(),
})
export type FileRule = z.infer<typeof FileRule>
