import { useEffect, useMemo, useState } from 'react'
import type { SkillCatalogue, SkillList, SkillSummary } from '@shared/domain/skill'
import { api } from '../api'
import { useSessions } from '../stores/sessions'
import { useUi } from '../stores/ui'
import { library } from './library-strings'
import { listWords } from './list/list-strings'

/** What the agent of the current chat is told of all skills; null while it is not known. Asked again when it may differ. */
export function useCatalogue(list: SkillList | undefined, projectDir: string | null): SkillCatalogue | null {
  const chatId = useUi((state) => state.chatId)
  const told = useSessions((state) => {
    const detail = state.chat?.detail
    return detail ? JSON.stringify([detail.id, detail.catalogue, detail.agent.name, detail.model]) : ''
  })
  const [answer, setAnswer] = useState<{ projectDir: string | null; value: SkillCatalogue } | null>(null)
  const skills = list?.skills
  useEffect(() => {
    if (!skills) return undefined
    let current = true
    api.call('skills.catalogue', { projectDir, sessionId: chatId }).then(
      (value) => current && setAnswer({ projectDir, value }),
      () => undefined, // nothing is said of the catalogue until the next change asks again
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what the chat was told differs: ask again
  }, [skills, projectDir, chatId, told])
  return answer && answer.projectDir === projectDir ? answer.value : null
}

/** Whether a name has a place in the catalogue, and why not. */
export interface Outside {
  /** Empty: it is in the catalogue, or nothing is known. */
  reason(name: string): string
}

/** Only for copies that are used and not hidden from agents. */
export function useOutside(catalogue: SkillCatalogue | null): Outside {
  return useMemo(() => outsideOf(catalogue), [catalogue])
}

export function outsideOf(catalogue: SkillCatalogue | null): Outside {
  if (!catalogue) return { reason: () => '' }
  const shown = new Set(catalogue.shown.map(({ name }) => name))
  const unseen = new Set(catalogue.unseen)
  const { agent, entries, omitted } = catalogue
  const left = omitted > 0 ? library.outsideReason(entries, entries + omitted) : ''
  return {
    reason(name) {
      if (shown.has(name)) return ''
      return unseen.has(name) ? library.unseenReason(agent) : left
    },
  }
}

/** Why this copy is not in the catalogue; empty: it is, or no agent is told of it anyway. */
export function outsideReason(
  { status, hiddenFromModel, name }: Pick<SkillSummary, 'status' | 'hiddenFromModel' | 'name'>,
  outside: Outside,
): string {
  return status === 'effective' && !hiddenFromModel ? outside.reason(name) : ''
}

/** How the entries were chosen, as sentences: what spoke for them, and what was shortened. */
export function ruleWords({ agent, shown, leftBy, descriptions }: SkillCatalogue): string {
  if (leftBy === 'style') return library.styleListsNone(agent)
  const counts = new Map<string, number>()
  for (const { why } of shown) counts.set(why, (counts.get(why) ?? 0) + 1)
  const parts = RULES.flatMap(([why, words]) => {
    const count = counts.get(why)
    return count === undefined ? [] : [`${count} ${words}`]
  })
  const chosen = parts.length > 0 ? listWords.catalogueChoice.chosen(parts.join(', ')) : ''
  const budget = leftBy === 'over-budget' ? library.overBudget : ''
  return [chosen, budget, library.shortened[descriptions], library.othersByName].filter(Boolean).join(' ')
}

const RULES: readonly (readonly [why: string, words: string])[] = [
  ['always-on', listWords.catalogueChoice.alwaysOn],
  ['pinned', 'pinned'],
  ['recent', listWords.catalogueChoice.usedInThisChat],
  ['relevant', listWords.catalogueChoice.nearestToYourLast],
  ['name', listWords.catalogueChoice.byName],
]
