import { z } from 'zod'
import { whyNotLocked } from './locked'
import { AbsolutePath, AskEntry, HostEntry, ScopeName, SkillRule, StrictRule, text } from './policy-entries'
import { plainWords } from './plain-words'
import { respelled, writtenAs } from './policy-spelling'
import type { Keys, Misfit, Written } from './policy-spelling'

/**
 * The policy file (`security.md` 4.2). It only tightens. What is not understood is not left out: it makes the file one
 * that can't be used.
 */
export const Policy = z.strictObject({
  version: z.literal(1, { error: whyNotVersion }),
  organisation: text.optional(),
  policy_version: text.optional(),
  tenant: text.optional(),
  environment: text.optional(),
  skills: z
    .strictObject({
      allow: z.array(SkillRule).optional(),
      block: z.array(SkillRule).optional(),
      sources: z.array(text).optional(),
      scopes_off: z.array(ScopeName).optional(),
      new_need_approval: z.boolean().optional(),
    })
    .optional(),
  require_approval_for: z.array(AskEntry).optional(),
  /** Kinds of requests that no answer is remembered for. */
  never_remember: z.array(AskEntry).optional(),
  /** Denying and asking rules; one that allows makes the file unusable. */
  rules: z.array(StrictRule).optional(),
  /** A request that nobody answers in this time expires; it is never allowed by time. */
  request_timeout_minutes: z.number().min(1).max(100_000).optional(),
  network: z.strictObject({ allow: z.array(HostEntry).optional() }).optional(),
  /** Ids or kinds of providers, or addresses, in which a star stands for anything. */
  providers: z.strictObject({ allow: z.array(text).optional() }).optional(),
  audit: z
    .strictObject({ write_to: AbsolutePath.optional(), retention_days: z.number().int().min(1).optional() })
    .optional(),
  /** Settings that the person can't change, by their names. */
  locked: z
    .record(z.string(), z.unknown())
    .superRefine((locked, context) => {
      for (const [name, value] of Object.entries(locked)) {
        const message = whyNotLocked(name, value)
        if (message !== null) context.addIssue({ code: 'custom', path: [name], message })
      }
    })
    .optional(),
})
export type Policy = z.infer<typeof Policy>

const SKILL_ENTRY: Keys = { name: null, digest: null, source: null }

/** All names of the file, in the spelling of `Policy`. */
const KEYS: Keys = {
  version: null,
  organisation: null,
  policy_version: null,
  tenant: null,
  environment: null,
  skills: {
    allow: SKILL_ENTRY,
    block: SKILL_ENTRY,
    sources: null,
    scopes_off: null,
    new_need_approval: null,
  },
  require_approval_for: null,
  never_remember: null,
  rules: {
    effect: null,
    shape: null,
    match: { tool: null, path: null, skill: null, key: null, words: null },
    reason: null,
  },
  request_timeout_minutes: null,
  network: { allow: null },
  providers: { allow: null },
  audit: { write_to: null, retention_days: null },
  locked: null,
  // S4's short form.
  skill_policy: { require_approval_for: null },
}

/** While a policy is there that nobody can read: everything asks, nothing is remembered. */
export const LOCKED_DOWN: Policy = {
  version: 1,
  require_approval_for: ['scripts', 'network-tools', 'file-write'],
  never_remember: ['everything'],
  network: { allow: [] },
}

/** What a file says. */
export interface PolicyRead {
  /** Null: a part of it is not understood. */
  policy: Policy | null
  /** Then the parts that are; null: none, or its version is another. */
  understood: Policy | null
  /** What is not understood, where, and what may have been meant. */
  notes: string[]
}

/**
 * Checks what was read from the file: keys in any usual spelling, also S4's `skill-policy: require-approval-for: [...]`.
 * `text` is the file as it is written, for the lines.
 */
export function policyFrom(value: unknown, text: string): PolicyRead {
  const written = writtenAs(text)
  const { value: named, misfits } = respelled(value, KEYS)
  const asked = withoutShortForm(named)
  const policy = Policy.safeParse(asked, { error: plainWords })
  const issues: Misfit[] = policy.error?.issues ?? []
  const twice = written.twice === null ? [] : [twiceNote(written.twice)]
  const notes = [...twice, ...[...misfits, ...issues].map((misfit) => noteOf(misfit, written))]
  if (policy.success && notes.length === 0) return { policy: policy.data, understood: null, notes }
  // What has no name is left out already.
  const bad = new Set(issues.map(({ path: [top] }) => top))
  const understood = written.twice === null ? partOf(asked, bad) : null
  return { policy: null, understood, notes: shortened(notes) }
}

/** The parts without a fault; each of them only tightens, so each may count alone. */
function partOf(value: unknown, bad: ReadonlySet<PropertyKey | undefined>): Policy | null {
  if (typeof value !== 'object' || value === null) return null
  const good = Object.entries(value).filter(([key]) => !bad.has(key))
  const part = Policy.safeParse(Object.fromEntries(good))
  return part.success ? part.data : null
}

function withoutShortForm(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('skill_policy' in value)) return value
  const { skill_policy: short, ...rest } = value as Record<string, unknown>
  const old = z.object({ require_approval_for: z.unknown() }).safeParse(short)
  if (!old.success) return value
  const more = rest['require_approval_for']
  const both = [more, old.data.require_approval_for].filter((list) => list !== undefined)
  return { version: 1, ...rest, require_approval_for: both.length === 1 ? both[0] : both.flat() }
}

function noteOf({ path, message }: Misfit, written: Written): string {
  const line = written.lineOf(path)
  const place = line === null ? '' : `, line ${line}`
  return `${path.map(String).join('.') || 'The file'}${place}: ${message.replace(/[.!?]?$/, (end) => end || '.')}`
}

function twiceNote(line: number): string {
  return `Line ${line}: This key stands there twice.`
}

const MAX_NOTES = 10

function shortened([first = '', ...more]: readonly string[]): string[] {
  const shown = more.slice(0, MAX_NOTES)
  const rest = more.length - shown.length
  return [
    `The policy is not used as it stands. ${first}`,
    ...shown,
    ...(rest > 0 ? [`And ${rest} more like these.`] : []),
  ]
}

function whyNotVersion({ input }: { input?: unknown }): string {
  return input === undefined
    ? 'It must say "version": 1.'
    : 'This Satchel understands version 1 only. A newer one may understand this file.'
}
