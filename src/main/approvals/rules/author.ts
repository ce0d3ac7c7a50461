import type { Authored } from '@shared/domain/editing'
import type { Rule, RuleDraft } from '@shared/domain/rule'
import { AppError } from '@shared/errors'
import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import { listRules, updateRule } from '../../db/rule-rows'
import { sentenceOf, type Rules } from './rules'

/**
 * *I'm editing this skill* (`ux.md` 11): a rule like any other, which denies, questions, serious findings, the policy and
 * the mode of a chat come before. It covers scripts whose bytes were saved in the editor, where the person saved or
 * allowed every other file too, and ends with any change from elsewhere (decision 41).
 */
export interface AuthorMode {
  list(): Authored[]
  /** `base`: tree digest of now, which is not covered. */
  start(skill: { key: string; name: string }, base: string): void
  stop(key: string): void
  /** The editor changed the skill. */
  saved(key: string, change: AuthoredChange): void
  /** What is on disk; null: it can't be told. */
  seen(key: string, digest: string | null): void
}

export interface AuthoredChange {
  /** Tree digests; null: it can't be told. */
  before: string | null
  after: string | null
  /** Nobody else changed anything meanwhile. */
  isOwn: boolean
  /** Digest of the file whose text the person saved; null: none was. */
  saved: string | null
  /** What the skill is now; null: this change vouches for nothing. */
  files: readonly AuthoredFile[] | null
  /** Digests of files that the person allowed in a review of this skill. */
  allowed: ReadonlySet<string>
}

export interface AuthoredFile {
  path: string
  size: number
  sha256: string
  executable: boolean
}

interface Context {
  db: Db
  audit: Audit
  rules: Pick<Rules, 'add'>
  /** What is on is another than before. */
  changed(): void
  now(): number
}

const LASTS_MS = 60 * 60 * 1000

export function createAuthorMode(deps: Context): AuthorMode {
  return {
    list: () =>
      active(deps).map(({ match, expiresAt }) => ({
        key: match.key,
        name: match.skill,
        until: expiresAt ?? 0,
      })),
    start: (skill, base) => start(deps, skill, base),
    stop: (key) => end(deps, key, null),
    saved: (key, change) => saved(deps, key, change),
    seen(key, digest) {
      const rule = active(deps).find(({ match }) => match.key === key)
      if (rule && !isKnown(rule, digest)) end(deps, key, CHANGED)
    },
  }
}

type AuthorRule = Rule & { match: Extract<Rule['match'], { shape: 'author' }> }

const CHANGED = 'The skill was changed, and not in the editor.'

function active({ db, now }: Context): AuthorRule[] {
  return listRules(db.sql).rules.filter(
    (rule): rule is AuthorRule =>
      rule.match.shape === 'author' && rule.state === 'on' && (rule.expiresAt ?? 0) > now(),
  )
}

function isKnown({ match }: AuthorRule, digest: string | null): boolean {
  return digest !== null && (digest === match.base || match.digests.includes(digest))
}

function start(deps: Context, { key, name }: { key: string; name: string }, base: string): void {
  if (base === '')
    throw new AppError('bad_input', 'This skill can not be read whole, so its scripts can not run.')
  const draft: RuleDraft = {
    effect: 'allow',
    match: { shape: 'author', skill: name, key, base, digests: [], saved: [], covered: [] },
    agent: null,
    project: null,
    lifetime: 'always',
    chatId: null,
    expiresAt: deps.now() + LASTS_MS,
    example: null,
  }
  end(deps, key, null)
  deps.db.durable(() => deps.rules.add(draft, null))
  deps.changed()
}

/** `why`: what ended it; null: the person. */
function end(deps: Context, key: string, why: string | null): void {
  const { db, audit } = deps
  const ended = active(deps).filter(({ match }) => match.key === key)
  if (ended.length === 0) return
  db.durable(() => {
    for (const rule of ended) {
      updateRule(db.sql, { ...rule, state: 'revoked' })
      audit.append({
        actor: why === null ? 'person' : 'app',
        action: 'rule.revoked',
        sessionId: null,
        target: sentenceOf(rule),
        data: { ruleId: rule.id, skill: rule.match.skill, ...(why === null ? {} : { why }) },
      })
    }
  })
  deps.changed()
}

function saved(deps: Context, key: string, change: AuthoredChange): void {
  const { before, after, isOwn } = change
  const rule = active(deps).find(({ match }) => match.key === key)
  if (!rule) return
  if (!isOwn || after === null || !isKnown(rule, before)) return end(deps, key, CHANGED)
  const saved = added(rule.match.saved, change.saved)
  const isCovered = isVouchedFor(change, new Set(saved))
  const match = {
    ...rule.match,
    saved,
    digests: added(rule.match.digests, after),
    covered: added(rule.match.covered, isCovered ? after : null),
  }
  deps.db.durable(() => updateRule(deps.db.sql, { ...rule, match }))
}

function added(digests: readonly string[], digest: string | null): string[] {
  return digest === null ? [...digests] : [...digests.filter((one) => one !== digest), digest].slice(-1000)
}

/** Whether the person saved in the editor, or allowed before, whatever a script of the skill could use. */
function isVouchedFor({ files, allowed }: AuthoredChange, saved: ReadonlySet<string>): boolean {
  return (
    files !== null &&
    files.every((file) => isNoCode(file) || saved.has(file.sha256) || allowed.has(file.sha256))
  )
}

/** Anything but Markdown counts as code: a script may read or import it under every name. */
function isNoCode({ path, size, executable }: AuthoredFile): boolean {
  return size === 0 || (!executable && /\.(?:md|markdown)$/i.test(path))
}
