import type { SkillTotals } from '@shared/domain/skill'
import type { SkillEntry } from '../record'

/** Most skills that the catalogue names (`runtime.md` 1, R3). */
export const MAX_CATALOGUE = 50

/** What all skills that may be offered to an agent cost together, and how many of them the catalogue names. */
export function totalsOf(entries: readonly SkillEntry[]): Pick<SkillTotals, 'catalogue' | 'catalogueTokens'> {
  let wanted = 0
  let catalogueTokens = 0
  for (const { record, status } of entries) {
    if (status !== 'effective' || record.disableModelInvocation) continue
    wanted += 1
    catalogueTokens += record.tokens.catalogue
  }
  return { catalogueTokens, catalogue: { wanted, held: Math.min(wanted, MAX_CATALOGUE) } }
}
