import type { ScanRow, SkillCache } from '../../db/skill-cache'
import { NONE } from './facts'
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
const FACTS_VERSION = 5

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
  return [{ path: skillMd, facts: JSON.stringify(packed(fresh ? NO_SIG : sig, facts)) }]
}

/** Values without their names, in the order in which `factsIn` reads them: a third of the time of a map's. */
function packed(sig: Sig, facts: SkillFacts): unknown[] {
  const { tokens } = facts
  return [
    FACTS_VERSION,
    ...sig,
    facts.name,
    facts.label,
    facts.description,
    thin(facts.tags),
    thin(facts.allowedTools),
    facts.author ?? null,
    facts.license ?? null,
    thin(facts.requires),
    facts.disableModelInvocation,
    facts.userInvocable,
    facts.priority,
    facts.availableTo,
    facts.broken,
    facts.brokenReason,
    tokens.catalogue,
    tokens.body,
    tokens.files,
    facts.scripts,
    facts.files,
    facts.problems,
    facts.hash,
    facts.tree,
    thin(facts.dirs),
    facts.dirMark,
    thin(facts.inside),
    thin(facts.needs),
    facts.changedAt,
    facts.byHand,
  ]
}

const LENGTH = 33

/** Null for what a damaged file could have changed; the version vouches for the rest. */
function keptIn(row: unknown): Kept | null {
  if (!Array.isArray(row) || row.length !== LENGTH || row[0] !== FACTS_VERSION) return null
  const values = row as unknown[]
  const sig = [values[1], values[2], values[3], values[4]] as [number, number, number, number]
  const facts = factsIn(values)
  const { name, description, hash, tokens } = facts
  if (typeof name !== 'string' || typeof description !== 'string' || typeof hash !== 'string') return null
  return typeof tokens.catalogue === 'number' ? { sig, facts } : null
}

function factsIn(row: readonly unknown[]): SkillFacts {
  return {
    name: row[5] as string,
    label: row[6] as string,
    description: row[7] as string,
    tags: full(row[8]),
    allowedTools: full(row[9]),
    author: (row[10] as string | null) ?? undefined,
    license: (row[11] as string | null) ?? undefined,
    requires: full(row[12]),
    disableModelInvocation: row[13] as boolean,
    userInvocable: row[14] as boolean,
    priority: row[15] as number,
    availableTo: row[16] as SkillFacts['availableTo'],
    broken: row[17] as boolean,
    byHand: row[32] as boolean,
    brokenReason: row[18] as string,
    tokens: { catalogue: row[19] as number, body: row[20] as number, files: row[21] as number },
    scripts: row[22] as number,
    files: row[23] as number,
    problems: row[24] as number,
    hash: row[25] as string,
    tree: row[26] as string,
    dirs: full(row[27]),
    dirMark: row[28] as string,
    inside: full(row[29]),
    needs: full(row[30]),
    changedAt: row[31] as number,
  }
}

function thin(list: readonly string[]): readonly string[] | 0 {
  return list.length === 0 ? 0 : list
}

function full(list: unknown): string[] {
  return Array.isArray(list) ? (list as string[]) : NONE
}

/** All rows are parsed at once, which is several times as fast; one by one where one is damaged. */
function readRows(rows: readonly (readonly [path: string, facts: string])[]): Map<string, Kept> {
  const lists = parseAll(rows.map((row) => row[1]))
  const kept = new Map<string, Kept>()
  for (let at = 0; at < rows.length; at++) {
    const found = keptIn(lists[at])
    if (found) kept.set(rows[at]![0], found)
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
