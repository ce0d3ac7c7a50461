import { useEffect, useState } from 'react'
import type { SkillList, SkillSummary } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { useArranging } from '../../arranging/arranging-store'
import { guarded } from '../../shell/actions'
import { withTypedKept } from '../../stores/drafts'
import { addSkillNotice, replaceSkill } from '../../stores/ui'
import { addressNow, addressOf, followSkill, formatSkillAddress } from './skill-address'
import type { SkillAddress } from './skill-address'
import { page } from './strings'

interface Shown {
  key: string
  name: string
}

/** The copy that an address means, as the list knows it. */
export interface Followed {
  skill: SkillSummary | undefined
  /** The one that was shown is gone from its place: whether it is at another one is not known yet. */
  isAsking: boolean
}

/**
 * The copy that an address means. One that got another name while its page was open, as by an edit, stays open; one
 * whose folder another program renamed or moved is followed, with what is typed in it.
 */
export function useFollowedSkill(address: SkillAddress, list: SkillList): Followed {
  const [shown, setShown] = useState<Shown | null>(null)
  const { isAsking, key } = useWhereNow(shown, address, list)
  const now = key === null ? undefined : list.skills.find((skill) => skill.key === key)
  const skill = now ?? followSkill(list.skills, address, shown)
  // One with another name is shown once the effect below has led to its address.
  const isShown = skill?.name === address.name
  if (!isAsking && skill && isShown && (shown?.key !== skill.key || shown.name !== skill.name)) {
    setShown({ key: skill.key, name: skill.name })
  }
  useEffect(() => {
    if (now) replaceSkill(formatSkillAddress(addressOf(now, list.skills, address.tab)))
    const renamed = !now && skill && addressNow(skill, list.skills, address)
    if (renamed) replaceSkill(formatSkillAddress(renamed))
  }, [now, skill, list, address])
  return { skill: isAsking ? undefined : skill, isAsking }
}

interface Answer {
  of: string
  list: SkillList
  key: string | null
}

/** Asks where the shown skill is once its key is in the list no more, unless it is led to from here. */
function useWhereNow(shown: Shown | null, address: SkillAddress, list: SkillList) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const isArranging = useArranging(({ dialog, awaited }) => dialog !== null || awaited !== null)
  const isLost = shown?.name === address.name && !list.skills.some(({ key }) => key === shown.key)
  const lost = isLost && !isArranging ? shown : null
  const known = answer !== null && answer.of === lost?.key && (answer.key !== null || answer.list === list)
  useEffect(() => {
    if (!lost || known) return
    const { key: of } = lost
    const tell = (key: string | null) => setAnswer({ of, list, key })
    void guarded(async () => tell(await whereNow(lost).catch(() => null))) // it is gone then
  }, [lost, known, list])
  return { isAsking: lost !== null && !known, key: known ? answer.key : null }
}

/** What is typed is kept before, and is where the skill is by then. */
async function whereNow({ key, name }: Shown): Promise<string | null> {
  const now = await withTypedKept(key, () => api.call('editor.follow', { key }))
  if (now.key === null) return null
  const folder = now.key.slice(now.key.lastIndexOf('/') + 1)
  addSkillNotice('info', page.followed(visibleLine(name), visibleLine(folder)), now.key)
  return now.key
}
