import type { TrustReview } from '@shared/domain/skill'
import { foldName } from '@shared/skill-md/skill-name'
import { isScriptFile } from '../scan/facts'
import { resolvePrecedence } from './precedence'
import type { PrecedenceRules } from './precedence'
import { readStart } from '../store/safe-read'
import type { SkillEntry, SkillRecord } from '../record'
import { listTree } from '../store/tree'

export interface TrustReviewInput {
  /** The project's folder as it was opened. */
  dir: string
  /** Every copy; those of other projects are left out. */
  records: readonly SkillRecord[]
  /** As they hold for the project now; its own copies are judged as untrusted and as trusted. */
  rules: PrecedenceRules
  /** Paths of a skill's scripts; `scriptPaths` reads them from disk. */
  scriptsOf(record: SkillRecord): string[]
}

const MAX_FILES = 2000
const HEAD = 256

/**
 * What trusting a folder would change (F6): each of its skills with its scripts, what it would be then, and the copy that
 * would not be used any more. Pure but for `scriptsOf`: compares two resolutions of the same copies.
 */
export function trustReview({ dir, records, rules, scriptsOf }: TrustReviewInput): TrustReview {
  const seen = records.filter(({ projectDir }) => projectDir === null || projectDir === dir)
  const now = usedByName(resolvePrecedence(seen, withTrust(rules, dir, false)))
  const then = resolvePrecedence(seen, withTrust(rules, dir, true))
  return {
    dir,
    skills: then
      .filter(({ record }) => record.projectDir === dir)
      .map((entry) => ({ ...reviewed(entry, scriptsOf), ...replaced(entry, now) })),
  }
}

/** The scripts of a skill on disk, by the table of interpreters (`product.md`, decision 12), in path order. */
export function scriptPaths({ rootDir, unread }: SkillRecord): string[] {
  if (unread) return []
  const { files } = listTree(rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  return files.filter(({ path, real }) => isScript(path, real)).map(({ path }) => path)
}

function withTrust(rules: PrecedenceRules, dir: string, trusted: boolean): PrecedenceRules {
  return {
    ...rules,
    trusted: (record) => (record.projectDir === dir ? trusted : rules.trusted(record)),
  }
}

type Reviewed = TrustReview['skills'][number]

function reviewed({ record, status }: SkillEntry, scriptsOf: TrustReviewInput['scriptsOf']): Reviewed {
  const { key, name, description, location, problems } = record
  const scripts = scriptsOf(record)
  return { key, name, description, location, scripts, problems, becomes: status }
}

function replaced({ record, status }: SkillEntry, now: Map<string, SkillRecord>): Pick<Reviewed, 'replaces'> {
  const used = now.get(foldName(record.name))
  if (status !== 'effective' || !used) return {}
  return { replaces: { scope: used.scope, location: used.location } }
}

function usedByName(entries: readonly SkillEntry[]): Map<string, SkillRecord> {
  const used = entries.filter(({ status }) => status === 'effective')
  return new Map(used.map(({ record }) => [foldName(record.name), record]))
}

function isScript(path: string, real: string): boolean {
  try {
    const head = readStart(real, HEAD)
    return !head.includes(0) && isScriptFile(path, head)
  } catch {
    return false // gone since it was listed
  }
}
