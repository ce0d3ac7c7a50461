import type { SkillSummary } from '@shared/domain/skill'
import { goTo, replaceSkill } from '../../stores/ui'
import { selectSkill } from '../tree/skills-place'
import { addressOf, formatSkillAddress } from './skill-address'
import type { PageTab, SkillAddress } from './skill-address'

/** The part of each page that was in front last, by key; for as long as the window lives. */
const lastTabs = new Map<string, PageTab>()

/** Opens the page of a skill: this part of it, or the one of last time. */
export function openSkillPage(skill: SkillSummary, list: readonly SkillSummary[], tab?: PageTab): void {
  selectSkill(skill.key)
  const address = addressOf(skill, list, tab ?? lastTabs.get(skill.key) ?? 'overview')
  goTo({ area: 'skills', skill: formatSkillAddress(address) })
}

/** Another part of the page that is open: no step to go back to. */
export function showTab(key: string, address: SkillAddress, tab: PageTab): void {
  lastTabs.set(key, tab)
  const { scope, name, copy } = address
  replaceSkill(formatSkillAddress({ scope, name, ...(copy === undefined ? {} : { copy }), tab }))
}

/** A file of the skill whose page is open; Back leads to where the person was. */
export function showFile(of: SkillAddress, file: string, line?: number, anchor?: string): void {
  const { scope, name, copy } = of
  const place = {
    ...(copy === undefined ? {} : { copy }),
    ...(line === undefined ? {} : { line }),
    ...(anchor ? { anchor } : {}),
  }
  goTo({ skill: formatSkillAddress({ scope, name, tab: 'files', file, ...place }) })
}

/** A script of the skill whose page is open, and a line of it. */
export function showScript({ scope, name, copy }: SkillAddress, file: string, line?: number): void {
  const place = { ...(copy === undefined ? {} : { copy }), ...(line === undefined ? {} : { line }) }
  replaceSkill(formatSkillAddress({ scope, name, tab: 'scripts', file, ...place }))
}

/** Back to the list. */
export function closeSkillPage(): void {
  goTo({ skill: null })
}
