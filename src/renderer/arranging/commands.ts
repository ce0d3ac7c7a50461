import type { SkillSummary } from '@shared/domain/skill'
import { currentProject } from '../shell/actions'
import { findSkill, parseSkillAddress } from '../skills/page/skill-address'
import { placeStore, selectedKey } from '../skills/tree/skills-place'
import { skillsStore } from '../stores/skills'
import { goTo, uiStore } from '../stores/ui'
import { announce } from '../ui/announce'
import { deleteSkills, openArrange, openNewSkill, undoLast } from './arranging-store'
import type { Asked } from './arranging-store'
import { words } from './strings'

/** What the native menu and the keys of the window ask of arranging, for the skill that is selected or open. */
export const arrangeCommands = {
  newSkill() {
    goTo({ area: 'skills' })
    openNewSkill(currentProject())
  },
  duplicate: () => ask('duplicate'),
  rename: () => ask('rename'),
  move: () => ask('move'),
  copy: () => ask('copy'),
  delete() {
    const skill = selectedSkill()
    if (skill) deleteSkills([skill.key], currentProject())
    else announce(words.noSelection)
  },
  undo: undoLast,
}

function ask(kind: Asked): void {
  const skill = selectedSkill()
  if (skill) openArrange(kind, skill, currentProject())
  else announce(words.noSelection)
}

function selectedSkill(): SkillSummary | undefined {
  const { area, skill: open } = uiStore.getState()
  const list = skillsStore.getState().lists[currentProject() ?? '']
  if (area !== 'skills' || !list) return undefined
  const address = open === null ? null : parseSkillAddress(open)
  if (address) return findSkill(list.skills, address)
  const selected = selectedKey(placeStore.getState())
  return list.skills.find(({ key }) => key === selected)
}
