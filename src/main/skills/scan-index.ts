import type { ScanRow, SkillCache } from '../db/skill-cache'
import type { SkillFacts } from './facts'
import { recallFacts } from './scan'
import type { Skill } from './scan-state'
import { NO_SIG, sameSig } from './stat-sig'
import type { Sig } from './stat-sig'

/** Facts of earlier starts, by SKILL.md. */
export interface ScanIndex {
  /** True when something is kept of this file. */
  has(skillMd: string): boolean
  /** Gives the skill what is kept of a file with these times; false when nothing is. */
  recall(skill: Skill, sig: Sig): boolean
  /** To be kept at the next `save`. */
  keep(skill: Skill): void
  forget(skillMd: string): void
  /** `gone` tells of kept paths that were not met whether they can be thrown away. */
  save(gone: (skillMd: string) => boolean): void
  close(): void
}

/** Raised when the parser or the facts change, so that what older versions found is read again. */
const FACTS_VERSION = 1

interface Kept {
  sig: Sig
  facts: SkillFacts
}

export function createScanIndex(cache: SkillCache): ScanIndex {
  /** What was loaded and not asked for yet. */
  const kept = readRows(cache.load())
  const put = new Map<string, Skill>()
  const remove = new Set<string>()
  return {
    has: (skillMd) => kept.has(skillMd),
    recall(skill, sig) {
      const known = kept.get(skill.skillMd!)
      if (!known) return false
      kept.delete(skill.skillMd!)
      if (!sameSig(known.sig, sig)) return false
      recallFacts(skill, known.facts)
      return true
    },
    keep(skill) {
      if (skill.skillMd === null || skill.linked) return
      put.set(skill.skillMd, skill)
      remove.delete(skill.skillMd)
    },
    forget(skillMd) {
      put.delete(skillMd)
      remove.add(skillMd)
    },
    save(gone) {
      for (const path of kept.keys()) {
        if (gone(path) && !put.has(path)) remove.add(path)
      }
      cache.save({ put: [...put.values()].flatMap(rowOf), remove: [...remove] })
      for (const path of remove) kept.delete(path)
      put.clear()
      remove.clear()
    },
    close: () => cache.close(),
  }
}

/** What was read too soon after a change is kept with times that fit nothing, so that it is read once more. */
function rowOf({ skillMd, sig, fresh, facts, known }: Skill): ScanRow[] {
  if (skillMd === null || sig === null || facts === null || known === 'front') return []
  return [{ path: skillMd, stamp: stampOf(fresh ? NO_SIG : sig), facts: JSON.stringify(facts) }]
}

function stampOf(sig: Sig): string {
  return JSON.stringify([FACTS_VERSION, ...sig])
}

/** All rows are parsed at once, which is several times as fast; one by one where one is damaged. */
function readRows(rows: readonly ScanRow[]): Map<string, Kept> {
  const facts = parseAll(rows.map((row) => row.facts))
  const stamps = parseAll(rows.map((row) => row.stamp))
  const kept = new Map<string, Kept>()
  for (const [at, { path }] of rows.entries()) {
    const [found, stamp] = [facts[at], stamps[at]]
    if (isFacts(found) && isStamp(stamp)) {
      kept.set(path, { facts: found, sig: [stamp[1], stamp[2], stamp[3], stamp[4]] })
    }
  }
  return kept
}

function parseAll(texts: readonly string[]): unknown[] {
  try {
    return JSON.parse(`[${texts.join(',')}]`) as unknown[]
  } catch {
    return texts.map(parseOne)
  }
}

function parseOne(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null // damaged: read from the skill again
  }
}

function isStamp(value: unknown): value is [number, number, number, number, number] {
  return Array.isArray(value) && value.length === 5 && value[0] === FACTS_VERSION
}

/** Only what a damaged file could have changed: the version vouches for the rest. */
function isFacts(value: unknown): value is SkillFacts {
  const facts = value as Partial<Record<keyof SkillFacts, unknown>> | null
  return (
    typeof facts === 'object' &&
    facts !== null &&
    typeof facts.name === 'string' &&
    typeof facts.description === 'string' &&
    typeof facts.hash === 'string' &&
    Array.isArray(facts.dirs) &&
    Array.isArray(facts.inside) &&
    Array.isArray(facts.needs) &&
    typeof facts.tokens === 'object'
  )
}
