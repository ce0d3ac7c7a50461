import { z } from 'zod'

/** Where a skill comes from, in the decided order (`product.md`, decision 1). */
export const Scope = z.enum(['enterprise', 'personal', 'project', 'plugin', 'bundled', 'shared'])
export type Scope = z.infer<typeof Scope>

export const Severity = z.enum(['error', 'warning', 'info'])

/** A problem of a skill, as data: skills never break discovery (`format.md` 5). Lines and columns count from 1. */
export const Diagnostic = z.object({
  code: z.string(),
  severity: Severity,
  message: z.string(),
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
  /** Path inside the skill, with /; SKILL.md when absent. */
  file: z.string().optional(),
  /** What to do, in one sentence. */
  fix: z.string().optional(),
})
export type Diagnostic = z.infer<typeof Diagnostic>

/**
 * `off`: by the person, here or everywhere. `unavailable`: its `scope.*` names another tenant, environment or agent, or
 * a policy forbids it. `broken`: shown with the reason, never in a catalogue. `not-trusted`: inert until the project is
 * trusted.
 */
export const SkillStatus = z.enum(['effective', 'shadowed', 'off', 'unavailable', 'broken', 'not-trusted'])
export type SkillStatus = z.infer<typeof SkillStatus>

/** Token counts on three levels (F9), estimated (`src/shared/tokens.ts`). */
export const TokenCosts = z.object({
  catalogue: z.number().int().nonnegative(),
  body: z.number().int().nonnegative(),
  files: z.number().int().nonnegative(),
})
export type TokenCosts = z.infer<typeof TokenCosts>

export const SkillSummary = z.object({
  /** `scope:realpath`, the identity of this copy. */
  key: z.string(),
  /** The handle: what people and models call it by. */
  name: z.string(),
  description: z.string(),
  scope: Scope,
  /** For display: starts at ~ or at the project. */
  location: z.string(),
  status: SkillStatus,
  /** Why it has this status, one sentence; empty when effective. */
  statusReason: z.string(),
  /** It is the organisation's policy that makes it unavailable. */
  byPolicy: z.boolean().optional(),
  /** Broken for agents only: a person may call it. */
  byHand: z.boolean().optional(),
  shadowedBy: Scope.optional(),
  tokens: TokenCosts,
  scripts: z.number().int().nonnegative(),
  files: z.number().int().nonnegative(),
  problems: z.number().int().nonnegative(),
  /** Milliseconds since 1970 of SKILL.md. */
  changedAt: z.number(),
  hiddenFromModel: z.boolean(),
  userInvocable: z.boolean(),
  /** As the frontmatter writes it, where that differs from the handle; else empty. */
  label: z.string(),
  tags: z.array(z.string()),
  /** `allowed-tools`, one entry each. */
  tools: z.array(z.string()),
  author: z.string().optional(),
  license: z.string().optional(),
  /** Name of the plugin it belongs to; `name@package` calls this copy. */
  package: z.string().optional(),
  /** Name of the tool whose folder it lies in: "Claude Code". */
  tool: z.string().optional(),
  /** Satchel writes nothing there: bundled, enterprise and plugin copies, folders of other tools. */
  readOnly: z.boolean(),
  /** Key of the skill whose folder it lies in: shown below it, in no catalogue. */
  parent: z.string().optional(),
  /** The person chose this copy for the project. */
  pinned: z.boolean(),
})
export type SkillSummary = z.infer<typeof SkillSummary>

export const SkillFile = z.object({
  /** Relative to the skill, with /. */
  path: z.string(),
  size: z.number().int().nonnegative(),
  /** A file whose interpreter is in the table (`product.md`, decision 12). */
  isScript: z.boolean(),
})
export type SkillFile = z.infer<typeof SkillFile>

/** One copy among those with the same name; the first is used. */
export const SkillCopy = z.object({
  key: z.string(),
  scope: Scope,
  location: z.string(),
  used: z.boolean(),
})
export type SkillCopy = z.infer<typeof SkillCopy>

export const SkillDetail = SkillSummary.extend({
  body: z.string(),
  /** Every key of the frontmatter as it stands, unknown ones included; values as text for display. */
  frontmatter: z.array(z.object({ key: z.string(), value: z.string() })),
  license: z.string().optional(),
  /** Remote, branch and commit of the checkout that it comes from. */
  origin: z.string().optional(),
  allowedTools: z.array(z.string()),
  diagnostics: z.array(Diagnostic),
  fileList: z.array(SkillFile),
  /** True when `fileList` was cut at 200 entries. */
  fileListCut: z.boolean(),
  treeDigest: z.string(),
  /** Set when none of its scripts can run: a link leaves the skill, or a special file. */
  scriptsBlocked: z.string().optional(),
  copies: z.array(SkillCopy),
})
export type SkillDetail = z.infer<typeof SkillDetail>

/** A folder that is searched for skills, with what was found there. */
export const SkillRoot = z.object({
  scope: Scope,
  location: z.string(),
  /** Name of the tool whose folder it is, or of the plugin. */
  tool: z.string().optional(),
  /** Id of that tool, by which a person lets Satchel write in its folder; plugins have none. */
  toolId: z.string().optional(),
  readOnly: z.boolean(),
  state: z.enum(['found', 'missing', 'empty', 'unreadable', 'not-trusted']),
  skills: z.number().int().nonnegative(),
  /** Why it could not be read, or that live updates are off. */
  note: z.string().optional(),
})
export type SkillRoot = z.infer<typeof SkillRoot>

/** What is told of all skills at once. */
export const SkillTotals = z.object({
  roots: z.array(SkillRoot),
  /** Milliseconds of the last scan. */
  scanMs: z.number(),
  catalogueTokens: z.number().int().nonnegative(),
  /** Skills that could be in the catalogue, and how many it holds (R3). */
  catalogue: z.object({ wanted: z.number().int(), held: z.number().int() }),
})
export type SkillTotals = z.infer<typeof SkillTotals>

/**
 * A part of the list as seen from one project. The first parts bring every copy, later ones what changed; `rows` replace
 * those with the same key. A part stays under 256 kB.
 */
export const SkillChanges = z.object({
  rows: z.array(SkillSummary),
  removed: z.array(z.string()),
  /** Set on the last part of a change: what the page holds is complete again. */
  totals: SkillTotals.optional(),
})
export type SkillChanges = z.infer<typeof SkillChanges>

/** The whole list, as a page puts it together from its changes: by name, the used copy first. */
export interface SkillList extends SkillTotals {
  skills: SkillSummary[]
}

/** What a search found, best first. `snippet` marks the words by U+E000 and U+E001. */
export const SkillHit = z.object({
  key: z.string(),
  where: z.enum(['name', 'description', 'tags', 'body', 'file']),
  /** Path inside the skill, for `file`. */
  file: z.string().optional(),
  snippet: z.string(),
})
export type SkillHit = z.infer<typeof SkillHit>

/** Each part of `SkillUse.runs` is so many days long. */
export const USE_PART_DAYS = 3
export const USE_PARTS = 10

/** How often one copy was used, by the record: a loaded skill and a started run count, whatever came of them. */
export const SkillUse = z.object({
  key: z.string(),
  /** Ever. */
  loads: z.number().int().nonnegative(),
  /** Runs of its scripts in the last 30 days, the oldest three days first. */
  runs: z.array(z.number().int().nonnegative()),
})
export type SkillUse = z.infer<typeof SkillUse>

/** What is in the catalogue of the next call of a chat, or of a new one; nothing in it is worked out by the page. */
export const SkillCatalogue = z.object({
  /** The agent whose catalogue it is. */
  agent: z.string(),
  entries: z.number().int().nonnegative(),
  /** Skills that the agent may load and that are left out. */
  omitted: z.number().int().nonnegative(),
  tokens: z.number().int().nonnegative(),
  /** How much of the descriptions is written. */
  descriptions: z.enum(['full', 'sentence', 'short', 'none']),
  /** Names, each with what spoke for it: `fits`, `always-on`, `pinned`, `recent`, `relevant`, `name`. */
  shown: z.array(z.object({ name: z.string(), why: z.string() })),
  /** Why others are left out: `over-count`, `over-budget`, `style`; null: none is. */
  leftBy: z.string().nullable(),
  /** Names of effective skills that this agent does not see at all; at most 500. */
  unseen: z.array(z.string()),
})
export type SkillCatalogue = z.infer<typeof SkillCatalogue>

/** A file of two copies that are compared. */
export const ComparedFile = z.object({
  /** Relative to the skill, with /. */
  path: z.string(),
  /** `mode`: the same bytes, and only one of them may be executed. `not-compared`: too large, or it can't be read. */
  state: z.enum(['same', 'differs', 'mode', 'left-only', 'right-only', 'not-compared']),
})
export type ComparedFile = z.infer<typeof ComparedFile>

/** What trusting a project would change, for the decision (F6). */
export const TrustReview = z.object({
  dir: z.string(),
  skills: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      description: z.string(),
      location: z.string(),
      scripts: z.array(z.string()),
      problems: z.number().int().nonnegative(),
      /** The copy that is used now and would not be used any more. */
      replaces: z.object({ scope: Scope, location: z.string() }).optional(),
      /** What it will be once the folder is trusted. */
      becomes: SkillStatus,
    }),
  ),
})
export type TrustReview = z.infer<typeof TrustReview>
