import type { Scope, SkillChanges, SkillList, SkillSummary } from '@shared/domain/skill'
import { foldName } from '@shared/skill-md/skill-name'

/** The rows of one view while its parts arrive. Changed in place; the lists that it gives are never changed again. */
export interface SkillRows {
  byKey: Map<string, SkillSummary>
  /** As of the last complete list. */
  sorted: SkillSummary[]
  /** Keys that came or went since then. */
  touched: Set<string>
}

export function emptyRows(): SkillRows {
  return { byKey: new Map(), sorted: [], touched: new Set() }
}

/**
 * Takes one part in. The list when the part completes it (it brings `totals`), else null. Rows that did not change stay
 * the same objects, and so does the whole array when none did.
 */
export function takePart(rows: SkillRows, part: SkillChanges): SkillList | null {
  for (const key of part.removed) {
    if (rows.byKey.delete(key)) rows.touched.add(key)
  }
  for (const row of part.rows) {
    rows.byKey.set(row.key, row)
    rows.touched.add(row.key)
  }
  if (!part.totals) return null
  if (rows.touched.size > 0) rows.sorted = withTouched(rows)
  rows.touched.clear()
  return { ...part.totals, skills: rows.sorted }
}

/** By name, the used copy first, then in the order of the scopes: total, so that every page shows the same. */
export function compareRows(a: SkillSummary, b: SkillSummary): number {
  return (
    byText(foldName(a.name), foldName(b.name)) ||
    Number(a.status !== 'effective') - Number(b.status !== 'effective') ||
    SCOPE_RANK[a.scope] - SCOPE_RANK[b.scope] ||
    byText(a.location, b.location) ||
    byText(a.key, b.key)
  )
}

const SCOPE_RANK: Record<Scope, number> = {
  enterprise: 0,
  personal: 1,
  project: 2,
  shared: 3,
  plugin: 4,
  bundled: 5,
}

/** What stayed is in order already: only what is new is sorted, then both are merged. */
function withTouched({ sorted, touched, byKey }: SkillRows): SkillSummary[] {
  const stayed = sorted.filter((row) => !touched.has(row.key))
  const fresh = [...touched].flatMap((key) => byKey.get(key) ?? []).sort(compareRows)
  if (stayed.length === 0) return fresh
  const merged: SkillSummary[] = []
  let at = 0
  for (const row of fresh) {
    for (let next = stayed[at]; next && compareRows(next, row) < 0; next = stayed[at]) {
      merged.push(next)
      at += 1
    }
    merged.push(row)
  }
  return merged.concat(stayed.slice(at))
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
